/** A request's body as a stream of bytes, for what is too large to be held: read as fast as it is taken, and never more of it than allowed. */
import type { IncomingMessage } from 'node:http'
import { reject } from '../rejection.ts'
import { CutOff, announcesBody, tooLarge } from './bytes.ts'
import { liftDeadline } from './deadline.ts'

const TYPE = 'application/octet-stream'

/**
 * @param stillIn asked when the last piece has come, before that is told: an upload takes long, and its sender may be out by then
 * @throws Rejection 400 without a body · 413 · 415 · CutOff while it is read · whatever `stillIn` throws
 */
export function uploadOf(
  request: IncomingMessage,
  bytesMax: number,
  stillIn: () => Promise<unknown>,
): AsyncIterable<Buffer> {
  if (!announcesBody(request)) reject('invalid', 'A body is required', 'BODY_REQUIRED')
  if ((request.headers['content-type'] ?? '').toLowerCase() !== TYPE)
    reject('unsupported', `The body must be ${TYPE}`, 'UNSUPPORTED_TYPE')
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    reject('unsupported', 'The body must not be compressed', 'UNSUPPORTED_ENCODING', { 'Accept-Encoding': 'identity' })
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) tooLarge(bytesMax)
  return pieces(request, bytesMax, stillIn)
}

async function* pieces(
  request: IncomingMessage,
  bytesMax: number,
  stillIn: () => Promise<unknown>,
): AsyncGenerator<Buffer> {
  liftDeadline(request)
  let size = 0
  try {
    // Destroyed with the loop, the socket could not be answered on.
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > bytesMax) tooLarge(bytesMax)
      yield piece
    }
  } catch (error) {
    throw request.complete ? error : new CutOff()
  }
  if (!request.complete) throw new CutOff()
  await stillIn()
}
