/** Assembles the HTTP server of a service from its routes. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import type { Context, Next } from 'koa'
import type { Logger } from 'pino'
import { sourceAddress } from '../credentials/source-address.ts'
import type { TrustedProxies } from '../credentials/source-address.ts'
import type { Clock } from '../lib/clock.ts'
import { Rejection, found, reject } from '../lib/rejection.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { AbortOnClose } from './abort-on-close.ts'
import { RequestAborted, announcesBody, discardRest } from './body-reader.ts'
import { defaultHeaders } from './default-headers.ts'
import { endpoint } from './endpoint.ts'
import type { EndpointDependencies } from './endpoint.ts'
import { errorResponseOf, toOutgoingResponse } from './error-response.ts'
import { gate } from './gate.ts'
import type { Gate, AuthenticationScheme } from './gate.ts'
import { incomingRequest } from './incoming-request.ts'
import { LoadLimiter, RequestSlots } from './limits/load.ts'
import { listener } from './listener.ts'
import type { Listener } from './listener.ts'
import { withDocumentation } from './openapi/docs-routes.ts'
import type { Docs } from './openapi/openapi.ts'
import { positionHeader } from './read-your-writes.ts'
import { isBuffered, send } from './reply.ts'
import { clientRequestId } from './request-context.ts'
import type { RequestContext } from './request-context.ts'
import { isPlainPath, refuseAmbiguous } from './request-smuggling-guard.ts'
import { indexRoutes } from './route-index.ts'
import type { Authenticate, Route } from './route.ts'

export interface HttpLimits {
  /** Failed authentications per minute and address. Default 300. */
  readonly failuresPerMinute?: number
}

/** Called for every response and every append; for metrics. */
export interface HttpObserver {
  onAnswered(line: string | undefined, status: number, seconds: number): void
  onAppended(types: readonly string[]): void
}

export interface HttpServerDependencies extends Omit<EndpointDependencies, 'gate'> {
  readonly routes: readonly Route[]
  readonly authenticate: Authenticate
  /** Authentication schemes besides the Authorization header, by the names that routes use. */
  readonly authenticationSchemes?: Readonly<Record<string, AuthenticationScheme>>
  readonly clock: Clock
  readonly trustedProxies: TrustedProxies
  readonly logger: Logger
  readonly limits?: HttpLimits
  /** The load limits of the process. Default: a new limiter with the default limits. */
  readonly load?: LoadLimiter
  readonly observer?: HttpObserver
  /** Adds GET /api/openapi.json and GET /api/docs. */
  readonly docs?: Docs
  /** Called before the server closes, so that readiness reports failing. */
  readonly onClosing?: () => void
}

export interface HttpServer {
  /** @param port 0 selects a free port */
  listen(port: number, host: string): Promise<{ port: number }>
  /** Waits until all responses are sent, at most `graceMs`. */
  close(graceMs: number): Promise<void>
  readonly callback: RequestListener
}

/** @throws Error for two routes with the same line, and for a route whose input accepts undeclared fields */
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

/**
 * Each route is registered alone, without prefixes and router-level guards, which a router may skip
 * (CVE-2026-9495).
 */
function routerOf(routes: readonly Route[], parts: EndpointDependencies): Router {
  const router = new Router({ sensitive: true, strict: true })
  const lines = new Set<string>()
  for (const route of routes) {
    if (lines.has(route.line)) throw new Error(`Two routes have the line ${route.line}`)
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
  indexRoutes(router)
  return router
}

/**
 * An authenticated caller gets 405 with the allowed methods. Other callers get 404, so that they cannot
 * discover paths.
 */
function refuseUnknownRoute(door: Gate) {
  return async (ctx: Context): Promise<void> => {
    const layers = (ctx['matched'] ?? []) as { methods: string[] }[]
    const known = layers.length > 0 && (await door.identify((ctx.state['exchange'] as RequestContext).requestHead))
    if (!known) return found(undefined)
    const Allow = [...new Set(layers.flatMap(({ methods }) => methods))].sort().join(', ')
    reject('methodNotAllowed', `This path does not allow ${ctx.method}`, 'METHOD_NOT_ALLOWED', { Allow })
  }
}

/** The outermost middleware: sets the headers of every response and converts every error into a response. */
function requestHandler(
  parts: HttpServerDependencies,
  usual: Readonly<Record<string, string>>,
  endings: AbortOnClose,
  sockets: Listener,
) {
  const load = parts.load ?? new LoadLimiter()
  const usualHeaders = new Map(Object.entries(usual))
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
    ctx.res.setHeaders(usualHeaders)
    ctx.res.setHeader('X-Request-Id', exchange.requestId)
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
 * Behind a proxy that TRUSTED_PROXIES does not name, all callers share the proxy's address, and so its
 * failure limit. Any client can send the header, so the warning is logged once and has no other effect.
 */
function untrustedProxyWarning({ logger }: HttpServerDependencies) {
  let isSaid = false
  return ({ headers, socket }: IncomingMessage, { requestHead }: RequestContext): void => {
    if (isSaid || headers['x-forwarded-for'] === undefined) return
    if (requestHead.ip === undefined || !isSameAddress(requestHead.ip, socket.remoteAddress)) return
    isSaid = true
    logger.warn('X-Forwarded-For is ignored: it comes from an address that is not in TRUSTED_PROXIES')
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
  // A 401 does not reveal whether events were appended: its headers are always the same.
  if (refusal.statusCode !== 401) ctx.set(positionHeader(exchange.recorded))
  await send(ctx, toOutgoingResponse(refusal))
}

/** A rejection is part of the request's log line. Only a cause behind it needs a line of its own. */
function logError(error: unknown, { requestId }: RequestContext, logger: Logger): void {
  if (!(error instanceof Rejection)) logger.error({ requestId, err: error }, 'request failed')
  else if (error.cause !== undefined) logger.warn({ requestId, err: error }, 'request refused')
}

/**
 * Logs one line per request. It contains no path, query, header, body or address: the route and the
 * actor identify it.
 */
function logRequest(
  { req, res }: Context,
  exchange: RequestContext,
  { logger, observer }: HttpServerDependencies,
): void {
  const ms = performance.now() - exchange.startedMs
  const { requestId, clientRequestId: client, line, caller, code, recorded, isLive = false, lastStatus } = exchange
  const { isQuiet = false } = exchange
  const status = lastStatus ?? (res.writableFinished || (isLive && res.headersSent) ? res.statusCode : 499)
  const write = isQuiet && status < 400 ? logger.debug : logger.info
  write.call(
    logger,
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
