/** Builds the AppendRecords request for one append. */
import { jsonEvent, NO_STREAM, STREAM_STATE } from '@kurrent/kurrentdb-client'
import type { AppendRecordInput, ConsistencyCheck } from '@kurrent/kurrentdb-client'
import type { AppendPart } from '../../events/store-port.ts'
import { eventIdsOf } from '../validate-append.ts'
import { recordOf } from './record.ts'
import { eventIdStream } from './stream-names.ts'
import type { ConstraintChange } from './unique-constraints.ts'

export interface AppendRequest {
  readonly records: AppendRecordInput[]
  readonly checks: ConsistencyCheck[]
}

/**
 * The internal records get new ids at every attempt: if a retry had identical bytes, the server would apply its own,
 * weaker idempotency rule. The events come last, because the server returns the position of the last record.
 */
export function appendRequestFor(parts: readonly AppendPart[], claims: readonly ConstraintChange[]): AppendRequest {
  const ids = eventIdsOf(parts).map((id) => eventIdStream(id))
  return {
    records: [
      ...ids.map((streamName) => internalRecord(streamName, 'EventIdUsed', {})),
      ...claims.flatMap(({ stream, records }) =>
        records.map(({ type, ...data }) => internalRecord(stream, type, data)),
      ),
      ...parts.flatMap(({ stream, events }) =>
        events.map((event) => ({ streamName: stream, record: recordOf(event) })),
      ),
    ],
    checks: [
      ...ids.map((stream) => check(stream, undefined)),
      ...claims.map(({ stream, revision }) => check(stream, revision)),
      ...parts.flatMap(({ stream, expected }) => (expected === 'any' ? [] : [check(stream, lastOf(expected))])),
    ],
  }
}

function internalRecord(streamName: string, type: string, data: Record<string, string>): AppendRecordInput {
  return { streamName, record: jsonEvent({ type, data }) }
}

function check(streamName: string, last: bigint | undefined): ConsistencyCheck {
  return { type: STREAM_STATE, streamName, expectedState: last ?? NO_STREAM }
}

/** The server numbers events from 0, the port from 1. */
function lastOf(expected: number): bigint | undefined {
  return expected === 0 ? undefined : BigInt(expected - 1)
}
