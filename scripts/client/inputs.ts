/** Writes what query and body may contain, as constants that pages make forms of. */
import type { Json, JsonObject } from '../../src/kernel/events/store-port.ts'
import { parametersAsSchema, schemaIn } from '../../src/kernel/http/openapi/operations.ts'
import { repeatedIn } from './repeated.ts'
import type { Named, Part } from './repeated.ts'
import { isUpload, namesOf, parametersIn } from './spec.ts'
import type { Spec } from './spec.ts'
import { capitalized, property } from './types.ts'
import type { NameOf } from './types.ts'

/** What stands more than once, by its text. */
export type Inputs = ReadonlyMap<string, Named<Json>>

export function inputsOf(spec: Spec): Readonly<Record<string, Json>> {
  const query = parametersIn(spec, 'query')
  const body = isUpload(spec) ? undefined : schemaIn(spec.requestBody)
  return {
    ...(query.length > 0 ? { query: inputSchema(parametersAsSchema(query)) } : {}),
    ...(body ? { body: inputSchema(body) } : {}),
  }
}

export const repeatedInputs = (specs: readonly Spec[]): Inputs =>
  repeatedIn(
    specs.flatMap((spec) =>
      Object.entries(inputsOf(spec)).map(([place, schema]) => partOf(schema, namesOf(spec, capitalized(place), ''))),
    ),
  )

/** @param isOfFields whether the keys of the value are names of fields, not keywords */
function partOf(value: Json, nameOf: NameOf, fields: readonly string[] = [], isOfFields = false): Part<Json> {
  const below = (key: string) => (isOfFields ? [...fields, key] : key === 'items' ? [...fields, 'item'] : fields)
  const parts = Array.isArray(value)
    ? value.map((each) => partOf(each, nameOf, fields))
    : Object.entries(isObject(value) ? value : {}).map(([key, each]) =>
        partOf(each, nameOf, below(key), !isOfFields && key === 'properties'),
      )
  return { source: value, text: JSON.stringify(value), name: uncapitalized(nameOf(fields)), parts }
}

const uncapitalized = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns the value as a literal, in which what is repeated stands by its name */
export function literal(value: Json, repeated: Inputs): string {
  return repeated.get(JSON.stringify(value))?.name ?? literalInFull(value, repeated)
}

function literalInFull(value: Json, repeated: Inputs): string {
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, repeated)).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, each]) => `${property(key)}: ${literal(each, repeated)}`)
  return `{ ${fields.join(', ')} }`
}

/** The smallest come first, since a constant must stand before it is used. */
export const inputConstants = (repeated: Inputs): string[] =>
  [...repeated]
    .toSorted(([one], [other]) => one.length - other.length)
    .map(([, { name, source }]) => `export const ${name} = ${literalInFull(source, repeated)} as const`)

/** Without what follows from `format` and `type`, and without examples, which a form does not show. */
function inputSchema(schema: JsonObject): Json {
  return JSON.parse(
    JSON.stringify(schema, (name, value: Json) => {
      if (!isObject(value) || name === 'properties') return value
      const { pattern, minimum, maximum, examples: _examples, ...rest } = value
      return {
        ...rest,
        ...(pattern !== undefined && rest['format'] === undefined ? { pattern } : {}),
        ...(isBound(minimum) ? { minimum } : {}),
        ...(isBound(maximum) ? { maximum } : {}),
      }
    }),
  ) as Json
}

const isBound = (limit: Json | undefined): limit is number =>
  typeof limit === 'number' && Math.abs(limit) !== Number.MAX_SAFE_INTEGER
