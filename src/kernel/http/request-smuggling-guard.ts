/** Requests that two servers could read differently are refused before anything looks at them (RFC 9112, 3.2 and 11.2). */
import type { IncomingMessage } from 'node:http'
import { reject } from '../lib/rejection.ts'

/** What a path may be written in. An encoded slash, backslash or control character is in none of ours. */
const PATH = /^\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%(?!2f|5c|[01]|7f)[0-9a-f]{2})*$/i

/**
 * What Node lets through: @throws Rejection 400 for several Host headers or none, several Content-Type headers, a Transfer-Encoding that
 * is not `chunked` alone or of HTTP/1.0, and for a request line that is more or less than a path.
 */
export function refuseAmbiguous(request: IncomingMessage): void {
  const { host, 'content-type': types = [], 'transfer-encoding': codings } = request.headersDistinct
  if (host?.length !== 1 || host[0] === '') refuse('A request needs exactly one Host header')
  // Node takes the first, another server may take the last.
  if (types.length > 1) refuse('A request has one Content-Type header at most')
  // We undo no other coding, so a body would not be what its Content-Type says.
  if (codings && codings.join(',').toLowerCase() !== 'chunked') refuse('Transfer-Encoding must be chunked alone')
  // A server of that version reads the body by its length or by the end of the connection (RFC 9112, 6.1).
  if (codings && request.httpVersion === '1.0') refuse('HTTP/1.0 has no Transfer-Encoding')
  if (!request.url?.startsWith('/')) refuse('The request line must name a path')
  // A proxy may compare the whole of it where the router stops reading.
  if (request.url?.includes('#')) refuse('The request line must not hold a fragment')
}

/** Whether the path can be one of ours at all. */
export function isPlainPath(path: string): boolean {
  try {
    return PATH.test(path) && decodeURIComponent(path).isWellFormed()
  } catch {
    return false
  }
}

const refuse = (why: string): never => reject('invalid', why, 'BAD_REQUEST')
