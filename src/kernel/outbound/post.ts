/** Calls somebody else's URL without being led into our own network. No redirect is followed, so nobody is sent on to another address. */
import { request as overHttp } from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { checkedLookup, NotReachable, refuseAddress } from './checked-connect.ts'
import type { OutboundPolicy } from './checked-connect.ts'

const TIMEOUT_MS = 15_000
/** What is read of an answer, so that its sender can write it; it is not kept. */
const ANSWER_BYTES_MAX = 65_536
const RETRY_AFTER_SECONDS_MAX = 86_400

export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Aborted when the process is about to end. */
  readonly signal: AbortSignal
}

/** `ms` is how long it took. */
export type PostOutcome =
  | { readonly status: number; readonly retryAfterSeconds: number; readonly ms: number }
  /** There was no answer, and why: a code or a few words, never of the other side's. */
  | { readonly error: string; readonly ms: number }

/** Resolves whatever happens. @throws only when the signal is aborted before there is an answer */
export type Post = (outgoing: OutgoingRequest) => Promise<PostOutcome>

export interface PosterOptions extends OutboundPolicy {
  /** For everything together, from the name to the end of the answer. */
  readonly timeoutMs?: number
}

export function poster({ timeoutMs = TIMEOUT_MS, ...reach }: PosterOptions = {}): Post {
  const lookup = checkedLookup(reach)
  return async (outgoing) => {
    const startedMs = performance.now()
    const late = AbortSignal.timeout(timeoutMs)
    const took = () => Math.round(performance.now() - startedMs)
    try {
      const signal = AbortSignal.any([outgoing.signal, late])
      const answer = await sendRequest(outgoing, { lookup, reach, signal })
      return { ...answer, ms: took() }
    } catch (error) {
      outgoing.signal.throwIfAborted()
      return { error: late.aborted ? `no answer within ${timeoutMs / 1_000} s` : reasonOf(error), ms: took() }
    }
  }
}

interface RequestConnection {
  readonly lookup: LookupFunction
  readonly reach: OutboundPolicy
  readonly signal: AbortSignal
}

type PostAnswer = Pick<Extract<PostOutcome, { status: number }>, 'status' | 'retryAfterSeconds'>

function sendRequest(
  { url: text, headers, body }: OutgoingRequest,
  { lookup, reach, signal }: RequestConnection,
): Promise<PostAnswer> {
  const url = new URL(text)
  refuseAddress(url.hostname.replaceAll(/[[\]]/g, ''), reach)
  const options: RequestOptions = {
    method: 'POST',
    // A connection of its own: one that is kept open was checked for another call.
    agent: false,
    lookup,
    signal,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
  }
  const { promise, resolve, reject } = Promise.withResolvers<PostAnswer>()
  const request = url.protocol === 'https:' ? overHttps(url, options) : overHttp(url, options)
  let isAnswered = false
  request.on('response', (response) => {
    isAnswered = true
    void readAnswer(response).then(resolve)
  })
  request.on('error', (error) => isAnswered || reject(error))
  request.on('close', () => isAnswered || reject(new NotReachable('the connection was closed without an answer')))
  request.end(body)
  return promise
}

/** The status is the answer: whatever becomes of the rest cannot change it. */
async function readAnswer(response: IncomingMessage): Promise<PostAnswer> {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length
      if (bytes > ANSWER_BYTES_MAX) break
    }
  } catch {
    response.destroy()
  }
  return { status: response.statusCode!, retryAfterSeconds: parseRetryAfter(response.headers['retry-after']) }
}

/** Only as seconds (RFC 9110, 10.2.3): a date would be by the other side's clock. */
const parseRetryAfter = (text = ''): number =>
  /^\d{1,9}$/.test(text) ? Math.min(Number(text), RETRY_AFTER_SECONDS_MAX) : 0

/** Words of our own and codes of Node's: messages may repeat what the other side said. */
function reasonOf(error: unknown): string {
  if (error instanceof NotReachable) return error.message
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'the connection failed'
}
