/** From one declared route to the work of one request, always in the same order: gate, path, query, body, handler, reply. */
import type { Context } from 'koa'
import type { Recorded } from '../commands/command-runner.ts'
import { Rejection } from '../lib/rejection.ts'
import { callOf } from './handler-context.ts'
import type { CallParts } from './handler-context.ts'
import type { Exchange } from './request-context.ts'
import type { Gate } from './gate.ts'
import { idempotently } from './idempotency.ts'
import type { IdempotencyParts } from './idempotency.ts'
import { inEffect, positionHeader } from './read-your-writes.ts'
import { inputOf } from './input.ts'
import { outgoing } from './reply.ts'
import type { Outgoing } from './reply.ts'
import type { Call, Route } from './route.ts'

export interface EndpointParts extends CallParts, IdempotencyParts {
  readonly gate: Gate
}

const ENTRY_HOLDS_MS = 1_000

export type Endpoint = (ctx: Context, exchange: Exchange, params: Record<string, string>) => Promise<Outgoing>

/** @throws Error at start for a route whose input is open, or that names a permission but lets everybody in. */
export function endpoint(route: Route, parts: EndpointParts): Endpoint {
  if (route.access.kinds.length === 0 && route.access.permission !== undefined)
    throw new Error(`${route.line} asks everybody for a permission`)
  if (route.access.kinds.length === 0 && route.access.rule) throw new Error(`${route.line} has a rule for nobody`)
  if (!parts.gate.leadsTo(route.access)) throw new Error(`There is no way in to ${route.line}`)
  const input = inputOf(route)
  return async (ctx, exchange, rawParams) => {
    exchange.line = route.line
    const come = () => parts.gate.enter(route.access, exchange.arrival, (caller) => void (exchange.caller = caller))
    await come()
    const enteredMs = performance.now()
    const params = input.params(rawParams)
    const query = input.query(ctx.querystring)
    const { rule } = route.access
    const ask = async () => {
      const { caller, arrival } = exchange
      if (rule && caller) await rule({ caller, params, query, read: parts.read, now: arrival.now })
    }
    const enter = async () => {
      await come()
      await ask()
    }
    await ask()
    const body = await input.body(ctx.req, exchange.arrival.request)
    // A body may take some seconds: a credential that was revoked in the meantime must not keep a foot in the door.
    const isStale = performance.now() - enteredMs > ENTRY_HOLDS_MS
    if (isStale && route.access.by === undefined) await enter()
    const parsed = { params, query, body }
    const call = callOf(parts, exchange, ctx.req, { ...parsed, upload: route.upload, enter })
    const asked = { route, exchange, parsed, keys: ctx.req.headersDistinct['idempotency-key'] }
    const { guard, showAgain } = route
    await guard?.(call)
    const { ready, recorded } = await idempotently(parts, asked, {
      does: async () =>
        outgoing(route, await handled(route, call, () => inEffect(exchange.recorded.filter(isStrict), parts.caughtUp))),
      ...(showAgain && {
        showsAgain: async (kept) => outgoing(route, { ...kept, ...(await showAgain(call, kept)) }),
      }),
    })
    const lag = await inEffect(recorded, parts.caughtUp)
    return { ...ready, headers: { ...positionHeader(recorded), ...lag, ...ready.headers } }
  }
}

const isStrict = ({ strict }: Recorded): boolean => strict

/** A refusal, too, may have taken something away (a stolen session), and is only said once that holds. */
async function handled(route: Route, call: Call, takenAway: () => Promise<unknown>): Promise<unknown> {
  try {
    return await route.handle(call)
  } catch (error) {
    if (error instanceof Rejection) await takenAway()
    throw error
  }
}
