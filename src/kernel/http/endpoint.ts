/** From one declared route to the work of one request, always in the same order: gate, path, query, body, handler, reply. */
import type { Context } from 'koa'
import { callOf } from './call.ts'
import type { CallParts } from './call.ts'
import type { Exchange } from './exchange.ts'
import type { Gate } from './gate.ts'
import { inEffect } from './in-effect.ts'
import type { CaughtUp } from './in-effect.ts'
import { inputOf } from './input.ts'
import { outgoing } from './reply.ts'
import type { Outgoing } from './reply.ts'
import type { Route } from './route.ts'

export interface EndpointParts extends CallParts {
  readonly gate: Gate
  readonly caughtUp: CaughtUp
}

export type Endpoint = (ctx: Context, exchange: Exchange, params: Record<string, string>) => Promise<Outgoing>

export function endpoint(route: Route, parts: EndpointParts): Endpoint {
  const input = inputOf(route)
  return async (ctx, exchange, rawParams) => {
    exchange.line = route.line
    const caller = await parts.gate.enter(route.access, exchange.arrival)
    if (caller) exchange.caller = caller
    const params = input.params(rawParams)
    const query = input.query(ctx.querystring)
    const body = await input.body(ctx.req)
    const result = await route.handle(callOf(parts, exchange, ctx.req, { params, query, body }))
    const lag = await inEffect(exchange.recorded, parts.caughtUp)
    const ready = outgoing(route, result)
    return { ...ready, headers: { ...lag, ...ready.headers } }
  }
}
