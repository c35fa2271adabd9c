/** From whatever was thrown to the one shape of error: `{statusCode, message}`, and the rest in headers. */
import { Rejection } from '../lib/rejection.ts'
import { isUnavailable } from '../store/outage.ts'
import { JSON_TYPE } from './reply.ts'
import type { Outgoing } from './reply.ts'

/** A planned refusal, a store that is away, or a bug whose message stays in the log. */
export type Refusal = { readonly body: { statusCode: number; message: string } } & Pick<
  Rejection,
  'statusCode' | 'code' | 'headers'
>

const BUG: Refusal = {
  statusCode: 500,
  code: 'INTERNAL',
  headers: {},
  body: { statusCode: 500, message: 'Internal error' },
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Rejection) return error
  if (isUnavailable(error))
    return new Rejection('unavailable', 'The database is not available', 'STORE_UNAVAILABLE', { 'Retry-After': '1' })
  return BUG
}

/** JSON whatever the client accepts: an error that cannot be read helps nobody. */
export function refusalOutgoing({ statusCode, code, headers, body }: Refusal): Outgoing & { readonly body: string } {
  return {
    status: statusCode,
    headers: { 'Content-Type': JSON_TYPE, 'Error-Code': code, ...headers },
    body: JSON.stringify(body),
  }
}
