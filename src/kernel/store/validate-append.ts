/** The one door in front of every store: an append that passes here means the same in all of them. */
import { UniqueConstraintViolation } from '../events/store-port.ts'
import type { Append, EventToAppend, HeldConstraint, AppendPart } from '../events/store-port.ts'
import { refuseBadJson, refuseBadName } from './validate-names.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const INT4_MAX = 2 ** 31 - 1

/**
 * @throws Rejection 400 for text, JSON or names that no store can hold; UniqueConstraintViolation when the append takes one claim
 * twice; plain errors for what only a bug asks: no part, claims without an event, a stream or an event id twice, an id that is no
 * UUID.
 */
export function validateAppend({ parts, take = [], release = [] }: Append): void {
  parts.forEach(validatePart)
  take.forEach(validateConstraint)
  release.forEach(validateConstraint)
  const ids = eventIdsOf(parts)
  if (parts.length === 0) throw new Error('An append needs at least one part')
  if (ids.length === 0 && take.length + release.length > 0) throw new Error('A claim goes with an event')
  if (holdsTwice(ids)) throw new Error('An append holds one event id twice')
  if (holdsTwice(parts.map((part) => part.stream))) throw new Error('A stream stands in two parts')
  if (take.length > 1) refuseDoubleTakes(take)
}

/** In the one spelling that Postgres answers. */
export const eventIdOf = ({ id }: EventToAppend): string => id.toLowerCase()

/** In the order of the append. */
export function eventIdsOf(parts: readonly AppendPart[]): string[] {
  return parts.length === 1 ? parts[0]!.events.map(eventIdOf) : parts.flatMap((part) => part.events.map(eventIdOf))
}

const holdsTwice = (names: readonly string[]): boolean => names.length > 1 && new Set(names).size < names.length

function validatePart({ stream, expected, events }: AppendPart): void {
  refuseBadName(stream, 'A stream')
  if (expected !== 'any' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new RangeError(`${expected} is not a revision`)
  }
  events.forEach(validateEvent)
}

function validateEvent({ id, type, schemaVersion, data, metadata }: EventToAppend): void {
  if (!UUID.test(id)) throw new TypeError(`The event id ${JSON.stringify(id)} is not a UUID`)
  if (!(Number.isInteger(schemaVersion) && schemaVersion > 0 && schemaVersion <= INT4_MAX)) {
    throw new RangeError(`${schemaVersion} is not a schema version`)
  }
  refuseBadName(type, 'An event type')
  refuseBadJson(data, `The data of ${type}`)
  refuseBadJson(metadata, `The metadata of ${type}`)
}

function validateConstraint({ scope, key, holder }: HeldConstraint): void {
  refuseBadName(scope, 'A claim scope')
  refuseBadName(key, 'A claim key')
  refuseBadName(holder, 'A claim holder')
}

function refuseDoubleTakes(take: readonly HeldConstraint[]): void {
  const holders = new Map<string, string>()
  for (const claim of take) {
    const name = constraintName(claim)
    const first = holders.get(name)
    if (first !== undefined) throw new UniqueConstraintViolation({ scope: claim.scope, key: claim.key }, first)
    holders.set(name, claim.holder)
  }
}

/** Unambiguous: no name holds a control character. */
export function constraintName({ scope, key }: { readonly scope: string; readonly key: string }): string {
  return `${scope}\u001F${key}`
}
