/** Says of each field with the id of another record which records it names. */
import type { Json, JsonObject } from '../../events/store-port.ts'

/** Field → the path of the records below the API's prefix, such as `customerId` → `customers`. */
export type References = Readonly<Record<string, string>>

/** @returns the JSON with `x-names` in the schemas of these fields, and of these parameters of a query */
export function withReferences(node: Json, references: References): Json {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((each) => withReferences(each, references))
  const { name, in: place, schema, properties } = node
  const inside = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withReferences(value, references)]),
  )
  if (isObject(properties)) inside['properties'] = namedIn(inside['properties'] as JsonObject, references)
  const names = typeof name === 'string' && place === 'query' ? references[name] : undefined
  if (names !== undefined && isObject(schema))
    inside['schema'] = { ...(inside['schema'] as JsonObject), 'x-names': names }
  return inside
}

const namedIn = (properties: JsonObject, references: References): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => [
      field,
      Object.hasOwn(references, field) && isObject(schema) ? { ...schema, 'x-names': references[field]! } : schema,
    ]),
  )

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
