/** How far an application can be scaled on its server. Pure. */
import { REPLICAS_MAX } from '../../../tasks/releases.ts'
import type { LoadLimits } from '../../servers/load/rules.ts'
import type { Application } from '../decider.ts'
import { STOP_FIRST_REASONS } from '../rollover.ts'
import type { StopFirstReason } from '../rollover.ts'

type Sized = Pick<Application, 'replicas' | 'memoryMiB' | 'cpuMillis'>
type Free = Pick<LoadLimits, 'memoryMiB' | 'cpuMillis'>

/** How many more containers of this size fit. Infinite without a limit. */
function moreOf({ memoryMiB, cpuMillis }: Sized, free: Free): number {
  const fits = (left: number | null, size: number): number => (left === null ? Infinity : Math.floor(left / size))
  return Math.min(fits(free.memoryMiB, memoryMiB), fits(free.cpuMillis, cpuMillis))
}

/** What exists stays, so that it is never below what there is. */
export const replicasMaxOf = (sized: Sized, free: Free): number =>
  Math.max(sized.replicas, Math.min(REPLICAS_MAX, sized.replicas + moreOf(sized, free)))

const REASONS = {
  ...STOP_FIRST_REASONS,
  AT_MOST: `An application has at most ${REPLICAS_MAX} replicas`,
  SERVER_FULL: 'No further replica fits into the memory and the CPU that are free on the server',
  NAMES_REACH_CANDIDATES: 'Names within the environment lead to new containers, too, before they are healthy',
} as const
type ReasonCode = keyof typeof REASONS

/** Why it cannot be scaled further, and what follows from how a new release replaces the one before. */
export function scaleReasons(sized: Sized, max: number, stopFirst: readonly StopFirstReason[]) {
  const isFull = max < REPLICAS_MAX && max === sized.replicas
  const codes: ReasonCode[] = [
    ...(sized.replicas >= REPLICAS_MAX ? (['AT_MOST'] as const) : []),
    ...(isFull ? (['SERVER_FULL'] as const) : []),
    ...(stopFirst.length > 0 ? stopFirst : (['NAMES_REACH_CANDIDATES'] as const)),
  ]
  return codes.map((code) => ({ code, message: REASONS[code] }))
}

export const SCALE_REASONS = Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]]
