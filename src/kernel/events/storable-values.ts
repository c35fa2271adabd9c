/**
 * What each column can hold that an event's field may feed. JSON holds more: a NUL, half of a surrogate pair, a moment before the year 1,
 * a number beyond 2^53. Such an event would be kept for ever and applied by no read model, so it is refused before it is appended.
 */
import { z } from 'zod'
import { reject } from '../lib/rejection.ts'
import { isStorableMoment } from '../lib/timestamps.ts'
import type { Json } from './store-port.ts'

/** What fields are called that indexes hold. An index of Postgres takes 2,704 bytes. */
const INDEXED = /(?:ids?|key|hash|name|number|slug|version|status|action|email)$/i
const INDEXED_BYTES_MAX = 2_000

/** What an event type declares of its fields, by their names. */
interface FieldDeclarations {
  readonly momentFields: ReadonlySet<string>
  readonly sealedFields: readonly string[]
}

/** The names of all fields of a schema, at any depth, that hold a moment in RFC 3339. */
export function momentFields(schema: z.core.$ZodType, field = '', found = new Set<string>()): ReadonlySet<string> {
  const def = schema._zod.def as unknown as Record<string, any>
  if (def['format'] === 'datetime') found.add(field)
  for (const [name, inner] of Object.entries<z.core.$ZodType>(def['shape'] ?? {})) momentFields(inner, name, found)
  const inside = [
    def['innerType'],
    def['element'],
    def['valueType'],
    ...(def['options'] ?? []),
    ...(def['items'] ?? []),
  ]
  for (const inner of inside) if (inner) momentFields(inner, field, found)
  return found
}

/** @throws Rejection 400 NOT_STORABLE that names the field */
export function refuseUnstorableData(value: Json, declared: FieldDeclarations, field = ''): void {
  if (typeof value === 'string') refuseText(value, declared, field)
  else if (typeof value === 'number') {
    if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
      refuse(field, 'must be a number between -(2^53 - 1) and 2^53 - 1')
  } else if (Array.isArray(value)) {
    for (const item of value) refuseUnstorableData(item, declared, field)
  } else if (value !== null && typeof value === 'object') {
    for (const [name, inner] of Object.entries(value)) {
      if (!isText(name)) refuse(field, UNREADABLE)
      refuseUnstorableData(inner, declared, name)
    }
  }
}

const UNREADABLE = 'holds a NUL or half of a surrogate pair'

function refuseText(text: string, { momentFields, sealedFields }: FieldDeclarations, field: string): void {
  if (!isText(text)) refuse(field, UNREADABLE)
  if (momentFields.has(field) && !isStorableMoment(text))
    refuse(field, 'must be a moment of the years 1 to 9999 in UTC')
  // No text has more than three bytes for a unit of UTF-16, so that few are counted.
  if (text.length * 3 <= INDEXED_BYTES_MAX || !INDEXED.test(field) || sealedFields.includes(field)) return
  if (Buffer.byteLength(text) > INDEXED_BYTES_MAX) refuse(field, `is longer than ${INDEXED_BYTES_MAX} bytes`)
}

const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const refuse = (field: string, why: string): never => reject('invalid', `${field}: ${why}`, 'NOT_STORABLE')
