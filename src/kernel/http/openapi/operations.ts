/** What pages for people show of an OpenAPI document that `openapi.ts` has made. */
import type { Json, JsonObject } from '../../events/store-port.ts'
import type { StateTable } from '../in-state.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonObject
  readonly example?: Json
}

interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: JsonObject; readonly example?: Json }>>
}

export interface Spec {
  readonly operationId: string
  readonly description: string
  readonly tags: readonly [string]
  readonly 'x-open-to': readonly string[]
  readonly 'x-permission'?: string
  readonly 'x-scope'?: string
  readonly 'x-requires'?: readonly string[]
  /** Of these names the caller needs one. */
  readonly 'x-asks'?: readonly string[]
  readonly 'x-step-up'?: true
  /** The values of fields of the record from which a call can change something; `set` is any but null. */
  readonly 'x-from'?: StateTable
  readonly 'x-shown-once'?: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Response>>
}

/** Such as `status` is `ACTIVE` or `GRACE`, and `keyId` is set. */
export const statesText = ({ 'x-from': from = {} }: Spec, code: (text: string) => string): string =>
  Object.entries(from)
    .map(([field, values]) => {
      const words = values === 'set' ? 'set' : values.map((value) => code(String(value))).join(' or ')
      return `${code(field)} is ${words}`
    })
    .join(', and ')

export interface Operation {
  readonly method: string
  /** With `{id}` for a parameter. */
  readonly path: string
  readonly spec: Spec
}

export function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(document['paths'] as JsonObject).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Record<string, Spec>).map(([method, spec]) => ({
      method: method.toUpperCase(),
      path,
      spec,
    })),
  )
}

/** As `operationsOf`, for pages that show all fields: schemas stand in place of references to them. */
export function operationsWithFieldsOf(document: JsonObject): Operation[] {
  const { schemas } = document['components'] as { readonly schemas: Record<string, JsonObject> }
  const whole = (node: Json, within: readonly string[]): Json => {
    if (typeof node !== 'object' || node === null) return node
    if (Array.isArray(node)) return node.map((each) => whole(each, within))
    const name = schemaNameIn(node)
    if (name === undefined || name === 'Error' || within.includes(name))
      return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, whole(value, within)]))
    const { $ref: _, ...more } = node
    return whole({ ...schemas[name]!, ...more }, [...within, name])
  }
  return operationsOf({ paths: whole(document['paths']!, []) })
}

const schemaNameIn = ({ $ref }: JsonObject): string | undefined =>
  typeof $ref === 'string' ? /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1] : undefined

/** The schema of a request body or of a response. */
export function schemaIn(message: unknown): JsonObject | undefined {
  const content = (message as Partial<Response> | undefined)?.content
  return content && Object.values(content)[0]?.schema
}

export function exampleIn(message: unknown): Json | undefined {
  const content = (message as Partial<Response> | undefined)?.content
  return content && Object.values(content)[0]?.example
}

export function parametersAsSchema(parameters: readonly Parameter[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
}
