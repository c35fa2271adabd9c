/** Validates appends for every store, so that all stores accept and refuse the same ones. */
import { UniqueConstraintViolation } from '../events/store-port.ts'
import type { Append, EventToAppend, HeldConstraint, AppendPart } from '../events/store-port.ts'
import { refuseBadJson, refuseBadName } from './validate-names.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const INT4_MAX = 2 ** 31 - 1

/**
 * @throws Rejection 400 for text, JSON or names that no store can hold
 *   · UniqueConstraintViolation when the append takes one constraint twice
 *   · Error for a bug of the caller: no part, constraints without an event, a repeated stream or event id, an id that
 *   is no UUID
 */
export function validateAppend({ parts, take = [], release = [] }: Append): void {
  parts.forEach(validatePart)
  take.forEach(validateConstraint)
  release.forEach(validateConstraint)
  const ids = eventIdsOf(parts)
  if (parts.length === 0) throw new Error('An append needs at least one part')
  if (ids.length === 0 && take.length + release.length > 0)
    throw new Error('An append with unique constraints needs at least one event')
  if (holdsTwice(ids)) throw new Error('An append must not have the same event id twice')
  if (holdsTwice(parts.map((part) => part.stream))) throw new Error('An append must not have two parts for one stream')
  if (take.length > 1) refuseDoubleTakes(take)
}

/** In lower case, as PostgreSQL returns UUIDs. */
export const eventIdOf = ({ id }: EventToAppend): string => id.toLowerCase()

/** The event ids in the order of the append. */
export function eventIdsOf(parts: readonly AppendPart[]): string[] {
  return parts.length === 1 ? parts[0]!.events.map(eventIdOf) : parts.flatMap((part) => part.events.map(eventIdOf))
}

const holdsTwice = (names: readonly string[]): boolean => names.length > 1 && new Set(names).size < names.length

function validatePart({ stream, expected, events }: AppendPart): void {
  refuseBadName(stream, 'A stream')
  if (expected !== 'any' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new RangeError(`The expected revision must be 'any' or a whole number from 0, not ${expected}`)
  }
  events.forEach(validateEvent)
}

function validateEvent({ id, type, schemaVersion, data, metadata }: EventToAppend): void {
  if (!UUID.test(id)) throw new TypeError(`The event id ${JSON.stringify(id)} is not a UUID`)
  if (!(Number.isInteger(schemaVersion) && schemaVersion > 0 && schemaVersion <= INT4_MAX)) {
    throw new RangeError(`The schema version must be a whole number from 1 to ${INT4_MAX}, not ${schemaVersion}`)
  }
  refuseBadName(type, 'An event type')
  refuseBadJson(data, `The data of ${type}`)
  refuseBadJson(metadata, `The metadata of ${type}`)
}

function validateConstraint({ scope, key, holder }: HeldConstraint): void {
  refuseBadName(scope, 'The scope of a unique constraint')
  refuseBadName(key, 'The key of a unique constraint')
  refuseBadName(holder, 'The holder of a unique constraint')
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

/** Unambiguous, because names have no control characters. */
export function constraintName({ scope, key }: { readonly scope: string; readonly key: string }): string {
  return `${scope}\u001F${key}`
}
