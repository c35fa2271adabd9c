/**
 * Checks the audit trail after each answered request of a test. A change has an entry with its request id; a
 * refusal or a read has none.
 */
import type { Pool } from 'pg'
import { expect, vi } from 'vitest'

/** Route lines that are exempt, each with the reason. */
export interface AuditExceptions {
  /** Reads that leave an entry. */
  readonly recordedReads: Readonly<Record<string, string>>
  /** Changes that may be answered without an entry. */
  readonly silentChanges: Readonly<Record<string, string>>
  /** Refusals that may leave an entry. */
  readonly recordedRefusals: Readonly<Record<string, string>>
}

/** A request as the service's log describes it, from any sender. */
export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  readonly status: number
  /** The route's line; absent if no route matched. */
  readonly route?: string
}

const READS = ['GET', 'HEAD']
const WAIT = { timeout: 10_000, interval: 2 }
/** The answer was not sent completely, so nothing is promised. */
const CLIENT_LEFT = 499
const ENTRIES = 'SELECT request_id AS id FROM read.audit_trail WHERE request_id = ANY($1)'

/** @param repeated requests that got the answer of an earlier request; that one has the entry */
export function auditViolations(
  answered: readonly AnsweredRequest[],
  entries: ReadonlySet<string>,
  { recordedReads, silentChanges, recordedRefusals }: AuditExceptions,
  repeated: ReadonlySet<string> = new Set(),
): string[] {
  return answered.flatMap(({ requestId, method, status, route = `${method} without a route` }) => {
    const isDone = status >= 200 && status < 300
    const isRecorded = isDone && !repeated.has(requestId) && (!READS.includes(method) || route in recordedReads)
    if (entries.has(requestId))
      return isRecorded || (!isDone && route in recordedRefusals) ? [] : [`${route}: ${status} left an entry`]
    return isRecorded && !(route in silentChanges) ? [`${route}: ${status} left no entry`] : []
  })
}

interface AuditedParts {
  readonly database: Pool
  /** Brings the audit trail up to date. */
  catchUp(): Promise<void>
}

/**
 * Reads every line of the log. The log reports an answer after it was sent, so the check waits for answers
 * that the test has seen.
 */
export function auditTrailCheck({ database, catchUp }: AuditedParts, exceptions: AuditExceptions) {
  const [seen, repeated] = [new Set<string>(), new Set<string>()]
  const told = new Map<string, AnsweredRequest>()
  /** Never cleared: a line may come before the test sees the answer, and a check between the two. */
  const heard = new Set<string>()

  return {
    hear(line: string): void {
      const { msg, ...request } = JSON.parse(line)
      if (msg !== 'request') return
      told.set(request.requestId, request)
      heard.add(request.requestId)
    },

    see({ headers }: { readonly headers: Headers }): void {
      const requestId = headers.get('x-request-id')!
      seen.add(requestId)
      if (headers.has('idempotent-replayed')) repeated.add(requestId)
    },

    /** Checks all requests since the last check. */
    async check(): Promise<void> {
      const untold = () => [...seen].filter((id) => !heard.has(id))
      try {
        await vi.waitFor(() => expect(untold(), 'requests that the log does not tell of').toEqual([]), WAIT)
      } finally {
        // A request that is missing fails one test, not all tests after it.
        seen.clear()
      }
      const answered = [...told.values()].filter(({ status }) => status !== CLIENT_LEFT)
      told.clear()
      if (answered.length === 0) return
      await catchUp()
      const { rows } = await database.query(ENTRIES, [answered.map(({ requestId }) => requestId)])
      const entries = new Set<string>(rows.map(({ id }) => id))
      expect(auditViolations(answered, entries, exceptions, repeated), 'what the audit trail promises').toEqual([])
    },
  }
}
