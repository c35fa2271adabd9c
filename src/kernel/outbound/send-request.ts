/** One HTTP request to a URL that users have given. Redirects are not followed. */
import { request as overHttp } from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { checkedLookup, NotReachable, refuseAddress } from './checked-connect.ts'
import type { OutboundPolicy } from './checked-connect.ts'

export interface OutgoingCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface RequestConnection {
  /** Undefined: any address may be called. */
  readonly reach: OutboundPolicy | undefined
  readonly signal: AbortSignal
}

/** @throws NotReachable, an error of Node, or the reason of the signal, if there is no response */
export function sendRequest(
  { method, url: text, headers, body = '' }: OutgoingCall,
  { reach, signal }: RequestConnection,
): Promise<IncomingMessage> {
  const url = new URL(text)
  if (reach) refuseAddress(url.hostname.replaceAll(/[[\]]/g, ''), reach)
  const options: RequestOptions = {
    method,
    // A new connection per call: the address of a kept one was checked for another call.
    agent: false,
    signal,
    ...(reach && { lookup: checkedLookup(reach) }),
    headers: method === 'GET' ? headers : { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? overHttps(url, options) : overHttp(url, options)
  // Of these, the first one counts.
  request.on('response', resolve)
  request.on('error', reject)
  request.on('close', () => reject(new NotReachable('the connection was closed without a response')))
  request.end(body)
  return promise
}

/** Texts of this service and codes of Node: error messages may contain text from the other side. */
export function reasonOf(error: unknown): string {
  if (error instanceof NotReachable) return error.message
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'the connection failed'
}
