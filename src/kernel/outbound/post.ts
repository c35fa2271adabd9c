/**
 * Calls somebody else's URL without being led into our own network: the name is resolved once, every address that it has must be
 * one that may be reached, and what is connected to is one of these. No redirect is followed, so nobody is sent on to another address.
 */
import { Resolver } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import { request as overHttp } from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { mayReach } from './public-address.ts'

const TIMEOUT_MS = 15_000
/** What is read of an answer, so that its sender can write it; it is not kept. */
const ANSWER_BYTES_MAX = 65_536
const DNS_TIMEOUT_MS = 4_000
const DNS_TRIES = 2
const RETRY_AFTER_SECONDS_MAX = 86_400

export interface Outgoing {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Aborted when the process is about to end. */
  readonly signal: AbortSignal
}

/** `ms` is how long it took. */
export type Outcome =
  | { readonly status: number; readonly retryAfterSeconds: number; readonly ms: number }
  /** There was no answer, and why: a code or a few words, never of the other side's. */
  | { readonly error: string; readonly ms: number }

/** Resolves whatever happens. @throws only when the signal is aborted before there is an answer */
export type Post = (outgoing: Outgoing) => Promise<Outcome>

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export interface PosterOptions {
  /** Addresses and ranges that may be reached although they are not public. Default: none. */
  readonly allow?: readonly string[]
  readonly resolve?: Resolve
  /** For everything together, from the name to the end of the answer. */
  readonly timeoutMs?: number
}

class NotReachable extends Error {
  override readonly name = 'NotReachable'
}
const NOT_PUBLIC = 'the address is not public'

export function poster({ allow = [], resolve = byDns, timeoutMs = TIMEOUT_MS }: PosterOptions = {}): Post {
  const lookup = checkedLookup(resolve, allow)
  return async (outgoing) => {
    const startedMs = performance.now()
    const late = AbortSignal.timeout(timeoutMs)
    const took = () => Math.round(performance.now() - startedMs)
    try {
      const signal = AbortSignal.any([outgoing.signal, late])
      const answer = await exchanged(outgoing, { lookup, allow, signal })
      return { ...answer, ms: took() }
    } catch (error) {
      outgoing.signal.throwIfAborted()
      return { error: late.aborted ? `no answer within ${timeoutMs / 1_000} s` : reasonOf(error), ms: took() }
    }
  }
}

interface Way {
  readonly lookup: LookupFunction
  readonly allow: readonly string[]
  readonly signal: AbortSignal
}

type Answer = Pick<Extract<Outcome, { status: number }>, 'status' | 'retryAfterSeconds'>

function exchanged({ url: text, headers, body }: Outgoing, { lookup, allow, signal }: Way): Promise<Answer> {
  const url = new URL(text)
  // An address in place of a name is connected to without any look-up.
  const literal = url.hostname.replaceAll(/[[\]]/g, '')
  if (isIP(literal) !== 0 && !mayReach(literal, allow)) throw new NotReachable(NOT_PUBLIC)
  const options: RequestOptions = {
    method: 'POST',
    // A connection of its own: one that is kept open was checked for another call.
    agent: false,
    lookup,
    signal,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
  }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const request = url.protocol === 'https:' ? overHttps(url, options) : overHttp(url, options)
  let isAnswered = false
  request.on('response', (response) => {
    isAnswered = true
    void read(response).then(resolve)
  })
  request.on('error', (error) => isAnswered || reject(error))
  request.on('close', () => isAnswered || reject(new NotReachable('the connection was closed without an answer')))
  request.end(body)
  return promise
}

/** The status is the answer: whatever becomes of the rest cannot change it. */
async function read(response: IncomingMessage): Promise<Answer> {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length
      if (bytes > ANSWER_BYTES_MAX) break
    }
  } catch {
    response.destroy()
  }
  return { status: response.statusCode!, retryAfterSeconds: retryAfter(response.headers['retry-after']) }
}

/** Only as seconds (RFC 9110, 10.2.3): a date would be by the other side's clock. */
const retryAfter = (text = ''): number => (/^\d{1,9}$/.test(text) ? Math.min(Number(text), RETRY_AFTER_SECONDS_MAX) : 0)

function checkedLookup(resolve: Resolve, allow: readonly string[]): LookupFunction {
  async function checked(hostname: string): Promise<LookupAddress[]> {
    const all = await resolve(hostname)
    if (all.length === 0) throw new NotReachable('the name has no address')
    // One that is public beside one that is not is how an attacker has the second one tried.
    if (!all.every(({ address }) => mayReach(address, allow))) throw new NotReachable(NOT_PUBLIC)
    return [...all]
  }
  return (hostname, { all: wantsAll }, tell) => {
    checked(hostname).then(
      (all) => (wantsAll ? tell(null, all) : tell(null, all[0]!.address, all[0]!.family)),
      (error: NodeJS.ErrnoException) => tell(error, ''),
    )
  }
}

/** Of the name servers alone, and not by getaddrinfo: that one takes a thread for as long as a name server is silent. */
const byDns: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  const found = (asked: PromiseSettledResult<string[]>, family: number) =>
    asked.status === 'rejected' ? [] : asked.value.map((address) => ({ address, family }))
  return [...found(four, 4), ...found(six, 6)]
}

/** Words of our own and codes of Node's: messages may repeat what the other side said. */
function reasonOf(error: unknown): string {
  if (error instanceof NotReachable) return error.message
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'the connection failed'
}
