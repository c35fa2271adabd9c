/** Waits until the targets that requests leave have none any more. */
import { setTimeout as pause } from 'node:timers/promises'
import { TaskFailure } from '../performer.ts'
import { KEEP_ALIVE_MS } from './config-text.ts'
import type { Runtime } from './runtime.ts'
import type { Target } from './state.ts'

const BESIDE_MS = 500
const LOOK_MS = 50
/** A request that has chosen its target a moment ago is counted by then. */
const QUIET_LOOKS = 2

export interface Drain {
  /** Resolves when no client can send a request to a target of before the last reload. */
  untilLeft(): Promise<void>
  /** @returns the sessions that are left */
  untilQuiet(leaving: ReadonlyMap<string, readonly Target[]>, untilMs: number, signal: AbortSignal): Promise<number>
}

export function drainOf(runtime: Pick<Runtime, 'sessionsOf' | 'waiting'>, isRunning: () => Promise<boolean>): Drain {
  async function sessionsOf(leaving: ReadonlyMap<string, readonly Target[]>): Promise<number> {
    if (leaving.size === 0 || !(await isRunning())) return 0
    const each = await Promise.all([...leaving].map(([id, targets]) => runtime.sessionsOf(id, targets)))
    return each.reduce((sum, sessions) => sum + sessions, 0)
  }

  async function untilLeft(): Promise<void> {
    const untilMs = performance.now() + KEEP_ALIVE_MS + BESIDE_MS
    while ((await isRunning()) && (await runtime.waiting().catch(unlessDown)) !== 0 && performance.now() < untilMs)
      await pause(LOOK_MS)
  }

  async function untilQuiet(
    leaving: ReadonlyMap<string, readonly Target[]>,
    untilMs: number,
    signal: AbortSignal,
  ): Promise<number> {
    for (let quiet = 0; ;) {
      signal.throwIfAborted()
      // A master that reloads does not answer for a moment.
      const sessions = await sessionsOf(leaving).catch(unlessDown)
      quiet = sessions === 0 ? quiet + 1 : 0
      if (quiet >= QUIET_LOOKS) return 0
      if (performance.now() >= untilMs && sessions !== undefined && sessions > 0) return sessions
      await pause(LOOK_MS, undefined, { signal })
    }
  }

  return { untilLeft, untilQuiet }
}

function unlessDown(error: unknown): undefined {
  if (error instanceof TaskFailure && error.code === 'PROXY_DOWN') return undefined
  throw error
}
