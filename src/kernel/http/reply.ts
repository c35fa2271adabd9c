/** How an answer leaves: JSON as its schema declares it, a text, a stream, or nothing. */
import type { Context } from 'koa'
import { z } from 'zod'
import { Kept } from './cached-representation.ts'
import { Answer, NOT_MODIFIED, isKeptReply } from './route.ts'
import type { Route, TextReply } from './route.ts'
import { pour } from './sse.ts'
import type { PouringOptions } from './sse.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A status, headers and a body that is ready to be written. */
export interface Outgoing {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Absent: no body at all. */
  readonly body?: string | Buffer | Kept | AsyncIterable<string | Uint8Array>
  /** The body goes on for as long as somebody takes it. */
  readonly isLive?: true
}

/** Asks whoever passes it on to keep nothing back; the first is nginx's. */
const LIVE_HEADERS = { 'X-Accel-Buffering': 'no', 'Cache-Control': 'no-store, no-transform' }

/** @throws when the handler answers what its route does not declare, which is a bug. */
export function outgoing(route: Route, result: unknown): Outgoing {
  const given = result instanceof Answer ? result : new Answer(result)
  const status = given.status ?? route.statuses[0]!
  if (!route.statuses.includes(status)) throw new Error(`${route.line} answers ${status}, which it does not declare`)
  const { reply } = route
  if (given.body instanceof Kept !== isKeptReply(reply))
    throw new Error(`${route.line} declares an answer that is kept and gives none, or the other way round`)
  if (reply === undefined || (given.body === undefined && isBodiless(status))) return { status, headers: given.headers }
  return reply instanceof z.ZodType
    ? {
        status,
        headers: { 'Content-Type': JSON_TYPE, ...given.headers },
        body: JSON.stringify(declared(route, reply, given.body)),
      }
    : { status, ...sent(reply, typed(route, reply, given.headers)), body: given.body as NonNullable<Outgoing['body']> }
}

const sent = (reply: TextReply, headers: Outgoing['headers']): Pick<Outgoing, 'headers' | 'isLive'> =>
  'isLive' in reply ? { headers: { ...LIVE_HEADERS, ...headers }, isLive: true } : { headers }

export const isBodiless = (status: number): boolean => status === 204 || (status >= 300 && status < 400)

/** Parsing drops every field that the reply does not declare, so nothing can leave by mistake. */
function declared(route: Route, reply: z.ZodType, body: unknown): unknown {
  const parsed = reply.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Error(`${route.line} answers what it does not declare`, { cause: parsed.error })
}

function typed(route: Route, reply: TextReply, headers: Outgoing['headers']): Outgoing['headers'] {
  const given = headers['Content-Type'] ?? reply.contentTypes[0]!
  if (!reply.contentTypes.includes(String(given)))
    throw new Error(`${route.line} answers a type that it does not declare`)
  if ('isBytes' in reply) return { ...headers, 'Content-Type': given }
  return { ...headers, 'Content-Type': /charset=/.test(String(given)) ? given : `${String(given)}; charset=utf-8` }
}

/** Whether all of the body is there before its first byte leaves. */
export const isWhole = ({ body }: Outgoing): boolean =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Kept

/**
 * Koa would write “Accepted” below a 202 without a body; null, set before the status, says that there is none.
 * @param stalledMs for how long a client may take nothing of a stream
 */
export async function send(ctx: Context, outgoing: Outgoing, stalledMs?: number): Promise<void> {
  const { status, headers, body, isLive } = await represented(ctx, outgoing)
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    ctx.body = null
    ctx.status = status
    for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
    if (body !== undefined) ctx.body = typeof body === 'string' ? Buffer.from(body) : body
    return
  }
  await stream(ctx, { status, headers, body }, isLive ? {} : { isLive: false, stalledMs })
}

/** What is kept, as this client wants it. Without more being said, it may be stored, and is asked for each time. */
async function represented({ req }: Context, outgoing: Outgoing): Promise<Represented> {
  const { status, headers, body, isLive } = outgoing
  if (!(body instanceof Kept)) return { status, headers, body, isLive }
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = req.headers
  const { bytes, headers: own } = await body.as({ acceptEncoding: acceptEncoding?.toString(), ifNoneMatch })
  return {
    status: bytes ? status : NOT_MODIFIED,
    headers: { 'Cache-Control': 'no-cache', ...headers, ...own },
    body: bytes,
  }
}

interface Represented extends Pick<Outgoing, 'status' | 'headers'> {
  readonly body: Exclude<Outgoing['body'], Kept>
  readonly isLive?: true | undefined
}

/** The first piece is awaited before the head goes out: what fails at once is still answered as an error. */
async function stream(
  ctx: Context,
  { status, headers, body }: Pick<Outgoing, 'status' | 'headers' | 'body'>,
  pouring: PouringOptions,
): Promise<void> {
  const pieces = (body as AsyncIterable<string | Uint8Array>)[Symbol.asyncIterator]()
  const first = ctx.method === 'HEAD' ? { done: true as const, value: undefined } : await pieces.next()
  ctx.respond = false
  ctx.res.statusCode = status
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, value)
  if (!first.done) return pour(resumed(first.value, pieces), ctx.res, pouring)
  await pieces.return?.()
  ctx.res.end()
}

async function* resumed<Piece>(first: Piece, rest: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
