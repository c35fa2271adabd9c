/** Writes a JSON Schema as a TypeScript type. */
import type { Json, JsonObject } from '../../src/kernel/events/store-port.ts'

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** @throws Error for a keyword that the API has not used so far */
export function typeOf(schema: JsonObject): string {
  const { $ref, oneOf, anyOf = oneOf, type } = schema
  if (typeof $ref === 'string') return typeName($ref.replace('#/components/schemas/', ''))
  if (schema['enum']) return union((schema['enum'] as Json[]).map((value) => JSON.stringify(value)))
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (anyOf) return union((anyOf as JsonObject[]).map(typeOf))
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each })))
  if (type === 'array') return `readonly ${inParentheses(typeOf((schema['items'] ?? {}) as JsonObject))}[]`
  if (type === 'object') return objectType(schema)
  if (type === undefined && Object.keys(schema).every((keyword) => keyword === 'description')) return 'unknown'
  const primitive = PRIMITIVES[type as string]
  if (primitive === undefined) throw new Error(`No type for the schema ${JSON.stringify(schema)}`)
  return primitive
}

/** The name of a component, as an identifier. */
export const typeName = (component: string): string => component.replaceAll(/\W+/g, '')

/** @returns an empty text if there is nothing to say */
export function comment(text: Json | undefined): string {
  return typeof text === 'string' ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : ''
}

export const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

function objectType({ properties = {}, required = [], additionalProperties, propertyNames }: JsonObject): string {
  const needed = required as string[]
  const fields = Object.entries(properties as Record<string, JsonObject>).map(([name, schema]) => {
    const [mark, more] = needed.includes(name) ? ['', ''] : ['?', ' | undefined']
    return `${comment(schema['description'] ?? (schema['unit'] === 'minor' ? 'In minor units.' : undefined))}readonly ${property(name)}${mark}: ${typeOf(schema)}${more}\n`
  })
  if (fields.length > 0 || typeof additionalProperties !== 'object') return `{\n${fields.join('')}}`
  const value = typeOf(additionalProperties as JsonObject)
  const { enum: names } = (propertyNames ?? {}) as JsonObject
  if (!names) return `{ readonly [name: string]: ${value} }`
  const record = `Readonly<Record<${typeOf({ enum: names })}, ${value}>>`
  return needed.length > 0 ? record : `Partial<${record}>`
}

/** Of text that may also be a certain text, the type is `string`. */
function union(types: readonly string[]): string {
  const all = new Set(types)
  return [...all].filter((type) => !(type.startsWith('"') && all.has('string'))).join(' | ')
}

const inParentheses = (type: string): string => (/[ |]/.test(type) && !type.startsWith('{') ? `(${type})` : type)
