/** One `curl` line for a route, with values that its own schemas accept. */
import type { JsonObject, Json } from '../../src/kernel/events/store-port.ts'
import type { Operation, Parameter } from '../../src/kernel/http/openapi/operations.ts'
import { schemaIn } from '../../src/kernel/http/openapi/operations.ts'
import { bytesLimit } from '../../src/kernel/http/route.ts'
import type { Route } from '../../src/kernel/http/route.ts'

const ID = '0197a3c2-7c1e-7c52-9b1e-3f6a5d0c8e11'

/** By format. */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: ID,
  email: 'grace@example.com',
  'date-time': '2027-01-01T00:00:00Z',
  date: '2027-01-01',
  uri: 'https://example.com/hook',
}

/** By name, where any text is accepted but one says more. */
const NAMES: Readonly<Record<string, Json>> = {
  body: 'The shop is closed for an hour.',
  code: '123456',
  company: 'Example Ltd',
  currency: 'EUR',
  current: 'the password of today',
  hostname: 'panel.example.com',
  password: 'a long enough passphrase',
  new: 'a long enough passphrase',
  reason: 'requested by the customer',
  reference: 'order-1842',
  title: 'Maintenance',
  token: 'the-token-of-the-link',
  url: 'https://example.com/hook',
  version: '1.4.0',
  email: 'grace@example.com',
  refreshToken: 'the-refresh-token',
  slug: 'team',
  planSlug: 'starter',
  description: 'The website of the shop',
  colour: '#3366cc',
}

/** The first that a schema accepts. */
const TEXTS = [
  'Example',
  'example',
  '1.4.0',
  'example.created',
  '192.0.2.0/24',
  '#3366cc',
  '/api/example',
  'EUR',
  '42',
  'EXAMPLE',
  'e'.repeat(16),
  'e'.repeat(43),
  'e'.repeat(64),
  '0'.repeat(64),
]

/** Values that a schema may ask for, the likeliest first. */
function samples(schema: JsonObject, name: string): Json[] {
  const { type, format, enum: values, const: value, anyOf, oneOf } = schema
  if (value !== undefined) return [value]
  if (values) return values as Json[]
  const alternatives = (anyOf ?? oneOf) as JsonObject[] | undefined
  if (alternatives) return alternatives.filter((each) => each['type'] !== 'null').flatMap((each) => samples(each, name))
  if (type === 'object') return objects(schema)
  if (type === 'array') return lists(schema, name)
  if (type === 'boolean') return [true, false]
  if (type === 'integer' || type === 'number') return numbers(schema)
  const known = FORMATS[(format ?? '') as string]
  return known === undefined ? texts(schema, name) : [name === 'visibleUntil' ? '2027-02-01T00:00:00Z' : known]
}

function texts(schema: JsonObject, name: string): Json[] {
  const { pattern, minLength = 0, maxLength = Infinity } = schema as Readonly<Record<string, any>>
  const fits = (text: Json): boolean =>
    typeof text === 'string' &&
    text.length >= minLength &&
    text.length <= maxLength &&
    (pattern === undefined || new RegExp(pattern, 'u').test(text))
  const known = [NAMES[name] ?? [], TEXTS].flat().filter(fits)
  return known.length > 0 ? known : ['example'.padEnd(minLength, '-example')]
}

function numbers({ minimum, maximum }: JsonObject): Json[] {
  const [least, most] = [Number(minimum ?? 0), Number(maximum ?? Infinity)]
  return [Math.min(Math.max(10, least), most), least]
}

function lists({ items, minItems = 0 }: JsonObject, name: string): Json[] {
  const [item] = samples((items ?? {}) as JsonObject, name.replace(/s$/, ''))
  return item === undefined ? [[]] : [Array.from({ length: Math.max(1, Number(minItems)) }, () => item), []]
}

/** With the required fields; then with one more, with all, with none. */
function objects({ properties, required = [], additionalProperties }: JsonObject): Json[] {
  const needed = required as string[]
  const fields = (properties ?? recordOf(needed, additionalProperties as JsonObject)) as Record<string, JsonObject>
  const others = Object.keys(fields).filter((name) => !needed.includes(name))
  const holding = (names: readonly string[]): Json =>
    Object.fromEntries(
      Object.keys(fields).flatMap((name) => {
        const [value] = names.includes(name) ? samples(fields[name]!, name) : []
        return value === undefined ? [] : [[name, value]]
      }),
    )
  return [
    ...(needed.length > 0 ? [holding(needed)] : []),
    ...others.map((name) => holding([...needed, name])),
    holding([...needed, ...others]),
    {},
  ]
}

/** A map whose keys are known has fields of one kind. */
const recordOf = (names: readonly string[], each: JsonObject): Record<string, JsonObject> =>
  Object.fromEntries(names.map((name) => [name, each]))

/** A body that the route accepts, where it takes JSON. */
function bodyOf(route: Route, { spec }: Operation): Json | undefined {
  const { body } = route
  const schema = schemaIn(spec.requestBody)
  if (!body || !schema || bytesLimit(body) !== undefined) return undefined
  const accepted = samples(schema, '').find((value) => body.safeParse(value).success)
  if (accepted === undefined) throw new Error(`${route.line}: no example fits; add one to NAMES or TEXTS`)
  return accepted
}

const valueOf = ({ name, schema }: Parameter): string => samples(schema, name)[0] as string

function addressOf({ path, spec }: Operation, base: string): string {
  const given = spec.parameters.filter((parameter) => parameter.in === 'path')
  const filled = given.reduce((url, each) => url.replace(`{${each.name}}`, encodeURIComponent(valueOf(each))), path)
  const query = spec.parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = query.map((each) => `${each.name}=${encodeURIComponent(valueOf(each))}`).join('&')
  return `${base}${filled}${search === '' ? '' : `?${search}`}`
}

const SIGNED = [`-H "Signature-Input: $SIGNATURE_INPUT"`, `-H "Signature: $SIGNATURE"`]

function credentialOf({ access: { kinds } }: Route): string[] {
  if (kinds.length === 0) return []
  return kinds.includes('signed') ? SIGNED : [`-H "Authorization: Bearer $SESSION"`]
}

function contentOf(route: Route, operation: Operation): string[] {
  const bytes = route.upload !== undefined || (route.body !== undefined && bytesLimit(route.body) !== undefined)
  if (bytes) return [`-H 'Content-Type: application/octet-stream'`, '--data-binary @file']
  const body = bodyOf(route, operation)
  return body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]
}

/** @param base the shell variable that holds the service's address, such as `$URL` */
export function exampleOf(route: Route, operation: Operation, base: string): string {
  const content = contentOf(route, operation)
  const usual = content.length > 0 ? 'POST' : 'GET'
  const method = route.method === usual ? '' : `-X ${route.method} `
  return [`curl -s ${method}"${addressOf(operation, base)}"`, ...credentialOf(route), ...content].join(' \\\n  ')
}
