/** From JSON Schema to inputs: what kind of input a field needs, and its value in the form and in the request. */
import type { JsonSchema } from '#api-client/operation'
import { decimalToMinor, minorToDecimal } from './money.ts'

export type FieldKind =
  | 'check'
  | 'choice'
  | 'choices'
  | 'lines'
  | 'number'
  | 'time'
  | 'email'
  | 'password'
  | 'url'
  | 'long'
  | 'text'
  | 'money'

export interface Field {
  readonly name: string
  readonly kind: FieldKind
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly isNullable: boolean
}

/** A value of a form: what its input holds. */
export type Held = string | boolean | readonly string[]
export type HeldValues = Readonly<Record<string, Held>>

/** Texts that may be longer than this get several lines, unless a pattern says what they look like. */
const LINE_LENGTH = 400
/** What the document says of amounts of money. */
const MINOR_UNITS = 'minor'
const USUAL_CURRENCY = 'EUR'

/** `anyOf` of a schema and null. */
function withoutNull(schema: JsonSchema): { readonly schema: JsonSchema; readonly isNullable: boolean } {
  const { anyOf, ...rest } = schema
  if (!anyOf) {
    const { type } = schema
    if (!Array.isArray(type)) return { schema, isNullable: false }
    return { schema: { ...schema, type: type.find((each) => each !== 'null') }, isNullable: type.includes('null') }
  }
  const others = anyOf.filter(({ type }) => type !== 'null')
  return { schema: { ...others[0], ...rest }, isNullable: others.length < anyOf.length }
}

export function fieldsOf(body: JsonSchema | undefined): readonly Field[] {
  return Object.entries(body?.properties ?? {}).map(([name, given]) => {
    const { schema, isNullable } = withoutNull(given)
    const isRequired = body?.required?.includes(name) === true || schema['x-with'] !== undefined
    return { name, schema, isNullable, kind: kindOf(name, schema), isRequired }
  })
}

/** Whether the field is given with what is chosen in the others. */
export const isWith = ({ schema }: Field, chosen: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(schema['x-with'] ?? {}).every(([name, values]) => values.includes(chosen[name]))

function kindOf(name: string, schema: JsonSchema): FieldKind {
  const { type, enum: choices, format, pattern, items, maxLength = 0, unit } = schema
  if (type === 'boolean') return 'check'
  if (choices) return 'choice'
  if (type === 'array') return items?.enum ? 'choices' : 'lines'
  if (type === 'integer' || type === 'number') return unit === MINOR_UNITS ? 'money' : 'number'
  if (format === 'date-time') return 'time'
  if (format === 'email' || /email$/i.test(name)) return 'email'
  if (format === 'password' || /password/i.test(name)) return 'password'
  if (format === 'uri' || name === 'url') return 'url'
  return maxLength > LINE_LENGTH && format === undefined && pattern === undefined ? 'long' : 'text'
}

/** What an input shows for a value of the API. */
export function heldOf({ kind, schema }: Field, value: unknown, currency: string): Held {
  if (kind === 'check') return value === true
  if (kind === 'choices') return chosenOf(schema, Array.isArray(value) ? value.map(String) : [])
  if (value === undefined || value === null) return ''
  if (kind === 'lines') return Array.isArray(value) ? value.join('\n') : ''
  if (kind === 'money') return minorToDecimal(Number(value), currency)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return kind === 'time' ? localTime(text) : text
}

/**
 * What the request holds for what was typed.
 * @returns undefined for an empty input, which leaves the field out
 */
export function valueOf({ kind, isNullable, schema }: Field, held: Held, currency: string): unknown {
  if (typeof held === 'boolean' || typeof held === 'object') return held
  if (held === '') return isNullable ? null : undefined
  if (kind === 'number') return Number(held)
  if (kind === 'money') return decimalToMinor(held, currency) ?? held
  if (kind === 'time') return new Date(held).toISOString()
  if (kind === 'lines') return linesOf(held)
  if (kind === 'choice') return schema.enum?.find((each) => String(each) === held) ?? held
  return held
}

/** In one order, whatever was clicked first; a choice that no longer exists is left out. */
export const chosenOf = ({ items }: JsonSchema, chosen: readonly string[]): readonly string[] =>
  items?.enum?.map(String).filter((each) => chosen.includes(each)) ?? []

/** Whether the input of a field must hold something: an empty one is null where that is allowed. */
export const mustHold = ({ isRequired, isNullable }: Field): boolean => isRequired && !isNullable

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** For an input of type datetime-local, which knows no zone: the time here. */
function localTime(iso: string): string {
  const at = new Date(iso)
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

const TEXTS: readonly FieldKind[] = ['text', 'long', 'email', 'url', 'password']

/** What says that a field was emptied, where it cannot be null: the service judges whether it may be empty. */
function emptyOf({ kind }: Field): unknown {
  if (TEXTS.includes(kind)) return ''
  if (kind === 'lines') return []
  return kind === 'choice' ? undefined : null
}

const currencyIn = ({ currency }: HeldValues): string =>
  typeof currency === 'string' && currency !== '' ? currency : USUAL_CURRENCY

/** The body of a request. A PATCH sends only what was changed. */
export function bodyFrom(
  fields: readonly Field[],
  values: HeldValues,
  { initial, onlyChanges }: { readonly initial: HeldValues; readonly onlyChanges: boolean },
): Record<string, unknown> {
  const currency = currencyIn(values)
  const sent = fields.flatMap((field) => {
    const held = values[field.name] ?? ''
    const typed = valueOf(field, held, currency)
    // The same digits are another amount in a currency without cents.
    const before = valueOf(field, initial[field.name] ?? '', currencyIn(initial))
    if (onlyChanges && JSON.stringify(typed) === JSON.stringify(before)) return []
    const value = typed === undefined && onlyChanges ? emptyOf(field) : typed
    const isLeftOut = value === undefined || (value === null && !onlyChanges && !field.isRequired)
    const isEmptyList = Array.isArray(value) && value.length === 0 && !field.isRequired && !onlyChanges
    return isLeftOut || isEmptyList ? [] : [[field.name, value] as const]
  })
  return Object.fromEntries(sent)
}
