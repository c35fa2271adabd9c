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

const Running = z.array(z.object({ Id: z.string() }))

/** Those that run and mount one of the volumes. Some that already stand still are another's matter. */
export async function writersOf(call: EngineCall, volumes: readonly string[], signal: AbortSignal): Promise<string[]> {
  const filters = encodeURIComponent(JSON.stringify({ volume: volumes, status: ['running'] }))
  const { body } = await askEngine(call, signal)('GET', `/containers/json?filters=${filters}`)
  return Running.parse(body).map(({ Id }) => Id)
}

/** One that has ended since writes no more. */
export async function pauseAll(call: EngineCall, ids: readonly string[], signal: AbortSignal): Promise<void> {
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
