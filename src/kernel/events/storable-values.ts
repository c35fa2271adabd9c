/**
 * Refuses event data that JSON can hold but a column cannot: a NUL, half of a surrogate pair, a moment before the
 * year 1, a number beyond 2^53. No read model could ever apply such an event, so it is refused before it is
 * appended.
 */
import { z } from 'zod'
import { reject } from '../lib/rejection.ts'
import { isStorableMoment } from '../lib/timestamps.ts'
import type { Json } from './store-port.ts'

/** Names of fields that indexes hold. An index entry of PostgreSQL has at most 2,704 bytes. */
const INDEXED = /(?:ids?|key|hash|name|number|slug|version|status|action|email)$/i
const INDEXED_BYTES_MAX = 2_000

/** The names of the fields that an event type declares as moments or as sealed. */
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

const UNREADABLE = 'must not have a NUL or half of a surrogate pair'

function refuseText(text: string, { momentFields, sealedFields }: FieldDeclarations, field: string): void {
  if (!isText(text)) refuse(field, UNREADABLE)
  if (momentFields.has(field) && !isStorableMoment(text))
    refuse(field, 'must be a moment of the years 1 to 9999 in UTC')
  // A UTF-16 code unit has at most three bytes in UTF-8, so the bytes of short texts need not be counted.
  if (text.length * 3 <= INDEXED_BYTES_MAX || !INDEXED.test(field) || sealedFields.includes(field)) return
  if (Buffer.byteLength(text) > INDEXED_BYTES_MAX) refuse(field, `must be at most ${INDEXED_BYTES_MAX} bytes long`)
}

const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const refuse = (field: string, why: string): never => reject('invalid', `${field}: ${why}`, 'NOT_STORABLE')
