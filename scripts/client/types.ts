/** Writes a JSON Schema as a TypeScript type. */
import type { Json, JsonObject } from '../../src/kernel/events/store-port.ts'
import type { Named, Part } from './repeated.ts'

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** Types that have a name, by their texts. */
export type NamedTypes = ReadonlyMap<string, Named<JsonObject>>
const NONE: NamedTypes = new Map()

/**
 * @param named are written in place of the types themselves, at any depth
 * @throws Error for a keyword that the API has not used so far
 */
export function typeOf(schema: JsonObject, named: NamedTypes = NONE): string {
  const known = named.size > 0 ? named.get(typeOf(schema)) : undefined
  return known?.name ?? typeInFull(schema, named)
}

/** As `typeOf`, written in full, though it may have a name itself. */
export function typeInFull(schema: JsonObject, named: NamedTypes): string {
  const { $ref, oneOf, anyOf = oneOf, type } = schema
  if (typeof $ref === 'string') return typeName($ref.replace('#/components/schemas/', ''))
  if (schema['enum']) return union((schema['enum'] as Json[]).map((value) => JSON.stringify(value)))
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (anyOf) return union((anyOf as JsonObject[]).map((each) => typeOf(each, named)))
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each }, named)))
  if (type === 'array') return `readonly ${inParentheses(typeOf((schema['items'] ?? {}) as JsonObject, named))}[]`
  if (type === 'object') return objectType(schema, named)
  if (type === undefined && Object.keys(schema).every((keyword) => keyword === 'description')) return 'unknown'
  const primitive = PRIMITIVES[type as string]
  if (primitive === undefined) throw new Error(`No type for the schema ${JSON.stringify(schema)}`)
  return primitive
}

/**
 * A list or a nullable type is no part itself, but what it is made of.
 *
 * @param nameOf the name of a type, by the fields that lead to it
 */
export function typeParts(schema: JsonObject, nameOf: NameOf, fields: readonly string[] = []): Part<JsonObject>[] {
  const { anyOf, oneOf, items, properties = {}, additionalProperties } = schema
  const choices = ((anyOf ?? oneOf ?? []) as JsonObject[]).filter(({ type }) => type !== 'null')
  const within = [...choices, additionalProperties].filter((each) => typeof each === 'object') as JsonObject[]
  const ofOne = [...fields.slice(0, -1), ...fields.slice(-1).map(singular)]
  const parts = [
    ...within.flatMap((each) => typeParts(each, nameOf, fields)),
    ...(items ? typeParts(items as JsonObject, nameOf, ofOne) : []),
    ...Object.entries(properties as Record<string, JsonObject>).flatMap(([field, each]) =>
      typeParts(each, nameOf, [...fields, field]),
    ),
  ]
  if (items || choices.length === 1) return parts
  return [{ source: schema, text: typeOf(schema), name: nameOf(fields), parts }]
}

/** A name for what stands at these fields; for the whole, there are none. */
export type NameOf = (fields: readonly string[]) => string

export const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

export const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<!s|u)s$/, '')

/** The name of a component, as an identifier. */
export const typeName = (component: string): string => component.replaceAll(/\W+/g, '')

/** @returns an empty text if there is nothing to say */
export function comment(text: Json | undefined): string {
  return typeof text === 'string' ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : ''
}

export const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

function objectType(
  { properties = {}, required = [], additionalProperties, propertyNames }: JsonObject,
  named: NamedTypes,
): string {
  const needed = required as string[]
  const fields = Object.entries(properties as Record<string, JsonObject>).map(([name, schema]) => {
    const [mark, more] = needed.includes(name) ? ['', ''] : ['?', ' | undefined']
    return `${comment(schema['description'] ?? (schema['unit'] === 'minor' ? 'In minor units.' : undefined))}readonly ${property(name)}${mark}: ${typeOf(schema, named)}${more}\n`
  })
  if (fields.length > 0 || typeof additionalProperties !== 'object') return `{\n${fields.join('')}}`
  const value = typeOf(additionalProperties as JsonObject, named)
  const { enum: keys } = (propertyNames ?? {}) as JsonObject
  if (!keys) return `{ readonly [name: string]: ${value} }`
  const record = `Readonly<Record<${typeOf({ enum: keys }, named)}, ${value}>>`
  return needed.length > 0 ? record : `Partial<${record}>`
}

/** Of text that may also be a certain text, the type is `string`. */
function union(types: readonly string[]): string {
  const all = new Set(types)
  return [...all].filter((type) => !(type.startsWith('"') && all.has('string'))).join(' | ')
}

const inParentheses = (type: string): string => (/[ |]/.test(type) && !type.startsWith('{') ? `(${type})` : type)
