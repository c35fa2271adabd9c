/**
 * Flattens a JSON Schema into rows for the documentation page: one per field, nested fields with their
 * path.
 */
import type { Json, JsonObject } from '../../events/store-port.ts'

export interface Field {
  /** For example `features[].key`. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly rules: string
}

const RULES = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'default',
] as const

export function fieldsOf(schema: JsonObject, name = '', required = true): Field[] {
  const inside = [...propertiesOf(schema, name), ...itemsOf(schema, name), ...alternativesOf(schema, name)]
  const own = { name: name === '' ? 'body' : name, type: typeOf(schema), required, rules: rulesOf(schema) }
  return name === '' && inside.length > 0 ? inside : [own, ...inside]
}

function propertiesOf({ properties, required }: JsonObject, name: string): Field[] {
  const needed = (required ?? []) as string[]
  return Object.entries((properties ?? {}) as Record<string, JsonObject>).flatMap(([field, schema]) =>
    fieldsOf(schema, name === '' ? field : `${name}.${field}`, needed.includes(field)),
  )
}

function itemsOf({ items }: JsonObject, name: string): Field[] {
  if (!isObject(items)) return []
  return fieldsOf(items, `${name}[]`).filter((field) => field.name !== `${name}[]` || !hasParts(items))
}

/** Of the alternatives, only objects have fields. */
function alternativesOf(schema: JsonObject, name: string): Field[] {
  const all = (schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonObject[]
  const fields = all.filter(hasParts).flatMap((each) => [...propertiesOf(each, name), ...itemsOf(each, name)])
  return [...new Map(fields.map((field) => [field.name, field])).values()]
}

function typeOf(schema: JsonObject): string {
  const { type, items, anyOf, oneOf, enum: values, const: value } = schema
  if (values) return (values as Json[]).map((each) => JSON.stringify(each)).join(' | ')
  if (value !== undefined) return JSON.stringify(value)
  const alternatives = (anyOf ?? oneOf) as JsonObject[] | undefined
  if (alternatives) return alternatives.map(typeOf).join(' | ')
  if (type === 'array') return `list of ${isObject(items) ? typeOf(items) : 'anything'}`
  return type === undefined ? 'anything' : [type].flat().map(String).join(' | ')
}

const rulesOf = (schema: JsonObject): string =>
  RULES.filter((rule) => schema[rule] !== undefined && !isRedundantRule(rule, schema))
    .map((rule) => `${rule} ${JSON.stringify(schema[rule])}`)
    .join(', ')

/** A pattern beside a format repeats it, and the limits of JavaScript integers apply to every integer. */
const isRedundantRule = (rule: string, schema: JsonObject): boolean =>
  (rule === 'pattern' && schema['format'] !== undefined) || Math.abs(Number(schema[rule])) === Number.MAX_SAFE_INTEGER

const hasParts = (schema: JsonObject): boolean => isObject(schema['properties']) || isObject(schema['items'])

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
