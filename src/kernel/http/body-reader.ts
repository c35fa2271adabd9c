/** Reads request bodies up to a byte limit, and parses the one accepted content type, JSON. */
import type { IncomingMessage } from 'node:http'
import type { Json } from '../events/store-port.ts'
import { Rejection, reject } from '../lib/rejection.ts'
import { parseJson } from './strict-json.ts'

export const BODY_BYTES_MAX = 100 * 1024
/**
 * Up to this many bytes of a rejected body are read and discarded, so that the client can finish
 * writing and read the response.
 */
const LINGER_BYTES_MAX = 1024 * 1024

const EMPTY_OBJECT = /^[ \t\r\n]*\{[ \t\r\n]*\}[ \t\r\n]*$/
const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i

/** Whether the request announces a body (RFC 9112, 6.3). A chunked one may still turn out to be empty. */
export function announcesBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0)
}

/**
 * @throws Rejection 413 beyond `limit` bytes (before reading if Content-Length announces it) · 415 for
 * a compressed body.
 */
export async function readBytes(request: IncomingMessage, limit = BODY_BYTES_MAX): Promise<Buffer> {
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    reject('unsupported', 'The body must not be compressed', 'UNSUPPORTED_ENCODING', { 'Accept-Encoding': 'identity' })
  if (Number(request.headers['content-length'] ?? 0) > limit) rejectTooLarge(limit)
  const pieces: Buffer[] = []
  let size = 0
  await readPieces(request, (piece) => {
    size += piece.length
    if (size > limit) rejectTooLarge(limit)
    pieces.push(piece)
  })
  // A copy of a short body would lie in a slab of 64 KiB, which a request that waits would keep.
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

/** Not `for await`: leaving that loop early destroys the socket before the response is sent. */
function readPieces(request: IncomingMessage, take: (piece: Buffer) => void): Promise<void> {
  return new Promise((resolve, fail) => {
    const settle = (then: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut)
      then()
    }
    const onData = (piece: Buffer) => {
      try {
        take(piece)
      } catch (error) {
        settle(() => fail(error))
      }
    }
    const onEnd = () => settle(resolve)
    const onCut = () => settle(() => fail(new RequestAborted()))
    request.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut)
  })
}

/** The client disconnected while it sent its body. No response can be sent. */
export class RequestAborted extends Error {
  constructor() {
    super('The client closed the connection before the body was complete')
    this.name = 'RequestAborted'
  }
}

export function rejectTooLarge(limit: number): never {
  reject('tooLarge', `The body is larger than ${limit} bytes`)
}

/**
 * @returns undefined when there is no body.
 * @throws Rejection 400 for invalid strict JSON · 413 · 415 for another Content-Type or a compressed
 * body.
 */
export async function readJson(request: IncomingMessage, read = () => readBytes(request)): Promise<Json | undefined> {
  if (!announcesBody(request)) return undefined
  if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
    reject('unsupported', 'The body must be application/json in UTF-8', 'UNSUPPORTED_TYPE')
  const bytes = await read()
  return bytes.length === 0 ? undefined : parseJson(bytes)
}

/**
 * For routes without a body. A body with content is a mistake of the client and is rejected, not
 * ignored. An empty object is accepted, because many clients send `{}` by default.
 * @throws Rejection 400 for a body with content, even if it is also too large or compressed
 */
export async function refuseBody(request: IncomingMessage, read = () => readBytes(request)): Promise<void> {
  if (!announcesBody(request)) return
  const bytes = await read().catch(rethrowUnlessUnacceptable)
  const isJson = JSON_TYPE.test(request.headers['content-type'] ?? '')
  if (bytes?.length === 0 || (bytes && isJson && EMPTY_OBJECT.test(bytes.toString('latin1')))) return
  reject('invalid', 'This route takes no body: send the request without one', 'UNEXPECTED_BODY')
}

/** Treats 413 and 415 as "a body was sent"; other errors are rethrown. */
function rethrowUnlessUnacceptable(error: unknown): undefined {
  if (!(error instanceof Rejection && [413, 415].includes(error.statusCode))) throw error
}

/** Discards the rest of a rejected body. Beyond `LINGER_BYTES_MAX` the connection is destroyed. */
export function discardRest(request: IncomingMessage): void {
  if (request.destroyed) return
  let left = LINGER_BYTES_MAX
  request.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) request.socket.destroy()
  })
}
