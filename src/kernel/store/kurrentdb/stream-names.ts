/**
 * Streams of our own beside those of the events. A claim's stream says in its last record who holds it; an event id's stream exists
 * once an event has that id. Keys are hashed: a key may be longer than a name should be, and may say more than a name should.
 */
import { createHash } from 'node:crypto'
import { streamNameFilter } from '@kurrent/kurrentdb-client'
import { constraintName } from '../validate-append.ts'
import type { UniqueConstraint, AppendPart } from '../../events/store-port.ts'

const RESERVED = /^(?:\$|daybook\.)/

/** Lets through what the port calls events: no system streams ($…), none of the streams here. */
export const EVENTS_ONLY = streamNameFilter({ regex: String.raw`^(?!\$|daybook\.)` })

export function constraintStream(claim: UniqueConstraint): string {
  return `daybook.claim-${createHash('sha256').update(constraintName(claim)).digest('hex')}`
}

export function eventIdStream(id: string): string {
  return `daybook.event-${id}`
}

/** @throws a plain Error: the server takes names that differ only in capitals for one within a request, and the reserved ones are ours */
export function refuseReservedNames(parts: readonly AppendPart[]): void {
  const reserved = parts.find(({ stream }) => RESERVED.test(stream))
  if (reserved) throw new Error(`The stream ${reserved.stream} has a reserved name`)
  if (new Set(parts.map(({ stream }) => stream.toUpperCase())).size < parts.length)
    throw new Error('Two streams of one append differ only in capitals')
}
