/** Describes fields by their name, once for a service, where their schema has no description of its own. */
import type { Json, JsonObject } from '../../events/store-port.ts'

/**
 * By field: what it holds, and a value of it. `plans.active` is the field in operations of that tag, and `Plan.active`
 * in the component of that name.
 */
export type FieldNotes = Readonly<Record<string, FieldNote>>
type FieldNote = readonly [text: string, example?: Json]

/** @param within a tag or the name of a component */
export function noteOf(notes: FieldNotes, field: string, within: string): FieldNote | undefined {
  const key = [`${within}.${field}`, field].find((name) => Object.hasOwn(notes, name))
  return key === undefined ? undefined : notes[key]
}

/** @returns the document with a description of each field that has a note and no description of its own */
export function withNotes(document: JsonObject, notes: FieldNotes): JsonObject {
  const { schemas, ...components } = document['components'] as JsonObject
  const paths = Object.entries(document['paths'] as Record<string, JsonObject>).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods as Record<string, { readonly tags: readonly string[] } & JsonObject>).map(
        ([method, operation]) => [method, described(operation, operation.tags[0]!, notes)],
      ),
    ),
  ])
  const shared = Object.entries(schemas as JsonObject).map(([name, schema]) => [name, described(schema, name, notes)])
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(shared), ...components },
  }
}

function described(node: Json, within: string, notes: FieldNotes): Json {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((each) => described(each, within, notes))
  const inside = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, described(value, within, notes)]))
  const { name, in: place, properties } = inside
  if (isObject(properties)) inside['properties'] = eachDescribed(properties, within, notes)
  return typeof name === 'string' && typeof place === 'string' ? withNote(inside, name, within, notes) : inside
}

const eachDescribed = (properties: JsonObject, within: string, notes: FieldNotes): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => [
      field,
      isObject(schema) ? withNote(schema, field, within, notes) : schema,
    ]),
  )

function withNote(node: JsonObject, field: string, within: string, notes: FieldNotes): JsonObject {
  const text = descriptionOf(node) ?? noteOf(notes, field, within)?.[0]
  return text === undefined ? node : { ...node, description: text }
}

/** Of a field that may be null, the description may stand in the other alternative. */
function descriptionOf({ description, anyOf }: JsonObject): Json | undefined {
  if (description !== undefined || !Array.isArray(anyOf)) return description
  const [one, ...more] = (anyOf as JsonObject[]).filter(({ type }) => type !== 'null')
  return more.length === 0 ? one?.['description'] : undefined
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
