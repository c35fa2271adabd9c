/** Asks the engine for what must succeed. */
import type { EngineCall, EngineReply } from '../engine-call.ts'
import { TaskFailure } from '../performer.ts'

export const GONE = 404

/** @throws TaskFailure ENGINE_REFUSED for an answer that is neither 2xx nor one of `also`, and as the call does */
export type AskEngine = (
  method: Parameters<EngineCall>[0],
  path: string,
  also?: readonly number[],
  body?: Parameters<EngineCall>[3],
) => Promise<EngineReply>

export const askEngine =
  (call: EngineCall, signal: AbortSignal): AskEngine =>
  async (method, path, also = [], body) => {
    const reply = await call(method, path, signal, body)
    if (reply.status >= 300 && !also.includes(reply.status))
      throw new TaskFailure('ENGINE_REFUSED', `The engine answered ${reply.status} to ${method} ${path.split('?')[0]}`)
    return reply
  }
