/**
 * Calls URLs that users have given, but never reaches the operator's internal network. Redirects are
 * not followed.
 */
import type { IncomingMessage } from 'node:http'
import type { OutboundPolicy } from './checked-connect.ts'
import { reasonOf, sendRequest } from './send-request.ts'

const TIMEOUT_MS = 15_000
/** The part of a response that is read, so that its sender can finish; it is discarded. */
const ANSWER_BYTES_MAX = 65_536
const RETRY_AFTER_SECONDS_MAX = 86_400

export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Aborted when the process shuts down. */
  readonly signal: AbortSignal
}

/** `ms` is the duration. */
export type PostOutcome =
  | { readonly status: number; readonly retryAfterSeconds: number; readonly ms: number }
  /** There was no response. The reason is a code or a text of this service, never text from the other side. */
  | { readonly error: string; readonly ms: number }

/**
 * Always resolves.
 * @throws only if the signal is aborted before there is a response
 */
export type Post = (outgoing: OutgoingRequest) => Promise<PostOutcome>

export interface PosterOptions extends OutboundPolicy {
  /** The limit for the whole call, from the name resolution to the end of the response. */
  readonly timeoutMs?: number
}

export function poster({ timeoutMs = TIMEOUT_MS, ...reach }: PosterOptions = {}): Post {
  return async ({ signal: stopped, ...outgoing }) => {
    const startedMs = performance.now()
    const late = AbortSignal.timeout(timeoutMs)
    const took = () => Math.round(performance.now() - startedMs)
    try {
      const signal = AbortSignal.any([stopped, late])
      const answer = await readAnswer(await sendRequest({ method: 'POST', ...outgoing }, { reach, signal }))
      return { ...answer, ms: took() }
    } catch (error) {
      stopped.throwIfAborted()
      return { error: late.aborted ? `no response within ${timeoutMs / 1_000} s` : reasonOf(error), ms: took() }
    }
  }
}

type PostAnswer = Pick<Extract<PostOutcome, { status: number }>, 'status' | 'retryAfterSeconds'>

/** The status is the result, whatever happens to the rest of the response. */
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

/** Only seconds (RFC 9110, 10.2.3): a date would depend on the other side's clock. */
const parseRetryAfter = (text = ''): number =>
  /^\d{1,9}$/.test(text) ? Math.min(Number(text), RETRY_AFTER_SECONDS_MAX) : 0
