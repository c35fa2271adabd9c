/** Calls of the container engine's API, by its Unix socket. Source: Docker Engine API 1.41. */
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { TaskFailure } from './performer.ts'

/** Engine 20.10, the oldest one that is supported. Newer ones speak it too. */
const VERSION = '/v1.41'

export interface EngineReply {
  readonly status: number
  /** Parsed JSON; undefined without any. */
  readonly body: unknown
}

/** @param path below the version, encoded @throws TaskFailure ENGINE_DOWN without an answer */
export type EngineCall = (method: 'GET' | 'POST' | 'DELETE', path: string, signal: AbortSignal) => Promise<EngineReply>

export const engineCall =
  (socketPath: string): EngineCall =>
  async (method, path, signal) => {
    try {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      request({ socketPath, method, path: VERSION + path, signal, agent: false })
        .on('response', resolve)
        .on('error', reject)
        .end()
      const response = await promise
      const isJson = response.headers['content-type']?.startsWith('application/json') === true
      const body = isJson ? await json(response) : void (await text(response))
      return { status: response.statusCode!, body }
    } catch {
      signal.throwIfAborted()
      throw new TaskFailure('ENGINE_DOWN', 'The container engine of the server did not answer')
    }
  }
