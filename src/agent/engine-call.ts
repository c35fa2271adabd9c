/** Calls of the container engine's API, by its Unix socket. Source: Docker Engine API 1.41. */
import { request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AnswerTooLong, answerText } from './answer-text.ts'
import { TaskFailure } from './performer.ts'

/** Engine 20.10, the oldest one that is supported. Newer ones speak it too. */
const VERSION = '/v1.41'
/** More than the lists of a host with thousands of objects have. */
const ANSWER_BYTES_MAX = 32 * 1_024 * 1_024
/** Of one thing that the engine tells while it works. */
const LINE_BYTES_MAX = 1_024 * 1_024
const NEWLINE = 0x0a

export interface EngineReply {
  readonly status: number
  /** Parsed JSON; undefined without any. */
  readonly body: unknown
  readonly headers?: IncomingHttpHeaders
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
  headers?: OutgoingHttpHeaders,
) => Promise<EngineReply>

/**
 * Work of the engine that takes long: it tells how it goes on in lines of JSON, and takes an archive of any size. The engine
 * gives it up when the signal is aborted.
 * @param heard called for each line before the next one is read
 * @returns the status @throws as `EngineCall`
 */
export type EngineStream = (
  path: string,
  signal: AbortSignal,
  heard: (told: unknown) => Promise<void>,
  archive?: AsyncIterable<Uint8Array>,
  headers?: OutgoingHttpHeaders,
) => Promise<number>

/**
 * A connection that the engine takes over, for what follows in another protocol.
 * @returns the status of an engine that does not take it over @throws as `EngineCall`
 */
export type EngineUpgrade = (path: string, signal: AbortSignal, to: UpgradeTo) => Promise<Duplex | number>

interface UpgradeTo {
  readonly protocol: 'h2c' | 'tcp'
  readonly headers?: OutgoingHttpHeaders
  /** As JSON. */
  readonly body?: object
}

export const asking = (
  socketPath: string,
  method: string,
  path: string,
  signal: AbortSignal,
  { type, more = {} }: { readonly type?: string | undefined; readonly more?: OutgoingHttpHeaders } = {},
) => {
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = type === undefined ? more : { ...more, 'Content-Type': type }
  const asked = request({ socketPath, method, path: VERSION + path, signal, agent: false, headers })
    .on('response', resolve)
    .on('error', reject)
  return { asked, response, reject }
}

export async function answered<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TaskFailure) throw error
    if (error instanceof AnswerTooLong)
      throw new TaskFailure('ENGINE_ANSWER_TOO_LONG', 'The container engine of the server answered with too many bytes')
    throw new TaskFailure('ENGINE_DOWN', 'The container engine of the server did not answer')
  }
}

const [ARCHIVE, JSON_TYPE] = ['application/x-tar', 'application/json']

export const engineCall =
  (socketPath: string): EngineCall =>
  (method, path, signal, body, more = {}) =>
    answered(signal, async () => {
      const isArchive = Buffer.isBuffer(body)
      const type = body && (isArchive ? ARCHIVE : JSON_TYPE)
      const { asked, response: coming } = asking(socketPath, method, path, signal, { type, more })
      asked.end(isArchive ? body : body && JSON.stringify(body))
      const response = await coming
      const isJson = response.headers['content-type']?.startsWith(JSON_TYPE) === true
      const said = await answerText(response, ANSWER_BYTES_MAX)
      const { statusCode, headers } = response
      return { status: statusCode!, headers, body: isJson ? (JSON.parse(said) as unknown) : undefined }
    })

export const engineStream =
  (socketPath: string): EngineStream =>
  (path, signal, heard, archive, more) =>
    answered(signal, async () => {
      const how = { type: archive && ARCHIVE, ...(more && { more }) }
      const { asked, response: coming, reject } = asking(socketPath, 'POST', path, signal, how)
      if (archive) pipeline(Readable.from(archive), asked).catch(reject)
      else asked.end()
      const response = await coming
      for await (const line of linesOf(response)) await heard(JSON.parse(line))
      return response.statusCode!
    })

export const engineUpgrade =
  (socketPath: string): EngineUpgrade =>
  (path, signal, { protocol, headers, body }) =>
    answered(signal, async () => {
      const how = { type: body && JSON_TYPE, more: { ...headers, Connection: 'Upgrade', Upgrade: protocol } }
      const { asked, response } = asking(socketPath, 'POST', path, signal, how)
      const { promise: taken, resolve } = Promise.withResolvers<Duplex>()
      asked.on('upgrade', (_response, socket: Duplex, head: Buffer) => {
        // What came with the answer belongs to what follows it.
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
      })
      asked.end(body && JSON.stringify(body))
      const refused = response.then(({ statusCode }) => {
        asked.destroy()
        return statusCode!
      })
      return await Promise.race([taken, refused])
    })

/** @throws AnswerTooLong for a line without an end */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece])
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield rest.subarray(0, end).toString()
      rest = rest.subarray(end + 1)
    }
    if (rest.length > LINE_BYTES_MAX) throw new AnswerTooLong(LINE_BYTES_MAX)
  }
  if (rest.length > 0) yield rest.toString()
}
