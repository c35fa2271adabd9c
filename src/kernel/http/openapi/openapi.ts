/** Generates the OpenAPI 3.1 document from the routes. It contains only what routes declare. */
import { z } from 'zod'
import type { Json, JsonObject } from '../../events/store-port.ts'
import { acceptsIdempotencyKey } from '../idempotency.ts'
import { uuidParams } from '../input.ts'
import { isBodiless } from '../reply.ts'
import { asksOf, requirementOf } from '../requirement.ts'
import { isCachedReply } from '../route.ts'
import type { Route } from '../route.ts'
import { withExamples } from './examples.ts'
import { withNotes } from './field-notes.ts'
import type { FieldNotes } from './field-notes.ts'
import { withReferences } from './references.ts'
import type { References } from './references.ts'
import { Schemas } from './schemas.ts'

export interface ErrorCode {
  readonly status: number
  readonly code: string
  /** What changes from one answer to the next is `…`. */
  readonly message: string
}

export interface Docs {
  readonly title: string
  readonly version: string
  readonly description: string
  /** For each kind of credential: what it is and how to get it. */
  readonly credentials?: Readonly<Record<string, string>>
  /** The kinds of credentials that sign each request. */
  readonly signing?: readonly string[]
  /** For each kind of role, such as those of staff: the permissions that each role holds. */
  readonly roles?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** For each kind of credential: the permissions that it can never hold. */
  readonly bans?: Readonly<Record<string, readonly string[]>>
  /** For each kind of event: the sections that show it. */
  readonly kinds?: Readonly<Record<string, readonly string[]>>
  /** The fields of events that are amounts in whole minor units, where their record has a `currency`. */
  readonly amounts?: readonly string[]
  /** The state that a record has after an event, for events whose name tells it. */
  readonly states?: Readonly<Record<string, string>>
  /** What the header `Error-Code` may hold. */
  readonly errorCodes: readonly ErrorCode[]
  readonly references?: References
  /** What fields hold, see `withNotes`. */
  readonly fields?: FieldNotes
  /** For each section, which is a tag: what it is about, in a sentence. */
  readonly sections?: Readonly<Record<string, string>>
}

/** The reason for each error status, and the headers that come with it. */
const ERROR_STATUSES: Readonly<Record<number, readonly [description: string, ...headers: string[]]>> = {
  400: ['The input does not match the schema or breaks a rule'],
  401: ['The credential is missing or not accepted', 'WWW-Authenticate'],
  402: ['A limit of the plan is reached; it can be raised'],
  403: ['The route is not open to this credential, or a permission is missing'],
  404: ['Not found'],
  408: ['The body arrived too slowly'],
  409: ['In conflict with the current state'],
  412: ['The record has changed since the version that If-Match names'],
  413: ['The body is too large'],
  415: ['The body is not application/json, or what is asked for is of a type that is not served'],
  429: ['Too many failed attempts or requests', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
  500: ['An internal error; report the X-Request-Id'],
  503: ['Temporarily unavailable; try again', 'Retry-After'],
}

const HEADERS: Readonly<Record<string, string>> = {
  'X-Request-Id': 'The id of this request in the log and in the audit trail',
  'Error-Code': 'The error code for programs',
  'Event-Position': 'The position of the last event that this request appended',
  'Projection-Lag': 'Present if lists do not show the change yet',
  'Idempotent-Replayed': 'Present if this is the response to an earlier request with the same Idempotency-Key',
  'Retry-After': 'Seconds to wait',
  'WWW-Authenticate': 'The scheme: Bearer, or Signature for signed requests',
  ETag: 'Of a cached answer: send it as If-None-Match to get 304 while it is unchanged. Of a record: send it as If-Match with a change',
  Vary: 'Accept-Encoding: the response is compressed with br or gzip if the client accepts it',
  RateLimit: 'The remaining quota (draft-ietf-httpapi-ratelimit-headers-11)',
  'RateLimit-Policy': 'The quota (draft-ietf-httpapi-ratelimit-headers-11)',
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the same key within 24 hours gets the first response; the change is made once',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const IF_NONE_MATCH: JsonObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the response that the client has cached',
  schema: { type: 'string' },
}

const IF_MATCH: JsonObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the record as it was read: the change is refused with 412 if the record has changed since',
  schema: { type: 'string' },
}

const ERROR: JsonObject = {
  type: 'object',
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status.' },
    message: { type: 'string', description: 'What is wrong and what to do. Programs decide by the header Error-Code.' },
  },
  required: ['statusCode', 'message'],
  additionalProperties: false,
  examples: [{ statusCode: 404, message: 'Not found' }],
}

/** @throws Error if two routes have the same operationId */
export function openapi(routes: readonly Route[], docs: Docs, baseUrl: string): JsonObject {
  const {
    title,
    version,
    description,
    roles,
    bans,
    kinds,
    amounts,
    states,
    references = {},
    fields = {},
    sections = {},
  } = docs
  const schemas = new Schemas()
  const document: JsonObject = {
    openapi: '3.1.0',
    info: { title, version, description },
    servers: [{ url: baseUrl }],
    tags: [...new Set(routes.map(sectionOf))].sort().map((name) => ({
      name,
      ...(Object.hasOwn(sections, name) && { description: sections[name]! }),
    })),
    paths: pathsOf(routes, schemas),
    components: {
      schemas: { Error: ERROR, ...schemas.shared },
      headers: mapValues(HEADERS, (text) => ({ description: text, schema: { type: 'string' } })),
      securitySchemes: schemesOf(routes, docs),
    },
    ...(roles && { 'x-roles': mapValues(roles, (held) => mapValues(held, (permissions) => [...permissions])) }),
    ...(bans && { 'x-bans': mapValues(bans, (permissions) => [...permissions]) }),
    ...(amounts && { 'x-amounts': [...amounts] }),
    ...(states && { 'x-states': states }),
    ...(kinds && { 'x-kinds': mapValues(kinds, (sections) => [...sections]) }),
  }
  return withExamples(withNotes(withReferences(document, references) as JsonObject, fields), routes, fields)
}

function pathsOf(routes: readonly Route[], schemas: Schemas): JsonObject {
  const paths: Record<string, JsonObject> = {}
  const ids = new Set<string>()
  for (const route of routes) {
    const id = operationId(route)
    if (ids.has(id)) throw new Error(`Two routes have the operation id ${id}`)
    ids.add(id)
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, id, schemas) }
  }
  return paths
}

function operation(route: Route, id: string, schemas: Schemas): JsonObject {
  const { access, does } = route
  const requirements = [
    requirementOf(access.rule),
    requirementOf(route.guard),
    route.stepUp ? 'a proof of identity from the last five minutes (step-up)' : undefined,
  ].flatMap((words) => words ?? [])
  const asks = [...asksOf(access.rule)]
  return {
    operationId: id,
    summary: does.split(/(?<=\.)\s/)[0]!.replace(/\.$/, ''),
    description: does,
    tags: [sectionOf(route)],
    security: access.kinds.map((kind) => ({ [kind]: [] })),
    'x-open-to': [...access.kinds],
    ...(access.permission === undefined ? {} : { 'x-permission': access.permission }),
    ...(access.scope === undefined ? {} : { 'x-scope': access.scope }),
    ...(requirements.length === 0 ? {} : { 'x-requires': requirements }),
    ...(asks.length === 0 ? {} : { 'x-asks': asks }),
    ...(route.stepUp ? { 'x-step-up': true } : {}),
    ...(route.from
      ? { 'x-from': mapValues(route.from.states, (values) => (values === 'set' ? values : [...values])) }
      : {}),
    ...(route.shownOnce ? { 'x-shown-once': [...route.shownOnce] } : {}),
    parameters: [
      ...parametersIn('path', schemas.of(route.params ?? uuidParams(route.path), 'input')),
      ...parametersIn('query', route.query && schemas.of(route.query, 'input')),
      ...(acceptsIdempotencyKey(route) ? [IDEMPOTENCY_KEY] : []),
      ...(isCachedReply(route.reply) ? [IF_NONE_MATCH] : []),
      ...(isConditional(route) ? [IF_MATCH] : []),
    ],
    ...(route.body
      ? {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: { 'application/json': { schema: schemas.of(route.body, 'input') } },
          },
        }
      : {}),
    ...(route.upload
      ? { requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } } }
      : {}),
    responses: { ...repliesOf(route, schemas), ...Object.fromEntries(errorStatusesOf(route).map(errorResponseSpec)) },
  }
}

/** `GET /api/admin/plans/:id` becomes getAdminPlansById. */
function operationId({ method, path, operationId: own }: Route): string {
  if (own !== undefined) return own
  const words = path.split('/').filter((segment) => segment !== '' && segment !== 'api')
  const named = words.map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word)))
  return method.toLowerCase() + (named.join('') || 'Root')
}

const capital = (word: string): string =>
  word
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')

/** The first segment after /api, /api/admin or /api/v1: the section's name. */
export function sectionOf({ path }: Pick<Route, 'path'>): string {
  return /^(?:\/api(?:\/admin|\/v\d+)?)?\/([^/]+)/.exec(path)?.[1] ?? 'root'
}

function parametersIn(place: 'path' | 'query', schema: JsonObject | undefined): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: JsonObject; required?: string[] }
  return Object.entries(properties as Record<string, JsonObject>).map(([name, { description, ...value }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: value,
  }))
}

function repliesOf(route: Route, schemas: Schemas): JsonObject {
  const { statuses, reply, method, version } = route
  const headers = [
    'X-Request-Id',
    ...(method === 'GET' ? [] : ['Event-Position', 'Projection-Lag']),
    ...(acceptsIdempotencyKey(route) ? ['Idempotent-Replayed'] : []),
    ...(isCachedReply(reply) ? ['ETag', 'Vary'] : []),
    ...(version && method === 'GET' ? ['ETag'] : []),
  ]
  const content = contentOf(reply, schemas)
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      {
        description: SUCCESS_DESCRIPTIONS[status] ?? 'The response',
        headers: headerRefs(headers),
        ...(content && !isBodiless(status) ? { content } : {}),
      },
    ]),
  )
}

const SUCCESS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted; processing continues',
  204: 'Success without a body',
  303: 'See the address in the header Location',
  304: 'Unchanged; the cached response of the client is current',
}

function contentOf(reply: Route['reply'], schemas: Schemas): JsonObject | undefined {
  if (reply === undefined) return undefined
  if (reply instanceof z.ZodType) return { 'application/json': { schema: schemas.of(reply, 'output') } }
  if (isCachedReply(reply) && reply.schema)
    return { 'application/json': { schema: schemas.of(reply.schema, 'output') } }
  return Object.fromEntries(reply.contentTypes.map((type) => [type, { schema: { type: 'string' } }]))
}

const isConditional = ({ version, method }: Route): boolean => version !== undefined && method !== 'GET'

/** Every status that the route may respond with. */
export const responseStatusesOf = (route: Route): ReadonlySet<number> =>
  new Set([...route.statuses, ...errorStatusesOf(route)])

/**
 * The error statuses follow from the declared access, input and method, plus those that the handler
 * declares in `refuses`.
 */
function errorStatusesOf(route: Route): number[] {
  const gated = route.access.kinds.length > 0
  const planned = new Set([
    400,
    408,
    500,
    503,
    ...(gated ? [401, 403, 429] : []),
    ...(route.isLimited ? [402] : []),
    ...(route.path.includes('/:') || (gated && route.method !== 'GET') ? [404] : []),
    ...(route.method === 'GET' ? [] : [409]),
    ...(isConditional(route) ? [412] : []),
    ...(route.body || route.upload ? [413, 415] : []),
    ...(route.refuses ?? []),
  ])
  return [...planned].filter((status) => !route.statuses.includes(status))
}

function errorResponseSpec(status: number): [status: string, response: JsonObject] {
  const [description, ...headers] = ERROR_STATUSES[status]!
  return [
    String(status),
    {
      description,
      headers: headerRefs(['X-Request-Id', 'Error-Code', ...headers]),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]
}

const headerRefs = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

function schemesOf(routes: readonly Route[], { credentials = {}, signing = [] }: Docs): JsonObject {
  const kinds = [...new Set(routes.flatMap(({ access }) => access.kinds))].sort()
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      { ...schemeOf(signing.includes(kind)), description: credentials[kind] ?? `As ${kind}` },
    ]),
  )
}

/** OpenAPI has no security scheme for message signatures; an API key in the Signature header is the closest. */
const schemeOf = (signs: boolean): JsonObject =>
  signs ? { type: 'apiKey', in: 'header', name: 'Signature' } : { type: 'http', scheme: 'bearer' }

const mapValues = <Value>(record: Readonly<Record<string, Value>>, to: (value: Value) => Json): JsonObject =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))
