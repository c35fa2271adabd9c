/** Writes responses: JSON as the schema declares it, text, a stream, or no body. */
import type { Context } from 'koa'
import { z } from 'zod'
import { CachedRepresentation } from './cached-representation.ts'
import { Answer, NOT_MODIFIED, isCachedReply } from './route.ts'
import type { Route, TextReply } from './route.ts'
import { streamPieces } from './sse.ts'
import type { StreamOptions } from './sse.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A status, headers and a body that can be written as they are. */
export interface OutgoingResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Absent: no body. */
  readonly body?: string | Buffer | CachedRepresentation | AsyncIterable<string | Uint8Array>
  /** The body continues until the client disconnects. */
  readonly isLive?: true
}

/** Disables buffering in proxies; X-Accel-Buffering is nginx's header. */
const LIVE_HEADERS = { 'X-Accel-Buffering': 'no', 'Cache-Control': 'no-store, no-transform' }

/** @throws Error if the handler's answer is not declared by its route, which is a bug */
export function outgoingResponse(route: Route, result: unknown): OutgoingResponse {
  const given = result instanceof Answer ? result : new Answer(result)
  const status = given.status ?? route.statuses[0]!
  if (!route.statuses.includes(status))
    throw new Error(`${route.line} returned the status ${status}, which it does not declare`)
  const { reply } = route
  const isCached = given.body instanceof CachedRepresentation
  if (isCached ? reply === undefined || reply instanceof z.ZodType : isCachedReply(reply))
    throw new Error(`${route.line} must return a CachedRepresentation for a cached reply, and none for JSON`)
  if (reply === undefined || (given.body === undefined && isBodiless(status))) return { status, headers: given.headers }
  return reply instanceof z.ZodType
    ? {
        status,
        headers: { 'Content-Type': JSON_TYPE, ...given.headers },
        body: JSON.stringify(parseReply(route, reply, given.body)),
      }
    : {
        status,
        ...withLiveHeaders(reply, withContentType(route, reply, given.headers)),
        body: given.body as NonNullable<OutgoingResponse['body']>,
      }
}

const withLiveHeaders = (
  reply: TextReply,
  headers: OutgoingResponse['headers'],
): Pick<OutgoingResponse, 'headers' | 'isLive'> =>
  'isLive' in reply ? { headers: { ...LIVE_HEADERS, ...headers }, isLive: true } : { headers }

export const isBodiless = (status: number): boolean => status === 204 || (status >= 300 && status < 400)

/** Parsing drops every field that the reply does not declare, so undeclared data cannot leak. */
function parseReply(route: Route, reply: z.ZodType, body: unknown): unknown {
  const parsed = reply.safeParse(body)
  if (parsed.success) return parsed.data
  throw new Error(`${route.line} returned a body that does not match its reply schema`, { cause: parsed.error })
}

function withContentType(
  route: Route,
  reply: TextReply,
  headers: OutgoingResponse['headers'],
): OutgoingResponse['headers'] {
  const given = headers['Content-Type'] ?? reply.contentTypes[0]!
  if (!reply.contentTypes.includes(String(given)))
    throw new Error(`${route.line} returned a content type that it does not declare`)
  if ('isBytes' in reply) return { ...headers, 'Content-Type': given }
  return { ...headers, 'Content-Type': /charset=/.test(String(given)) ? given : `${String(given)}; charset=utf-8` }
}

/** Whether the whole body is in memory before its first byte is sent. */
export const isBuffered = ({ body }: OutgoingResponse): boolean =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body) || body instanceof CachedRepresentation

/**
 * Koa writes “Accepted” as the body of a 202 without one; a null body, set before the status, prevents
 * it.
 * @param stalledMs how long a client may read nothing of a stream
 */
export async function send(ctx: Context, outgoing: OutgoingResponse, stalledMs?: number): Promise<void> {
  const { status, headers, body, isLive } = await selectRepresentation(ctx, outgoing)
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    if (body === undefined) ctx.body = null
    ctx.status = status
    for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
    if (body !== undefined) ctx.body = body
    return
  }
  await stream(ctx, { status, headers, body }, isLive ? {} : { isLive: false, stalledMs })
}

/**
 * Selects the representation of a cached reply for this client. By default it may be stored but must be
 * revalidated.
 */
async function selectRepresentation({ req }: Context, outgoing: OutgoingResponse): Promise<SelectedResponse> {
  const { status, headers, body, isLive } = outgoing
  if (!(body instanceof CachedRepresentation)) return { status, headers, body, isLive }
  const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = req.headers
  const { bytes, headers: own } = await body.representationFor({
    acceptEncoding: acceptEncoding?.toString(),
    ifNoneMatch,
  })
  return {
    status: bytes ? status : NOT_MODIFIED,
    headers: {
      'Cache-Control': 'no-cache',
      ...headers,
      ...own,
      Vary: [headers['Vary'] ?? [], own['Vary']!].flat().join(', '),
    },
    body: bytes,
  }
}

interface SelectedResponse extends Pick<OutgoingResponse, 'status' | 'headers'> {
  readonly body: Exclude<OutgoingResponse['body'], CachedRepresentation>
  readonly isLive?: true | undefined
}

/**
 * The first piece is awaited before the headers are sent: an immediate failure is still answered as an
 * error.
 */
async function stream(
  ctx: Context,
  { status, headers, body }: Pick<OutgoingResponse, 'status' | 'headers' | 'body'>,
  pouring: StreamOptions,
): Promise<void> {
  const pieces = (body as AsyncIterable<string | Uint8Array>)[Symbol.asyncIterator]()
  const first = ctx.method === 'HEAD' ? { done: true as const, value: undefined } : await pieces.next()
  ctx.respond = false
  ctx.res.statusCode = status
  for (const [name, value] of Object.entries(headers)) ctx.res.setHeader(name, value)
  if (!first.done) return streamPieces(withFirstPiece(first.value, pieces), ctx.res, pouring)
  await pieces.return?.()
  ctx.res.end()
}

async function* withFirstPiece<Piece>(first: Piece, rest: AsyncIterator<Piece>): AsyncGenerator<Piece> {
  try {
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
