/** What is known of one request while it is being answered; the log's one line is made of it. */
import type { IncomingMessage } from 'node:http'
import type { Recorded } from '../command.ts'
import type { Arrival, Caller } from './route.ts'

export interface Exchange {
  /** Ours, a UUIDv7; what a client calls its request is only logged. */
  readonly requestId: string
  readonly clientRequestId: string | undefined
  readonly startedMs: number
  readonly arrival: Arrival
  /** `GET /api/admin/plans/:id`; absent where no route was found. */
  line?: string
  caller?: Caller
  /** The Error-Code of a refusal. */
  code?: string
  /** What the handler's units of work appended, in order. */
  readonly recorded: Recorded[]
  /** When its client is gone, or the server closes. */
  ended(): AbortSignal
  /** Once its head goes out, for an answer that lasts for as long as its client stays. */
  goOn(): void
  /** It goes on: it is none of those that somebody waits for, and leaving it is no failure. */
  isLive?: true
}

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export function clientRequestId(request: IncomingMessage): string | undefined {
  const [only, ...others] = request.headersDistinct['x-request-id'] ?? []
  return only !== undefined && others.length === 0 && CLIENT_REQUEST_ID.test(only) ? only : undefined
}
