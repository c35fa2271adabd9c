/** The call of store.append and what its one row means. */
import type { QueryConfig } from 'pg'
import { idsOf } from './admission.ts'
import { ClaimRefused, WrongExpectedRevision } from './port.ts'
import type { Append, Appended, HeldClaim, Position, Revision } from './port.ts'

export interface Outcome {
  readonly outcome: 'appended' | 'revision' | 'claim' | 'id'
  readonly position: Position
  readonly revisions: readonly Revision[]
  /** From 1: the part or the claim that was refused. */
  readonly place: number
  readonly found: string
}

const TEXT = `SELECT outcome, o_position AS position, o_revisions AS revisions, o_place AS place, o_found AS found
  FROM store.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

/** JSON text never holds a raw control character, so joining by this one is unambiguous. */
const SEPARATOR = '\u001F'

export function queryFor({ parts, take, release }: Append): QueryConfig {
  const events = parts.flatMap((part, index) =>
    part.events.map((event, nth) => ({ ...event, part: index + 1, nth: nth + 1 })),
  )
  const values = [
    parts.map((part) => part.stream),
    parts.map((part) => (part.expected === 'any' ? -1 : part.expected)),
    events.map((event) => event.part),
    events.map((event) => event.nth),
    idsOf(parts),
    events.map((event) => event.type),
    events.map((event) => event.schemaVersion),
    events.map((event) => JSON.stringify(event.data)).join(SEPARATOR),
    events.map((event) => JSON.stringify(event.metadata)).join(SEPARATOR),
    claims(release),
    claims(take),
  ]
  return { name: 'store.append', text: TEXT, values }
}

function claims(held: readonly HeldClaim[] = []): string | null {
  if (held.length === 0) return null
  return JSON.stringify(held.map(({ scope, key, holder }) => ({ scope, key, holder })))
}

/** @throws WrongExpectedRevision | ClaimRefused */
export function outcomeOf({ parts, take = [] }: Append, row: Outcome | undefined): Appended {
  const part = parts[(row?.place ?? 0) - 1]
  const claim = take[(row?.place ?? 0) - 1]
  if (row?.outcome === 'appended') return { position: row.position, revisions: row.revisions }
  if (row?.outcome === 'revision' && part)
    throw new WrongExpectedRevision(part.stream, part.expected, Number(row.found))
  if (row?.outcome === 'claim' && claim) throw new ClaimRefused({ scope: claim.scope, key: claim.key }, row.found)
  throw new Error(`The event id ${row?.found} is already in use`)
}
