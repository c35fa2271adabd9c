/** The state of one request while it is handled. Its log line is built from it. */
import type { IncomingMessage } from 'node:http'
import type { UnitOutcome } from '../commands/command-runner.ts'
import type { RequestSlots } from './limits/load.ts'
import type { RequestHead, Caller } from './route.ts'

export interface RequestContext {
  /** A UUIDv7 made by the server; the client's own request id is only logged. */
  readonly requestId: string
  readonly clientRequestId: string | undefined
  readonly startedMs: number
  readonly requestHead: RequestHead
  /** For example `GET /api/admin/plans/:id`; absent if no route matched. */
  line?: string
  caller?: Caller
  /** The Error-Code of an error response. */
  code?: string
  /** What the units of work of the handler appended, in order. */
  readonly recorded: UnitOutcome[]
  /** Writes a line to the log at once. */
  warn(about: Readonly<Record<string, unknown>>, message: string): void
  /** Aborted when the client disconnects or the server closes. */
  abortSignal(): AbortSignal
  readonly slots: RequestSlots
  /** The response lasts until the client disconnects: that is not logged as a failure. */
  isLive?: boolean
  /** A success is not logged. */
  isQuiet?: boolean
  /** The status of a response that closed the connection before the request was complete. */
  lastStatus?: number
}

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

export function clientRequestId(request: IncomingMessage): string | undefined {
  const [only, ...others] = request.headersDistinct['x-request-id'] ?? []
  return only !== undefined && others.length === 0 && CLIENT_REQUEST_ID.test(only) ? only : undefined
}
