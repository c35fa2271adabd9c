/**
 * Maps every thrown error to the one error response: the body `{statusCode, message}`, the details in
 * headers.
 */
import { Rejection } from '../lib/rejection.ts'
import { isUnavailable } from '../store/outage.ts'
import { JSON_TYPE } from './reply.ts'
import type { OutgoingResponse } from './reply.ts'

/** A `Rejection`, an unavailable store, or a bug, whose message is only logged. */
export type ErrorResponse = { readonly body: { statusCode: number; message: string } } & Pick<
  Rejection,
  'statusCode' | 'code' | 'headers'
>

const INTERNAL_ERROR: ErrorResponse = {
  statusCode: 500,
  code: 'INTERNAL',
  headers: {},
  body: { statusCode: 500, message: 'Internal error' },
}

export function errorResponseOf(error: unknown): ErrorResponse {
  if (error instanceof Rejection) return error
  if (isUnavailable(error))
    return new Rejection('unavailable', 'The database is not available', 'STORE_UNAVAILABLE', { 'Retry-After': '1' })
  return INTERNAL_ERROR
}

/** Always JSON, even if the client does not accept it: the client can still read the status and the code. */
export function toOutgoingResponse({
  statusCode,
  code,
  headers,
  body,
}: ErrorResponse): OutgoingResponse & { readonly body: string } {
  return {
    status: statusCode,
    headers: { 'Content-Type': JSON_TYPE, 'Error-Code': code, ...headers },
    body: JSON.stringify(body),
  }
}
