/** Values that a schema accepts, composed of the examples of its fields. */
import type { Json, JsonObject } from '../../events/store-port.ts'
import { noteOf } from './field-notes.ts'
import type { FieldNotes } from './field-notes.ts'

/** By format. */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: '0197a3c2-7c1e-7c52-9b1e-3f6a5d0c8e11',
  email: 'grace@example.com',
  'date-time': '2027-01-01T00:00:00.000Z',
  date: '2027-01-01',
  uri: 'https://example.com/hook',
}

const HASH = '0'.repeat(64)
const IDS = ['e'.repeat(16), 'e'.repeat(43), HASH, `sha256:${HASH}`]
/** The first that a schema accepts. */
const TEXTS = ['example', 'Example', '1.4.0', '192.0.2.0/24', '42', ...IDS]

const NUMBER = 10

interface Place {
  readonly name: string
  /** A tag or the name of a component, see `noteOf`. */
  readonly within: string
  /** The components that hold the place: a component within itself ends there. */
  readonly inside: readonly string[]
}

export interface Sampler {
  /** @returns undefined for a schema within itself */
  valueOf(schema: JsonObject, name: string, within: string): Json | undefined
  /** Objects with fewer or more of the optional fields, the likeliest first. */
  bodiesOf(schema: JsonObject, within: string): readonly Json[]
}

/** @param components by name */
export function sampler(notes: FieldNotes, components: Readonly<Record<string, JsonObject>>): Sampler {
  function valueAt(schema: JsonObject, place: Place): Json | undefined {
    const [own] = (schema['examples'] ?? []) as Json[]
    if (own !== undefined) return own
    const { $ref, const: value, type } = schema
    if (value !== undefined) return value
    if (typeof $ref === 'string') return componentAt($ref, place)
    const noted = noteOf(notes, place.name, place.within)?.[1]
    if (noted !== undefined && fits(schema, noted)) return noted
    if (schema['anyOf'] ?? schema['oneOf']) return alternativeAt(schema, place)
    if (schema['enum']) return schema['default'] ?? (schema['enum'] as Json[])[0]!
    if (type === 'object') return objectAt(schema, place, Object.keys(fieldsOf(schema)))
    if (type === 'array') return listAt(schema, place)
    return scalar(schema)
  }

  function componentAt($ref: string, place: Place): Json | undefined {
    const name = $ref.replace('#/components/schemas/', '')
    if (place.inside.includes(name)) return undefined
    return valueAt(components[name]!, { name: place.name, within: name, inside: [...place.inside, name] })
  }

  /** What usually has not happened is null. */
  function alternativeAt(schema: JsonObject, place: Place): Json | undefined {
    const all = (schema['anyOf'] ?? schema['oneOf']) as JsonObject[]
    const [first, ...more] = all.filter(({ type }) => type !== 'null')
    const isNullable = more.length + 1 < all.length
    return first === undefined || (isNullable && first['format'] !== undefined) ? null : valueAt(first, place)
  }

  function objectAt(schema: JsonObject, place: Place, names: readonly string[]): Json {
    const fields = fieldsOf(schema)
    const given = names.map((name) => [name, valueAt(fields[name]!, { ...place, name })] as const)
    return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  }

  function listAt({ items, minItems = 0 }: JsonObject, place: Place): Json {
    const item = valueAt((items ?? {}) as JsonObject, { ...place, name: place.name.replace(/s$/, '') })
    return item === undefined ? [] : Array.from({ length: Math.max(1, Number(minItems)) }, () => item)
  }

  return {
    valueOf: (schema, name, within) => valueAt(schema, { name, within, inside: [] }),
    bodiesOf(schema, within) {
      const fields = fieldsOf(schema)
      const needed = (schema['required'] ?? []) as string[]
      const others = Object.keys(fields).filter((name) => !needed.includes(name))
      const told = others.filter((name) => fields[name]!['examples'] !== undefined)
      const choices = [[...needed, ...told], needed, ...others.map((name) => [...needed, name]), [...needed, ...others]]
      const chosen = choices.filter((names) => names.length > 0)
      return [
        ...((schema['examples'] ?? []) as Json[]),
        ...formsOf(schema).flatMap((form) =>
          chosenIn(form, chosen).map((names) => objectAt(form, { name: '', within, inside: [] }, names)),
        ),
        {},
      ]
    },
  }
}

const formsOf = (schema: JsonObject): JsonObject[] => (schema['anyOf'] ?? schema['oneOf'] ?? [schema]) as JsonObject[]

const chosenIn = (form: JsonObject, chosen: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  chosen.length > 0 ? chosen : [Object.keys(fieldsOf(form))]

/** A map whose keys are known has fields of one kind. */
function fieldsOf({
  properties,
  propertyNames,
  required,
  additionalProperties,
}: JsonObject): Record<string, JsonObject> {
  if (properties) return properties as Record<string, JsonObject>
  const names = ((propertyNames as JsonObject | undefined)?.['enum'] ?? required ?? []) as string[]
  return Object.fromEntries(names.map((name) => [name, (additionalProperties ?? {}) as JsonObject]))
}

function scalar(schema: JsonObject): Json {
  const { type, format } = schema
  if (type === 'boolean') return (schema['default'] as boolean | undefined) ?? true
  if (type === 'integer' || type === 'number') return number(schema)
  if (type === 'null') return null
  if (type !== 'string') return 'example'
  const known = FORMATS[format as string]
  if (known !== undefined) return known
  const { minLength = 0 } = schema as { minLength?: number }
  return TEXTS.find((text) => fits(schema, text)) ?? 'example'.padEnd(minLength, '-example')
}

function number({ minimum, maximum, default: usual }: JsonObject): number {
  if (typeof usual === 'number') return usual
  return Math.min(Math.max(NUMBER, Number(minimum ?? 0)), Number(maximum ?? Infinity))
}

/** Whether a value may stand there, by its type and its limits. The fields of objects are not compared. */
export function fits(schema: JsonObject, value: Json): boolean {
  const { anyOf, enum: words, type, const: only } = schema
  if (Array.isArray(anyOf)) return (anyOf as JsonObject[]).some((each) => fits(each, value))
  if (words) return (words as Json[]).includes(value)
  if (only !== undefined) return value === only
  return type === undefined || ([type].flat().some((each) => isOfType(each, value)) && isWithin(schema, value))
}

function isOfType(type: Json, value: Json): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function isWithin(schema: JsonObject, value: Json): boolean {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    minLength = 0,
    maxLength = Infinity,
  } = schema as Readonly<Record<string, number>>
  if (typeof value === 'number') return value >= minimum && value <= maximum
  if (Array.isArray(value)) return value.every((each) => fits((schema['items'] ?? {}) as JsonObject, each))
  if (typeof value !== 'string') return true
  const length = Array.from(value).length
  const { pattern } = schema
  return length >= minLength && length <= maxLength && (pattern === undefined || matches(pattern as string, value))
}

const matches = (pattern: string, value: string): boolean => new RegExp(pattern, 'u').test(value)
