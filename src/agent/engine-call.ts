/** Calls of the container engine's API, by its Unix socket. Source: Docker Engine API 1.41. */
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { AnswerTooLong, answerText } from './answer-text.ts'
import { TaskFailure } from './performer.ts'

/** Engine 20.10, the oldest one that is supported. Newer ones speak it too. */
const VERSION = '/v1.41'
/** More than the lists of a host with thousands of objects have. */
const ANSWER_BYTES_MAX = 32 * 1_024 * 1_024

export interface EngineReply {
  readonly status: number
  /** Parsed JSON; undefined without any. */
  readonly body: unknown
}

/**
 * @param path below the version, encoded
 * @param body an object as JSON, or an archive
 * @throws TaskFailure ENGINE_DOWN without an answer · ENGINE_ANSWER_TOO_LONG
 */
export type EngineCall = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  signal: AbortSignal,
  body?: object | Buffer,
) => Promise<EngineReply>

export const engineCall =
  (socketPath: string): EngineCall =>
  async (method, path, signal, body) => {
    try {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
      const isArchive = Buffer.isBuffer(body)
      const headers = body && { 'Content-Type': isArchive ? 'application/x-tar' : 'application/json' }
      request({ socketPath, method, path: VERSION + path, signal, agent: false, ...(headers && { headers }) })
        .on('response', resolve)
        .on('error', reject)
        .end(isArchive ? body : body && JSON.stringify(body))
      const response = await promise
      const isJson = response.headers['content-type']?.startsWith('application/json') === true
      const said = await answerText(response, ANSWER_BYTES_MAX)
      return { status: response.statusCode!, body: isJson ? (JSON.parse(said) as unknown) : undefined }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AnswerTooLong)
        throw new TaskFailure(
          'ENGINE_ANSWER_TOO_LONG',
          'The container engine of the server answered with more than 32 MiB',
        )
      throw new TaskFailure('ENGINE_DOWN', 'The container engine of the server did not answer')
    }
  }
