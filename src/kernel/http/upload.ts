/** A request's body as a stream of bytes, for what is too large to be held: read as fast as it is taken, and never more of it than allowed. */
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
 * @param stillIn asked when the last piece has come, before that is told: an upload takes long, and its sender may be out by then
 * @throws Rejection 400 without a body · 408 · 413 · 415 · 503 · RequestAborted while it is read · whatever `stillIn` throws
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
    // Destroyed with the loop, the socket could not be answered on.
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
