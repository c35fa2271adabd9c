/** What the API documents say of fields: each request field is described, examples fit, and limits are those of the code. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allowedIpsInput, parseAllowedIps } from '#kernel/credentials/allowed-ips'
import { checkNewPassword, firstPasswordInput, newPasswordInput } from '#kernel/credentials/password-policy'
import type { Json, JsonObject } from '#kernel/events/store-port'
import { exampleIn, operationsOf, parametersAsSchema, schemaIn } from '#kernel/http/openapi/operations'
import type { Operation } from '#kernel/http/openapi/operations'
import { bytesLimit } from '#kernel/http/route'
import type { Route } from '#kernel/http/route'
import { DOCUMENTED, commonRoutes, documentOf } from '../../scripts/reference/documents.ts'

/** Their answers are no JSON of a schema: files, and this document. */
const WITHOUT_EXAMPLE = [
  'GET /',
  'GET /api/admin/audit/export',
  'GET /api/admin/exports/{resource}',
  'GET /api/openapi.json',
]

const SERVICES = DOCUMENTED.map((service) => ({
  name: service.name,
  service,
  document: documentOf(service),
  routes: [...service.sections.flatMap(({ routes }) => routes), ...commonRoutes(service)],
}))

interface FieldAt {
  /** The names from the body on; of the items of a list, 0. */
  readonly path: readonly (string | number)[]
  readonly schema: JsonObject
}

const objectOf = (value: unknown): JsonObject => (value ?? {}) as JsonObject

/** Every field, those of nested objects, items and alternatives included. */
function fieldsIn(schema: JsonObject, path: FieldAt['path'] = []): FieldAt[] {
  const own = Object.entries(objectOf(schema['properties'])).flatMap(([name, field]) => [
    { path: [...path, name], schema: objectOf(field) },
    ...fieldsIn(objectOf(field), [...path, name]),
  ])
  const items = schema['items'] === undefined ? [] : fieldsIn(objectOf(schema['items']), [...path, 0])
  return [...own, ...items, ...alternativesOf(schema).flatMap((each) => fieldsIn(each, path))]
}

const alternativesOf = ({ anyOf = [] }: JsonObject): JsonObject[] => anyOf as JsonObject[]

const lineOf = ({ method, path }: Operation): string => `${method} ${path}`

/** Zod compiles patterns without the flag that these need. */
const isUnicodePattern = (key: string, value: unknown): boolean => key === 'pattern' && /\\p\{/i.test(value as string)

/** A schema of the document on its own, without rules about which fields are given: Zod does not read those. */
const standalone = ({ allOf: _rules, ...schema }: JsonObject, document: JsonObject): JsonObject =>
  JSON.parse(
    JSON.stringify({ ...schema, $defs: objectOf(document['components'])['schemas'] }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    ),
    (key, value: unknown) => (isUnicodePattern(key, value) ? undefined : value),
  ) as JsonObject

/** Texts that no pattern and no format of the document accepts. */
const NO_TEXTS = ['“', '\u0007', ' ']

interface Edges {
  readonly within: readonly Json[]
  readonly beyond: readonly Json[]
}

/** Values at the limits of a field and just beyond them. */
function edgesOf(schema: JsonObject, sample: Json | undefined): Edges {
  const [other, ...more] = alternativesOf(schema).filter(({ type }) => type !== 'null')
  if (other) return more.length > 0 ? { within: [], beyond: [] } : edgesOf(other, sample)
  const { type, enum: words, const: only } = schema
  if (words !== undefined || only !== undefined)
    return { within: (words ?? [only]) as Json[], beyond: ['no such word'] }
  if (type === 'integer') return edgesOfNumber(schema)
  if (type === 'boolean') return { within: [true, false], beyond: ['yes', 1] }
  if (type === 'array') return edgesOfList(schema, sample)
  if (type === 'string') return edgesOfText(schema)
  const isClosed = type === 'object' && schema['additionalProperties'] === false
  return { within: [], beyond: isClosed ? [{ noSuchField: 1 }, 'text'] : [] }
}

function edgesOfNumber({ minimum, maximum }: JsonObject): Edges {
  const [least, most] = [minimum as number, maximum as number]
  const isTellable = (bound: number): boolean => Number.isSafeInteger(bound)
  return { within: [least, most], beyond: [least - 1, most + 1].filter(isTellable) }
}

/** OpenAPI's `password` says how a text is shown, not which texts it may be. */
const isLimit = (format: unknown): boolean => format !== undefined && format !== 'password'

function edgesOfText(schema: JsonObject): Edges {
  const { minLength = 0, maxLength, pattern, format } = schema as { [key: string]: unknown; minLength?: number }
  const most = maxLength as number | undefined
  const ofLength = (length: number): string =>
    format === 'email' ? `@example.com`.padStart(length, 'a') : 'a'.repeat(length)
  const lengths = most === undefined ? [] : [most]
  const matches = (text: string): boolean => pattern === undefined || new RegExp(pattern as string, 'u').test(text)
  return {
    within: [minLength, ...lengths]
      .filter((length) => length > 0)
      .map(ofLength)
      .filter(matches),
    beyond: [
      ...(minLength > 0 ? [ofLength(minLength - 1)] : []),
      ...lengths.map((length) => ofLength(length + 1)),
      ...NO_TEXTS.filter((text) => !matches(text) || isLimit(format)),
    ],
  }
}

function edgesOfList({ minItems = 0, maxItems }: JsonObject, sample: Json | undefined): Edges {
  const [item] = (sample ?? []) as Json[]
  const [least, most] = [minItems as number, maxItems as number | undefined]
  const ofLength = (length: number): Json => Array.from({ length }, () => item!)
  if (item === undefined || typeof item === 'object') return { within: [], beyond: [] }
  return {
    within: [least, ...(most === undefined ? [] : [most])].map(ofLength),
    beyond: [...(least > 0 ? [ofLength(least - 1)] : []), ...(most === undefined ? [] : [ofLength(most + 1)])],
  }
}

/** @returns undefined where the value has no such place */
function withValueAt(whole: Json, [step, ...rest]: FieldAt['path'], value: Json): Json | undefined {
  if (step === undefined) return value
  if (typeof whole !== 'object' || whole === null) return undefined
  const within = (whole as Record<string | number, Json>)[step]
  const inside = rest.length > 0 && within === undefined ? undefined : withValueAt(within ?? null, rest, value)
  if (inside === undefined) return undefined
  if (Array.isArray(whole)) return whole.map((each, index) => (index === step ? inside : each))
  return { ...whole, [step]: inside }
}

const valueAt = (whole: Json, path: FieldAt['path']): Json | undefined =>
  path.reduce<Json | undefined>((at, step) => (at as Record<string | number, Json> | undefined)?.[step], whole)

interface Input {
  readonly schema: JsonObject
  readonly input: z.ZodType
  /** A value that the input accepts. */
  readonly base: Json
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

function inputsOf({ spec }: Operation, { body, query }: Route): Input[] {
  const [schema, inQuery] = [schemaIn(spec.requestBody), spec.parameters.filter((each) => each.in === 'query')]
  const given = inQuery.flatMap(({ name, example }) => (example === undefined ? [] : [[name, textOf(example)]]))
  return [
    ...(body && schema && bytesLimit(body) === undefined
      ? [{ schema, input: body, base: exampleIn(spec.requestBody)! }]
      : []),
    ...(query ? [{ schema: parametersAsSchema(inQuery), input: query, base: Object.fromEntries(given) as Json }] : []),
  ]
}

/** Whether the schema refuses the field. Rules about several fields, and unions, name the object that holds it. */
const refuses = (schema: z.ZodType, value: Json, path: FieldAt['path']): boolean =>
  (schema.safeParse(value).error?.issues ?? []).some((issue) => path.every((step, index) => issue.path[index] === step))

const isAccepted = (schema: z.ZodType, value: Json): boolean => schema.safeParse(value).success

/** Their limits are those of a rule that a handler asks, see the tests below. */
const HELD_BY_RULES = ['allowedIps', 'new', 'password', 'permissions', 'scopes']
/** What no limit can say: it is the sender of a mail. */
const JUDGED_FURTHER = ['mail.from']

describe.each(SERVICES)('$name', ({ service, document, routes }) => {
  const operations = operationsOf(document)
  const routeOf = ({ method, path }: Operation): Route =>
    routes.find((route) => route.method === method && route.path.replaceAll(/:(\w+)/g, '{$1}') === path)!

  test('every section is described', () => {
    const tags = document['tags'] as unknown as readonly { name: string; description?: string }[]
    expect(tags.length).toBeGreaterThan(15)
    expect(tags.filter(({ description }) => !description?.endsWith('.'))).toEqual([])
  })

  test('every section that is described exists', () => {
    const tags = new Set(operations.flatMap(({ spec }) => spec.tags))
    expect(Object.keys(service.docs.sections!).filter((name) => !tags.has(name))).toEqual([])
  })

  test('every field of a request says what it holds', () => {
    const nameless = operations.flatMap((operation) => {
      const { parameters, requestBody } = operation.spec
      const fields = [parametersAsSchema(parameters), schemaIn(requestBody) ?? {}].flatMap((schema) => fieldsIn(schema))
      return fields
        .filter(({ schema }) => schema['description'] === undefined)
        .map(({ path }) => `${lineOf(operation)}: ${path.join('.')}`)
    })
    expect(nameless).toEqual([])
  })

  test('every note describes a field', () => {
    const described = new Set<string>()
    const note = (within: string, schema: JsonObject) => {
      for (const { path } of fieldsIn(schema)) {
        const name = String(path.findLast((step) => typeof step === 'string'))
        described.add(name).add(`${within}.${name}`)
      }
    }
    for (const { spec } of operations) {
      const [tag] = spec.tags
      note(tag, parametersAsSchema(spec.parameters))
      for (const message of [spec.requestBody, ...Object.values(spec.responses)]) note(tag, schemaIn(message) ?? {})
    }
    for (const [name, schema] of Object.entries(objectOf(objectOf(document['components'])['schemas'])))
      note(name, objectOf(schema))
    const common = new Set(
      Object.keys(SERVICES[0]!.service.docs.fields!).filter((name) => SERVICES[1]!.service.docs.fields![name]),
    )
    const unused = Object.keys(service.docs.fields!).filter((name) => !described.has(name) && !common.has(name))
    expect(unused).toEqual([])
  })

  test('every JSON body has an example that the document and the route accept', () => {
    const bodies = operations.filter(({ spec }) => Object.keys(schemaIn(spec.requestBody) ?? {}).length > 0)
    expect(bodies.length).toBeGreaterThan(50)
    for (const operation of bodies) {
      const example = exampleIn(operation.spec.requestBody)
      const schema = standalone(schemaIn(operation.spec.requestBody)!, document)
      expect(z.fromJSONSchema(schema).safeParse(example).error, `${lineOf(operation)}: the document`).toBeUndefined()
      expect(routeOf(operation).body!.safeParse(example).error, `${lineOf(operation)}: the route`).toBeUndefined()
    }
  })

  test('every JSON answer has an example that the document and the route accept', () => {
    const lacking: string[] = []
    for (const operation of operations)
      for (const [status, response] of Object.entries(operation.spec.responses)) {
        if (Number(status) >= 400 || response.content?.['application/json'] === undefined) continue
        const example = exampleIn(response)
        if (example === undefined) {
          lacking.push(lineOf(operation))
          continue
        }
        const { reply } = routeOf(operation)
        const parsed = (
          reply instanceof z.ZodType ? reply : (reply as unknown as { schema: z.ZodType }).schema
        ).safeParse(example)
        expect(parsed.error, `${lineOf(operation)}: the route`).toBeUndefined()
        const schema = standalone(schemaIn(response)!, document)
        expect(z.fromJSONSchema(schema).safeParse(example).error, `${lineOf(operation)}: the document`).toBeUndefined()
      }
    expect([...new Set(lacking)].filter((line) => !WITHOUT_EXAMPLE.includes(line))).toEqual([])
  })

  test('limits of fields are those that the routes hold', () => {
    const [wrong, tried] = [[] as string[], { within: 0, beyond: 0 }]
    for (const operation of operations) {
      const route = routeOf(operation)
      for (const { schema, input, base } of inputsOf(operation, route)) {
        for (const field of fieldsIn(schema)) {
          const edges = edgesOf(field.schema, valueAt(base, field.path))
          for (const kind of ['within', 'beyond'] as const)
            for (const value of edges[kind]) {
              const whole = withValueAt(base, field.path, value)
              if (whole === undefined) continue
              tried[kind] += 1
              const name = field.path.join('.')
              const isWrong =
                kind === 'within'
                  ? refuses(input, whole, field.path) && !JUDGED_FURTHER.includes(name)
                  : isAccepted(input, whole) && !HELD_BY_RULES.includes(name)
              if (isWrong) wrong.push(`${lineOf(operation)}: ${name} ${kind} ${JSON.stringify(value).slice(0, 60)}`)
            }
        }
      }
    }
    expect(tried.within).toBeGreaterThan(200)
    expect(tried.beyond).toBeGreaterThan(200)
    expect(wrong).toEqual([])
  })
})

const limitsOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' }) as { [key: string]: number } & object

/** Hard to guess at any length. */
const passwordOf = (length: number): string => 'kq7zm2xv9wj4tb6hr8nc3pf5gd'.repeat(10).slice(0, length)

test.each([
  ['of an account without a second factor', firstPasswordInput, { withTotp: false }],
  ['beside a second factor', newPasswordInput, { withTotp: true }],
])('the limits of a new password are those of the policy: %s', async (_which, input, policy) => {
  const { minLength, maxLength } = limitsOf(input)
  for (const length of [minLength!, maxLength!]) await checkNewPassword(passwordOf(length), policy)
  for (const length of [minLength! - 1, maxLength! + 1])
    await expect(checkNewPassword(passwordOf(length), policy)).rejects.toMatchObject({ statusCode: 400 })
})

test('the limits of a list of addresses are those of its parser', () => {
  const { maxItems } = limitsOf(allowedIpsInput)
  const rules = (length: number): string[] => Array.from({ length }, (_, index) => `192.0.2.${index}`)
  expect(parseAllowedIps(rules(maxItems!))).toHaveLength(maxItems!)
  expect(() => parseAllowedIps(rules(maxItems! + 1))).toThrow('at most 100 rules')
  const { items } = limitsOf(allowedIpsInput) as unknown as { items: { pattern: string } }
  for (const rule of ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32'])
    expect([new RegExp(items.pattern, 'u').test(rule), parseAllowedIps([rule])]).toEqual([true, [rule]])
  for (const rule of ['192.0.2.1/', 'example.com', '192.0.2.1/1000'])
    expect(new RegExp(items.pattern, 'u').test(rule)).toBe(false)
})
