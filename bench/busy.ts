/** Whether other processes are at work, which makes the figures unreliable. */
import { availableParallelism, loadavg } from 'node:os'

/** The load average of the last minute. */
export const load = (): number => Number(loadavg()[0]!.toFixed(1))

export function warnIfBusy(before: number): void {
  if (before < availableParallelism() / 2) return
  console.warn(
    `!! BUSY: the load is ${before} on ${availableParallelism()} cores before anything is measured, so the figures are unreliable`,
  )
}
