/**
 * Names of the internal streams beside those of the events. The last record of a unique constraint's stream names its
 * holder; the stream of an event id exists once an event has that id. Keys are hashed, because a key may be too long
 * for a name and may be personal data.
 */
import { hash } from 'node:crypto'
import { streamNameFilter } from '@kurrent/kurrentdb-client'
import type { UniqueConstraint, AppendPart } from '../../events/store-port.ts'
import { constraintName } from '../validate-append.ts'

const RESERVED = /^(?:\$|daybook\.)/

/** Selects the events of the port: no system streams ($…) and no internal streams. */
export const EVENTS_ONLY = streamNameFilter({ regex: String.raw`^(?!\$|daybook\.)` })

export function constraintStream(claim: UniqueConstraint): string {
  return `daybook.claim-${hash('sha256', constraintName(claim), 'hex')}`
}

export function eventIdStream(id: string): string {
  return `daybook.event-${id}`
}

/**
 * @throws Error for a reserved name, and for names that differ only in case:
 * the server treats these as equal within a request
 */
export function refuseReservedNames(parts: readonly AppendPart[]): void {
  const reserved = parts.find(({ stream }) => RESERVED.test(stream))
  if (reserved) throw new Error(`The stream name ${reserved.stream} is reserved; use another one`)
  if (new Set(parts.map(({ stream }) => stream.toUpperCase())).size < parts.length)
    throw new Error('The names of two streams of one append must not differ only in case')
}
