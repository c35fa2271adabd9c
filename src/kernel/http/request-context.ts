/** What is known of one request while it is being answered; the log's one line is made of it. */
import type { IncomingMessage } from 'node:http'
import type { UnitOutcome } from '../commands/command-runner.ts'
import type { RequestSlots } from './limits/load.ts'
import type { RequestHead, Caller } from './route.ts'

export interface RequestContext {
  /** Ours, a UUIDv7; what a client calls its request is only logged. */
  readonly requestId: string
  readonly clientRequestId: string | undefined
  readonly startedMs: number
  readonly requestHead: RequestHead
  /** `GET /api/admin/plans/:id`; absent where no route was found. */
  line?: string
  caller?: Caller
  /** The Error-Code of a refusal. */
  code?: string
  /** What the handler's units of work appended, in order. */
  readonly recorded: UnitOutcome[]
  /** Writes a line to the log at once. */
  warn(about: Readonly<Record<string, unknown>>, message: string): void
  /** When its client is gone, or the server closes. */
  abortSignal(): AbortSignal
  readonly slots: RequestSlots
  /** The answer lasts for as long as its client stays: leaving it is no failure. */
  isLive?: boolean
  /** Of an answer that ended the connection while the request was still coming. */
  lastStatus?: number
}

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export function clientRequestId(request: IncomingMessage): string | undefined {
  const [only, ...others] = request.headersDistinct['x-request-id'] ?? []
  return only !== undefined && others.length === 0 && CLIENT_REQUEST_ID.test(only) ? only : undefined
}
