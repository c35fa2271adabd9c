/** Tells the panel what a task says and how it ends, until the panel has both. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogLine } from '../tasks/protocol.ts'
import { backOff } from './back-off.ts'
import type { BackOffLimits } from './back-off.ts'
import { isPassing } from './panel-client.ts'
import type { PanelClient } from './panel-client.ts'
import type { HeldTask, TaskRunner } from './task-runner.ts'

/** Lines of this time go in one request. An end does not wait for more of them. */
const GATHER_MS = 100
/** While the reader of live lines is behind, the panel is asked so often whether it still is. */
const PAUSED_MS = 500

export interface ReporterDependencies {
  readonly panel: PanelClient
  readonly runner: Pick<TaskRunner, 'cancel' | 'forget'>
  readonly limits?: BackOffLimits | undefined
  /** Called for what the panel has refused for good. */
  onRefused(error: unknown, taskId: string): void
}

/** Runs until the panel has the end of the task, or `stopped` is aborted. */
export async function report(held: HeldTask, parts: ReporterDependencies, stopped: AbortSignal): Promise<void> {
  const { panel, runner } = parts
  const { id, attempt, spool } = held
  const over = AbortSignal.any([held.released, stopped])
  const change = changes(held)
  const gathered = AbortSignal.any([over, change.ended])
  // After a start, the panel says what it has.
  let [next, isKnown, isRefused, isPaused] = [1, spool.lastSeq === 0, false, false]

  async function tellLines(lines: LogLine[]): Promise<void> {
    const answer = await untilTaken(() => panel.progress(id, { attempt, lines }, over), parts, held, over)
    isKnown = true
    if (!answer) {
      ;[isRefused, isPaused] = [true, false]
      return
    }
    if (lines.length > 0 || !isPaused) next = answer.next
    isPaused = answer.pause
    if (answer.cancel) runner.cancel(id)
  }

  while (!over.aborted) {
    change.reset()
    const { end } = held
    const lines = isKnown && !isRefused && !isPaused ? await spool.from(next) : []
    if (isPaused) await sleep(PAUSED_MS, undefined, { signal: over }).catch(() => {})
    if (lines.length > 0 || !isKnown || isPaused) await tellLines(lines)
    else if (end) {
      const body = { ...end, attempt, lastSeq: spool.lastSeq }
      await untilTaken(() => panel.result(id, body, over), parts, held, over)
      if (!over.aborted) await runner.forget(id)
      return
    } else {
      await change.next(over)
      await sleep(GATHER_MS, undefined, { signal: gathered }).catch(() => {})
    }
  }
}

/** @returns undefined when it was refused for good, or there is nothing to tell any more */
async function untilTaken<Answer>(
  call: () => Promise<Answer>,
  { limits, onRefused }: ReporterDependencies,
  { id }: HeldTask,
  over: AbortSignal,
): Promise<Answer | undefined> {
  const pause = backOff(limits)
  while (!over.aborted)
    try {
      return await call()
    } catch (error) {
      if (over.aborted) return undefined
      if (!isPassing(error)) {
        onRefused(error, id)
        return undefined
      }
      await pause.wait(over)
    }
  return undefined
}

/** The calls of `onChange` as a promise, which a call before the wait resolves at once. */
function changes(held: HeldTask) {
  let isChanged = false
  let wake = () => {}
  const ended = new AbortController()
  held.onChange = () => {
    isChanged = true
    if (held.end) ended.abort()
    wake()
  }
  return {
    /** Aborted when the task has ended. */
    ended: ended.signal,
    reset: () => void (isChanged = false),
    next: (over: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (isChanged || over.aborted) return resolve()
        const end = () => {
          over.removeEventListener('abort', end)
          resolve()
        }
        wake = end
        over.addEventListener('abort', end)
      }),
  }
}
