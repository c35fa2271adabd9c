/**
 * Turns a declared route into its request handler. The order is fixed: gate, path, query, body,
 * handler, reply.
 */
import type { Context } from 'koa'
import type { UnitOutcome } from '../commands/command-runner.ts'
import { Rejection } from '../lib/rejection.ts'
import type { Gate } from './gate.ts'
import { handlerContextOf } from './handler-context.ts'
import type { HandlerContextDependencies } from './handler-context.ts'
import { runIdempotently } from './idempotency.ts'
import type { IdempotencyDependencies } from './idempotency.ts'
import { inputParserOf } from './input.ts'
import { isNotYetInEffect, positionHeader, readYourWrites } from './read-your-writes.ts'
import { etagOf } from './record-version.ts'
import { outgoingResponse } from './reply.ts'
import type { OutgoingResponse } from './reply.ts'
import type { RequestContext } from './request-context.ts'
import type { Caller, HandlerContext, Route } from './route.ts'

export interface EndpointDependencies extends HandlerContextDependencies, IdempotencyDependencies {
  readonly gate: Gate
}

const AUTHORIZATION_HOLDS_MS = 1_000

export type Endpoint = (
  ctx: Context,
  exchange: RequestContext,
  params: Record<string, string>,
) => Promise<OutgoingResponse>

/**
 * @throws Error at start if the input schema is not closed, or if a public route declares a permission
 * or a rule
 */
export function endpoint(route: Route, parts: EndpointDependencies): Endpoint {
  if (route.access.kinds.length === 0 && route.access.permission !== undefined)
    throw new Error(`${route.line} is public and declares a permission: remove the permission or restrict the access`)
  if (route.access.kinds.length === 0 && route.access.rule)
    throw new Error(`${route.line} is public and declares a rule`)
  if (!parts.gate.hasSchemeFor(route.access))
    throw new Error(`No authentication scheme is configured for ${route.line}`)
  if (route.access.kinds.length === 0 && route.stepUp)
    throw new Error(`${route.line} is public and requires a proof of identity`)
  const input = inputParserOf(route)
  return async (ctx, exchange, rawParams) => {
    exchange.line = route.line
    exchange.isQuiet = route.isQuiet === true
    const come = () =>
      parts.gate.authorize(route.access, exchange.requestHead, (caller) => void (exchange.caller = caller))
    await come()
    const enteredMs = performance.now()
    const params = input.params(rawParams)
    const query = input.query(ctx.querystring)
    const { rule } = route.access
    let ruleResult: unknown
    const ask = async () => {
      const { caller, requestHead } = exchange
      if (rule && caller) ruleResult = await rule({ caller, params, query, read: parts.read, now: requestHead.now })
      if (route.stepUp) requireRecentProof(route, caller)
    }
    const enter = async () => {
      await come()
      await ask()
    }
    await ask()
    const body = await input.body(ctx.req, exchange.requestHead.request)
    // Reading a body may take seconds. Access is checked again, so that a credential revoked meanwhile
    // is rejected.
    const isStale = performance.now() - enteredMs > AUTHORIZATION_HOLDS_MS
    if (isStale && route.access.scheme === undefined) await enter()
    const parsed = { params, query, body }
    const call = handlerContextOf(parts, exchange, ctx.req, {
      ...parsed,
      upload: route.upload,
      version: route.method === 'GET' ? undefined : route.version,
      enter,
      ruleResult: () => ruleResult,
    })
    const asked = { route, exchange, parsed, keys: ctx.req.headersDistinct['idempotency-key'] }
    const { guard, showAgain } = route
    const handle = async () => {
      const result = await runHandler(route, call, () =>
        readYourWrites(exchange.recorded.filter(isStrict), parts.waitUntilCaughtUp),
      )
      const response = outgoingResponse(route, result)
      if (route.version === undefined || route.method !== 'GET') return response
      const etag = await etagOf(route.version, parts.vault, result)
      return { ...response, headers: { ETag: etag, ...response.headers } }
    }
    await guard?.(call)
    const { ready, recorded } = await runIdempotently(parts, asked, {
      handle,
      ...(showAgain && {
        replay: async (kept) => outgoingResponse(route, { ...kept, ...(await showAgain(call, kept)) }),
      }),
    })
    const lag = await readYourWrites(recorded, parts.waitUntilCaughtUp)
    return { ...ready, headers: { ...positionHeader(recorded), ...lag, ...ready.headers } }
  }
}

/** @throws Error for a kind of caller that cannot prove its identity, which is a bug of the route */
function requireRecentProof({ line }: Route, caller: Caller | undefined): void {
  if (!caller?.requireRecentProof) throw new Error(`${line} requires a proof that ${caller?.kind} cannot give`)
  caller.requireRecentProof()
}

const isStrict = ({ strict }: UnitOutcome): boolean => strict

/**
 * A rejected request may have recorded a revocation, for example of a stolen session. The response
 * waits until it holds, if the route has not waited in vain.
 */
async function runHandler(route: Route, call: HandlerContext, takenAway: () => Promise<unknown>): Promise<unknown> {
  try {
    return await route.handle(call)
  } catch (error) {
    if (error instanceof Rejection && !isNotYetInEffect(error)) await takenAway()
    throw error
  }
}
