/** Containers that stand still while their volumes are copied. Whatever ends the copy, they go on. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { EngineCall } from '../engine-call.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import { TaskFailure } from '../performer.ts'

/** It does not stand still: it was let go on, has ended or was removed. */
const [NOT_PAUSED, ENDED] = [409, 500]
const CALL_MS = 30_000
/** An engine that is down may come back with its containers as they were. */
const TRIES_MS = 10 * 60_000
const AGAIN_MS = 1_000

/** The engine waits up to a minute before it starts a container again. */
const RESTARTING_MS = 90_000
const LOOK_MS = 20

const Found = z.array(z.object({ Id: z.string(), State: z.string() }))

interface Standing {
  readonly signal: AbortSignal
  /** Before they are paused. */
  onPause(ids: readonly string[]): Promise<void>
  /** Of containers that the engine is about to start again. */
  readonly restartingMs?: number
}

/**
 * Resolves when none of the containers that mount one of the volumes writes. Some that already stand still are another's
 * matter. One that the engine is about to start again cannot be paused: it is waited for, while the others still run.
 * @throws TaskFailure RESTARTING after 90 seconds
 */
export async function standStill(
  call: EngineCall,
  volumes: readonly string[],
  { signal, onPause, restartingMs = RESTARTING_MS }: Standing,
): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ volume: volumes, status: ['running', 'restarting'] }))
  const untilMs = performance.now() + restartingMs
  const restarted = new Set<string>()
  for (;;) {
    const { body } = await askEngine(call, signal)('GET', `/containers/json?filters=${filters}`)
    const found = Found.parse(body)
    if (found.length === 0) return
    const restarting = found.filter(({ State }) => State === 'restarting')
    for (const { Id } of restarting) restarted.add(Id)
    // Those that may end again at once are paused first, as long as they run.
    const ids = found
      .filter(({ Id, State }) => State !== 'restarting' && (restarting.length === 0 || restarted.has(Id)))
      .map(({ Id }) => Id)
    if (ids.length > 0) {
      await onPause(ids)
      await pauseAll(call, ids, signal)
    }
    if (performance.now() > untilMs)
      throw new TaskFailure('RESTARTING', 'A container of the workload starts again and again: stop it, then try again')
    await sleep(LOOK_MS, undefined, { signal })
  }
}

/** One that has ended since writes no more, unless the engine starts it again. */
async function pauseAll(call: EngineCall, ids: readonly string[], signal: AbortSignal): Promise<void> {
  // An engine that was asked goes on without its caller: each answer is waited for, so that none stands still afterwards.
  const ask = askEngine(call, AbortSignal.timeout(CALL_MS))
  const all = await Promise.allSettled(ids.map((id) => ask('POST', `/containers/${id}/pause`, [GONE, NOT_PAUSED])))
  signal.throwIfAborted()
  for (const each of all) if (each.status === 'rejected') throw each.reason
}

/** Resolves when none of them stands still. @throws TaskFailure after ten minutes without an engine */
export async function resumeAll(call: EngineCall, ids: readonly string[], everyMs = AGAIN_MS): Promise<void> {
  const untilMs = performance.now() + TRIES_MS
  for (let left = ids; left.length > 0;) {
    const told = await Promise.all(left.map(async (id) => ({ id, isResumed: await resume(call, id) })))
    left = told.filter(({ isResumed }) => !isResumed).map(({ id }) => id)
    if (left.length === 0) return
    if (performance.now() > untilMs)
      throw new TaskFailure('NOT_RESUMED', `${left.length} containers stand still: the engine does not let them go on`)
    await sleep(everyMs)
  }
}

const State = z.object({ State: z.object({ Paused: z.boolean() }) })

async function resume(call: EngineCall, id: string): Promise<boolean> {
  const ask = askEngine(call, AbortSignal.timeout(CALL_MS))
  try {
    await ask('POST', `/containers/${id}/unpause`, [GONE, NOT_PAUSED, ENDED])
    const { status, body } = await ask('GET', `/containers/${id}/json`, [GONE])
    return status === GONE || !State.parse(body).State.Paused
  } catch {
    return false
  }
}
