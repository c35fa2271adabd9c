/** Streams a request body that is too large for memory, with back-pressure and a byte limit. */
import type { IncomingMessage } from 'node:http'
import { Rejection, reject } from '../lib/rejection.ts'
import { RequestAborted, announcesBody, rejectTooLarge } from './body-reader.ts'
import type { RequestSlots } from './limits/load.ts'

const TYPE = 'application/octet-stream'

interface UploadOptions {
  readonly bytesMax: number
  readonly slots: RequestSlots
  readonly authorizeAgain: () => Promise<unknown>
}

/**
 * @param authorizeAgain called after the last piece, before the end is reported: access may be revoked
 * during a long upload
 * @throws Rejection 400 without a body · 408 · 413 · 415 · 503 · RequestAborted while it is read · what
 * `authorizeAgain` throws
 */
export function readUpload(
  request: IncomingMessage,
  { bytesMax, slots, authorizeAgain }: UploadOptions,
): AsyncIterable<Buffer> {
  if (!announcesBody(request)) reject('invalid', 'A body is required', 'BODY_REQUIRED')
  if ((request.headers['content-type'] ?? '').toLowerCase() !== TYPE)
    reject('unsupported', `The body must be ${TYPE}`, 'UNSUPPORTED_TYPE')
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    reject('unsupported', 'The body must not be compressed', 'UNSUPPORTED_ENCODING', { 'Accept-Encoding': 'identity' })
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) rejectTooLarge(bytesMax)
  return pieces(request, { bytesMax, slots, authorizeAgain })
}

async function* pieces(
  request: IncomingMessage,
  { bytesMax, slots, authorizeAgain }: UploadOptions,
): AsyncGenerator<Buffer> {
  let size = 0
  try {
    // By default, leaving the loop destroys the socket, and no response could be sent.
    for await (const piece of slots.upload(request.iterator({ destroyOnReturn: false }))) {
      size += piece.length
      if (size > bytesMax) rejectTooLarge(bytesMax)
      yield piece
    }
  } catch (error) {
    throw request.complete || error instanceof Rejection ? error : new RequestAborted()
  }
  if (!request.complete) throw new RequestAborted()
  await authorizeAgain()
}
