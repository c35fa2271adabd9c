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
  /** For example `1 to 100 characters, default "x"`. */
  readonly rules: string
  readonly description?: string
}

export function fieldsOf(schema: JsonObject, name = '', required = true): Field[] {
  const inside = [...propertiesOf(schema, name), ...itemsOf(schema, name), ...alternativesOf(schema, name)]
  const { description } = schema as { description?: string }
  const own = {
    name: name === '' ? 'body' : name,
    type: typeOf(schema),
    required,
    rules: rulesOf(schema),
    ...(description === undefined ? {} : { description }),
  }
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
  const { type, format, unit, items, anyOf, oneOf, enum: values, const: value } = schema
  if (values) return (values as Json[]).map((each) => JSON.stringify(each)).join(' | ')
  if (value !== undefined) return JSON.stringify(value)
  const alternatives = (anyOf ?? oneOf) as JsonObject[] | undefined
  if (alternatives) return alternatives.map(typeOf).join(' | ')
  if (type === 'array') return `list of ${isObject(items) ? typeOf(items) : 'anything'}`
  return type === undefined
    ? 'anything'
    : [type]
        .flat()
        .map((each) => (each === 'string' ? (format ?? each) : each) as string)
        .map((each) => (unit === 'minor' ? `${each} in minor units` : each))
        .join(' | ')
}

function rulesOf(schema: JsonObject): string {
  const bounded = withoutNull(schema)
  const { pattern, format } = bounded
  return [
    range(bounded, ['minLength', 'maxLength'], 'character'),
    range(bounded, ['minimum', 'maximum']),
    range(bounded, ['minItems', 'maxItems'], 'item'),
    // A pattern beside a format repeats it.
    pattern === undefined || format !== undefined ? '' : `matches ${pattern as string}`,
    schema['default'] === undefined ? '' : `default ${JSON.stringify(schema['default'])}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** The bounds of a field that may be null are those of its other alternative. */
function withoutNull(schema: JsonObject): JsonObject {
  const others = ((schema['anyOf'] ?? []) as JsonObject[]).filter(({ type }) => type !== 'null')
  return others.length === 1 ? others[0]! : schema
}

/** `1 to 100 characters`, `at least 8`. */
function range(schema: JsonObject, [least, most]: readonly [string, string], unit = ''): string {
  const [min, max] = [boundIn(schema, least), boundIn(schema, most)]
  const of = unit === '' ? '' : ` ${unit}${(max ?? min) === 1 ? '' : 's'}`
  const text = (bound: number) => bound.toLocaleString('en')
  if (min !== undefined && max !== undefined) return `${min === max ? '' : `${text(min)} to `}${text(max)}${of}`
  if (min !== undefined) return `at least ${text(min)}${of}`
  return max === undefined ? '' : `at most ${text(max)}${of}`
}

/** The limits of JavaScript integers apply to every integer. */
function boundIn(schema: JsonObject, name: string): number | undefined {
  const bound = schema[name] as number | undefined
  return bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound
}

const hasParts = (schema: JsonObject): boolean => isObject(schema['properties']) || isObject(schema['items'])

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
