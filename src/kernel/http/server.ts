/** A service's HTTP side, whole: from its routes to a port that answers. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import type { Context, Next } from 'koa'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../lib/clock.ts'
import { sourceAddress } from '../credentials/source-address.ts'
import type { TrustedProxies } from '../credentials/source-address.ts'
import { Rejection, found, reject } from '../lib/rejection.ts'
import { RequestAborted, announcesBody, discardRest } from './body-reader.ts'
import { withDocumentation } from './openapi/docs-routes.ts'
import { endpoint } from './endpoint.ts'
import type { EndpointDependencies } from './endpoint.ts'
import { AbortOnClose } from './abort-on-close.ts'
import { incomingRequest } from './incoming-request.ts'
import { clientRequestId } from './request-context.ts'
import type { RequestContext } from './request-context.ts'
import { isPlainPath, refuseAmbiguous } from './request-smuggling-guard.ts'
import { gate } from './gate.ts'
import type { Gate, AuthenticationScheme } from './gate.ts'
import { defaultHeaders } from './default-headers.ts'
import { positionHeader } from './read-your-writes.ts'
import { listener } from './listener.ts'
import type { Listener } from './listener.ts'
import { LoadLimiter, RequestSlots } from './limits/load.ts'
import type { Docs } from './openapi/openapi.ts'
import { errorResponseOf, toOutgoingResponse } from './error-response.ts'
import { isBuffered, send } from './reply.ts'
import type { Authenticate, Route } from './route.ts'

export interface HttpLimits {
  /** Failed authentications per minute and address. Default 300. */
  readonly failuresPerMinute?: number
}

/** Hears of every answer and every append; for metrics. */
export interface HttpObserver {
  onAnswered(line: string | undefined, status: number, seconds: number): void
  onAppended(types: readonly string[]): void
}

export interface HttpServerDependencies extends Omit<EndpointDependencies, 'gate'> {
  readonly routes: readonly Route[]
  readonly authenticate: Authenticate
  /** Ways in besides the header Authorization, by the names that routes call them by. */
  readonly authenticationSchemes?: Readonly<Record<string, AuthenticationScheme>>
  readonly clock: Clock
  readonly trustedProxies: TrustedProxies
  readonly logger: Logger
  readonly limits?: HttpLimits
  /** What the process has in hand. Default: one of its own, with the usual limits. */
  readonly load?: LoadLimiter
  readonly observer?: HttpObserver
  /** Adds GET /api/openapi.json and GET /api/docs. */
  readonly docs?: Docs
  /** Told first when the server is about to close, so that readiness can turn callers away. */
  readonly onClosing?: () => void
}

export interface HttpServer {
  /** Port 0 takes any free one. */
  listen(port: number, host: string): Promise<{ port: number }>
  /** Ends no answer before it is out or `graceMs` are over. */
  close(graceMs: number): Promise<void>
  readonly callback: RequestListener
}

/** @throws Error for two routes of one line, and for a route whose input would let unknown fields through. */
export function httpServer(parts: HttpServerDependencies): HttpServer {
  const usual = defaultHeaders(parts.baseUrl)
  const failures = { perMinute: parts.limits?.failuresPerMinute }
  const limit = failures.perMinute === undefined ? {} : { perMinute: failures.perMinute }
  const door = gate(parts.authenticate, limit, parts.authenticationSchemes)
  const routes = parts.docs ? withDocumentation(parts.routes, parts.docs, parts.baseUrl) : parts.routes
  const router = routerOf(routes, { ...parts, gate: door })
  const app = new Koa()
  app.silent = true
  const sockets = listener((request, response) => void callback(request, response), usual)
  const endings = new AbortOnClose()
  app.use(requestHandler(parts, usual, endings, sockets))
  app.use(router.routes())
  app.use(refuseUnknownRoute(door))
  const callback = app.callback()
  return {
    callback,
    listen: (port, host) => sockets.listen(port, host),
    close: (graceMs) => {
      parts.onClosing?.()
      endings.abortAll()
      return sockets.close(graceMs)
    },
  }
}

/** Every route stands alone: no prefixes and no router-level guards, which a router may drop (CVE-2026-9495). */
function routerOf(routes: readonly Route[], parts: EndpointDependencies): Router {
  const router = new Router({ sensitive: true, strict: true })
  const lines = new Set<string>()
  for (const route of routes.toSorted(fixedPathsFirst)) {
    if (lines.has(route.line)) throw new Error(`Two routes are called ${route.line}`)
    lines.add(route.line)
    const answer = endpoint(route, parts)
    router.register(route.path, [route.method], async (ctx: Context) => {
      const exchange = ctx.state['exchange'] as RequestContext
      const outgoing = await answer(ctx, exchange, ctx['params'] as Record<string, string>)
      exchange.isLive = outgoing.isLive === true
      if (exchange.isLive) exchange.slots.pause()
      else exchange.slots.startResponse(ctx.res, isBuffered(outgoing))
      await send(ctx, outgoing, exchange.slots.patienceMs)
    })
  }
  return router
}

/** `/plans/current` before `/plans/:id`, in whatever order they were declared. */
function fixedPathsFirst(one: Route, other: Route): number {
  return rank(one) < rank(other) ? -1 : 1
}

const rank = ({ path }: Route): string => path.replaceAll(/:\w+/g, '\uFFFF')

/** Whoever is known learns which methods there are; strangers learn nothing, not even that the path exists. */
function refuseUnknownRoute(door: Gate) {
  return async (ctx: Context): Promise<void> => {
    const layers = (ctx['matched'] ?? []) as { methods: string[] }[]
    const known = layers.length > 0 && (await door.identify((ctx.state['exchange'] as RequestContext).requestHead))
    if (!known) return found(undefined)
    const Allow = [...new Set(layers.flatMap(({ methods }) => methods))].sort().join(', ')
    reject('methodNotAllowed', `${ctx.method} is not allowed here`, 'METHOD_NOT_ALLOWED', { Allow })
  }
}

/** The outermost step: what every answer has, and what becomes of everything that is thrown. */
function requestHandler(
  parts: HttpServerDependencies,
  usual: Readonly<Record<string, string>>,
  endings: AbortOnClose,
  sockets: Listener,
) {
  const load = parts.load ?? new LoadLimiter()
  const warn = untrustedProxyWarning(parts)
  const evenWhenFull = new Set(parts.routes.filter((route) => route.evenWhenFull).map(({ path }) => path))

  return async (ctx: Context, next: Next): Promise<void> => {
    const ip = addressOf(ctx.req, parts)
    const stay = new RequestSlots(load, ip, evenWhenFull.has(ctx.path))
    const exchange: RequestContext = requestContextOf(ctx.req, parts, {
      ip,
      slots: stay,
      abortSignal: () => endings.signalFor(ctx.res),
    })
    warn(ctx.req, exchange)
    ctx.state['exchange'] = exchange
    ctx.res.once('close', () => {
      stay.end()
      logRequest(ctx, exchange, parts)
    })
    ctx.set({ ...usual, 'X-Request-Id': exchange.requestId })
    try {
      refuseAmbiguous(ctx.req)
      stay.begin()
      if (!isPlainPath(ctx.path)) found(undefined)
      await next()
    } catch (error) {
      await respondWithError(ctx, error, { exchange, logger: parts.logger, sockets })
    }
    if (ctx.res.headersSent || exchange.lastStatus !== undefined) return
    if (sockets.isClosing) ctx.set('Connection', 'close')
    if (!announcesBody(ctx.req) || ctx.req.complete) return
    discardRest(ctx.req)
    stay.limitDiscard(ctx.req)
  }
}

/**
 * Behind a proxy that nobody named, every caller has the proxy's address: one stranger's failures then count against all of them.
 * Anybody can send the header, so it is only said once, and nothing follows from it.
 */
function untrustedProxyWarning({ logger }: HttpServerDependencies) {
  let isSaid = false
  return ({ headers, socket }: IncomingMessage, { requestHead }: RequestContext): void => {
    if (isSaid || headers['x-forwarded-for'] === undefined) return
    if (requestHead.ip === undefined || !isSameAddress(requestHead.ip, socket.remoteAddress)) return
    isSaid = true
    logger.warn('X-Forwarded-For comes from an address that is not in TRUSTED_PROXIES and is not believed')
  }
}

const isSameAddress = (ip: string, peer = ''): boolean => peer === ip || peer === `::ffff:${ip}`

function requestContextOf(
  request: IncomingMessage,
  { clock, logger }: HttpServerDependencies,
  { ip, slots, abortSignal }: Pick<RequestContext, 'slots' | 'abortSignal'> & { readonly ip: string | undefined },
): RequestContext {
  const { authorization = [] } = request.headersDistinct
  const requestId = uuidv7()
  return {
    requestId,
    clientRequestId: clientRequestId(request),
    startedMs: performance.now(),
    requestHead: { authorization, ip, now: clock.now(), request: incomingRequest(request, slots) },
    recorded: [],
    warn: (about, message) => logger.warn({ requestId, ...about }, message),
    slots,
    abortSignal,
  }
}

function addressOf(
  { headersDistinct, socket }: IncomingMessage,
  { trustedProxies }: HttpServerDependencies,
): string | undefined {
  return sourceAddress({ peer: socket.remoteAddress, forwardedFor: headersDistinct['x-forwarded-for'] }, trustedProxies)
}

interface ErrorHandling {
  readonly exchange: RequestContext
  readonly logger: Logger
  readonly sockets: Listener
}

async function respondWithError(
  ctx: Context,
  error: unknown,
  { exchange, logger, sockets }: ErrorHandling,
): Promise<void> {
  if (error instanceof RequestAborted || ctx.res.destroyed) return void ctx.res.destroy()
  const refusal = errorResponseOf(error)
  exchange.code = refusal.code
  logError(error, exchange, logger)
  if (ctx.res.headersSent) return void ctx.res.destroy()
  exchange.slots.startResponse(ctx.res, true)
  if (refusal.headers['Connection'] === 'close' && !ctx.req.complete) {
    ctx.respond = false
    exchange.lastStatus = refusal.statusCode
    return sockets.answerAndClose(ctx.req.socket, refusal, exchange.requestId)
  }
  ctx.respond = true
  // Whoever is not let in learns nothing of what was written about it: the same 401, the same headers.
  if (refusal.statusCode !== 401) ctx.set(positionHeader(exchange.recorded))
  await send(ctx, toOutgoingResponse(refusal))
}

/** A refusal that was meant needs no line of its own, only what went wrong behind it. */
function logError(error: unknown, { requestId }: RequestContext, logger: Logger): void {
  if (!(error instanceof Rejection)) logger.error({ requestId, err: error }, 'request failed')
  else if (error.cause !== undefined) logger.warn({ requestId, err: error }, 'request refused')
}

/** One line per request. No path, query, header, body or address: the route says what was asked, the actor who asked. */
function logRequest(
  { req, res }: Context,
  exchange: RequestContext,
  { logger, observer }: HttpServerDependencies,
): void {
  const ms = performance.now() - exchange.startedMs
  const { requestId, clientRequestId: client, line, caller, code, recorded, isLive = false, lastStatus } = exchange
  const status = lastStatus ?? (res.writableFinished || isLive ? res.statusCode : 499)
  logger.info(
    {
      requestId,
      ...(client === undefined ? {} : { clientRequestId: client }),
      method: req.method,
      route: line,
      status,
      ms: Math.round(ms * 10) / 10,
      ...(code === undefined ? {} : { code }),
      ...(caller ? { caller: caller.kind, actor: caller.actor.id } : {}),
    },
    'request',
  )
  observer?.onAnswered(line, status, ms / 1000)
  for (const { types } of recorded) observer?.onAppended(types)
}
