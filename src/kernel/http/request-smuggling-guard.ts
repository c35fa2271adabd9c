/**
 * Rejects ambiguous requests, which two servers could parse differently, before other code reads them
 * (RFC 9112, 3.2 and 11.2).
 */
import type { IncomingMessage } from 'node:http'
import { reject } from '../lib/rejection.ts'

/**
 * The characters of a valid path. No path of this service contains an encoded slash, backslash or
 * control character.
 */
const PATH = /^\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%(?!2f|5c|[01]|7f)[0-9a-f]{2})*$/i

/**
 * Checks what Node accepts.
 * @throws Rejection 400 for no or several Host headers · several Content-Type headers · a
 * Transfer-Encoding other than `chunked` alone, or in HTTP/1.0 · a request target that is not a plain
 * path
 */
export function refuseAmbiguous(request: IncomingMessage): void {
  const { host, 'content-type': types = [], 'transfer-encoding': codings } = request.headersDistinct
  if (host?.length !== 1 || host[0] === '') refuse('A request needs exactly one Host header')
  // Node uses the first, another server may use the last.
  if (types.length > 1) refuse('A request may have only one Content-Type header')
  // No other coding is decoded, so the body would not match its Content-Type.
  if (codings && codings.join(',').toLowerCase() !== 'chunked') refuse('Transfer-Encoding must be only chunked')
  // An HTTP/1.0 server finds the end of the body by its length or by the end of the connection (RFC
  // 9112, 6.1).
  if (codings && request.httpVersion === '1.0') refuse('HTTP/1.0 does not allow Transfer-Encoding')
  if (!request.url?.startsWith('/')) refuse('The request line must contain a path')
  // A proxy may compare the whole target, while the router stops at the fragment.
  if (request.url?.includes('#')) refuse('The request line must not contain a fragment')
}

/** Whether any route can match the path. */
export function isPlainPath(path: string): boolean {
  try {
    return PATH.test(path) && decodeURIComponent(path).isWellFormed()
  } catch {
    return false
  }
}

const refuse = (why: string): never => reject('invalid', why, 'BAD_REQUEST')
