import { createHash } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { responseStatusesOf, openapi } from '#kernel/http/openapi/openapi'
import type { Docs } from '#kernel/http/openapi/openapi'
import { recordVersion } from '#kernel/http/record-version'
import { everyone, cachedJsonReply, route, textReply } from '#kernel/http/route'
import type { RouteLine } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import { rig } from '../../support/kernel/http-rig.ts'
import type { Rig } from '../../support/kernel/http-rig.ts'

const docs = {
  title: 'Things & <more>',
  errorCodes: [{ status: 409, code: 'NAME_TAKEN', message: 'There is a thing <…>' }],
  amounts: ['price'],
  version: '1.2.3',
  description: '“All” things. <script>alert(1)</script>',
  credentials: { staff: 'A staff session', token: 'A machine token' },
  roles: { staff: { ADMIN: ['things:view', 'things:manage'] } },
  bans: { token: ['things:manage'] },
  kinds: { 'thing.made': ['things'] },
  references: { ownerId: 'owners' },
  sections: { things: 'What is counted & owned.' },
  fields: {
    name: ['What it is called.', 'Anvil'],
    size: ['Its size in mm.', 40],
    'Owner.email': ['Where the owner is reached.', 'ada@example.com'],
    kind: ['—', 'no such kind'],
  },
} satisfies Docs

const Thing = z.object({
  id: z.uuid(),
  name: z.string().max(100),
  at: z.iso.datetime(),
  parts: z.array(z.object({ size: z.int() })),
})

const Tree = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree)
  },
})

const Owner = z.object({ id: z.uuid(), email: z.string() }).meta({ id: 'Owner' })

const kept = cachedJsonReply(z.object({ keys: z.array(z.string()) }))

const routes = [
  route('GET /api/admin/tree', {
    does: 'A tree.',
    access: everyone,
    reply: Tree,
    handle: async () => ({ name: 'root', children: [] }),
  }),
  route('GET /api/admin/things', {
    does: 'List things. They come in pages.',
    access: { kinds: ['staff', 'token'], permission: 'things:view' },
    query: z.strictObject({ page: z.coerce.number().int().min(1).optional(), kind: z.enum(['A', 'B']) }),
    reply: z.union([
      z.object({ items: z.array(Thing), total: z.int() }),
      z.object({ items: z.array(Thing), nextCursor: z.string().nullable() }),
    ]),
    handle: async () => ({ items: [], total: 0 }),
  }),
  route('POST /api/admin/things', {
    does: 'Make a thing <b>.',
    access: { kinds: ['staff'], permission: 'things:manage' },
    status: [201, 200],
    body: z.strictObject({
      name: z.string().max(100).trim().default('x'),
      when: z
        .codec(z.iso.datetime(), z.date(), {
          decode: (text) => new Date(text),
          encode: (date) => date.toISOString(),
        })
        .describe('When it was made.'),
      parts: z
        .array(z.strictObject({ size: z.int().min(1) }))
        .max(3)
        .optional(),
    }),
    reply: Thing,
    handle: async () => ({ id: '', name: '', at: '', parts: [] }),
  }),
  route('DELETE /api/admin/things/:id/parts/:partId', {
    does: 'Remove a part.',
    access: { kinds: ['staff'] },
    handle: async () => {},
  }),
  route('GET /api/owners/:id', {
    does: 'Read an owner.',
    access: everyone,
    reply: Owner,
    handle: async () => ({ id: '', email: '' }),
  }),
  route('GET /api/owners', {
    does: 'List the owners.',
    access: everyone,
    query: z.strictObject({ ownerId: uuid.optional() }),
    reply: z.object({ items: z.array(Owner), newest: Owner.nullable(), ownerId: z.uuid().nullable() }),
    handle: async () => ({ items: [], newest: null, ownerId: null }),
  }),
  route('GET /api/v1/kept', {
    does: 'Kept.',
    access: everyone,
    reply: kept,
    handle: async () => kept.of({ keys: [] }),
  }),
  route('GET /api/v1/other/keys.json', {
    does: 'Keys.',
    access: everyone,
    reply: textReply('application/x-ndjson'),
    handle: async () => '',
  }),
]

let server: Rig
beforeAll(async () => {
  server = await rig(routes, { docs })
})
afterAll(() => server.close())

const document = async () => (await server.call('GET', '/api/openapi.json')).json

describe('GET /api/openapi.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const checked = await new Validator().validate(await document())
    expect(checked.errors).toBeUndefined()
    expect(checked.valid).toBe(true)
  })

  it('would be found out if it were not', async () => {
    const broken = await document()
    broken.paths['/api/admin/things'].get.parameters[0].in = 'nowhere'
    expect((await new Validator().validate(broken)).valid).toBe(false)
  })

  it('has every route that answers, itself included, and no other', async () => {
    const { paths } = await document()
    const lines = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(lines.sort()).toEqual([
      'delete /api/admin/things/{id}/parts/{partId}',
      'get /',
      'get /api/admin/things',
      'get /api/admin/tree',
      'get /api/docs',
      'get /api/openapi.json',
      'get /api/owners',
      'get /api/owners/{id}',
      'get /api/v1/kept',
      'get /api/v1/other/keys.json',
      'post /api/admin/things',
    ])
  })

  it('says who may call, with which permission', async () => {
    const { paths, components } = await document()
    expect(paths['/api/admin/things'].get).toMatchObject({
      operationId: 'getAdminThings',
      summary: 'List things',
      description: 'List things. They come in pages.',
      tags: ['things'],
      security: [{ staff: [] }, { token: [] }],
      'x-open-to': ['staff', 'token'],
      'x-permission': 'things:view',
    })
    expect(paths['/api/v1/other/keys.json'].get).toMatchObject({ tags: ['other'], security: [], 'x-open-to': [] })
    expect(components.securitySchemes).toEqual({
      staff: { type: 'http', scheme: 'bearer', description: 'A staff session' },
      token: { type: 'http', scheme: 'bearer', description: 'A machine token' },
    })
  })

  it('shows input as it is sent and replies as they leave', async () => {
    const { paths } = await document()
    const { requestBody, responses } = paths['/api/admin/things'].post
    const sent = requestBody.content['application/json'].schema
    expect(sent.required).toEqual(['when'])
    expect(sent.additionalProperties).toBe(false)
    expect(sent.properties.when).toMatchObject({ type: 'string', format: 'date-time' })
    expect(Object.keys(responses)).toEqual([
      '200',
      '201',
      '400',
      '401',
      '403',
      '404',
      '408',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ])
    expect(responses['201'].content['application/json'].schema.required).toEqual(['id', 'name', 'at', 'parts'])
    expect(responses['201'].headers).toHaveProperty('Event-Position')
    expect(responses['429'].headers).toHaveProperty('Retry-After')
    expect(responses['400'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' })
  })

  it('shows parameters: paths are UUIDs, queries as declared', async () => {
    const { paths } = await document()
    const { parameters, responses } = paths['/api/admin/things/{id}/parts/{partId}'].delete
    expect(parameters).toMatchObject([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      { name: 'partId', in: 'path', required: true },
      { name: 'Idempotency-Key', in: 'header', required: false },
    ])
    expect(responses['204'].headers).toHaveProperty('Idempotent-Replayed')
    expect(responses).toHaveProperty('404')
    expect(responses['204']).not.toHaveProperty('content')
    expect(paths['/api/admin/things'].get.parameters).toMatchObject([
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1 } },
      { name: 'kind', in: 'query', required: true, schema: { enum: ['A', 'B'] } },
    ])
  })

  it('names every status that follows from what a route declares', () => {
    const Body = z.strictObject({})
    const declared = { does: 'Do.', handle: async () => {} }
    const statuses = (line: RouteLine, more: object) =>
      [...responseStatusesOf(route(line, { ...declared, access: everyone, ...more }))].sort((one, other) => one - other)
    expect(statuses('GET /a', {})).toEqual([204, 400, 408, 500, 503])
    expect(statuses('POST /a', { body: Body })).toEqual([204, 400, 408, 409, 413, 415, 500, 503])
    expect(statuses('PATCH /a', { version: {} })).toEqual([204, 400, 408, 409, 412, 500, 503])
    expect(statuses('GET /a', { version: {} })).toEqual([204, 400, 408, 500, 503])
    expect(statuses('POST /a', { refuses: [401, 429] })).toEqual([204, 400, 401, 408, 409, 429, 500, 503])
    expect(statuses('GET /a/:id', { access: { kinds: ['staff'] } })).toEqual([
      204, 400, 401, 403, 404, 408, 429, 500, 503,
    ])
    expect(statuses('GET /a', { isLimited: true, status: [200, 503] })).toEqual([200, 400, 402, 408, 500, 503])
  })

  it('shows the tag and the codings of an answer that is kept', async () => {
    const operation = (await document()).paths['/api/v1/kept'].get
    expect(operation.parameters).toMatchObject([{ name: 'If-None-Match', in: 'header', required: false }])
    expect(operation.responses[200]).toMatchObject({
      headers: { ETag: {}, Vary: {} },
      content: { 'application/json': { schema: { properties: { keys: {} } } } },
    })
    expect(operation.responses[304]).toMatchObject({ headers: { ETag: {}, Vary: {} } })
    expect(operation.responses[304]).not.toHaveProperty('content')
  })

  it('shows the version of a record: in the answer of its GET, and with its change', () => {
    const declared = { does: 'A.', access: everyone, version: recordVersion(Owner, async () => undefined) }
    const read = route('GET /api/a', { ...declared, reply: Owner, handle: async () => ({ id: '', email: '' }) })
    const change = route('PATCH /api/a', { ...declared, handle: async () => {} })
    const { get, patch } = (openapi([read, change], docs, '') as Record<string, any>)['paths']['/api/a']
    expect(get.responses['200'].headers).toHaveProperty('ETag')
    expect(get.parameters).toEqual([])
    expect(patch.parameters).toMatchObject([{ name: 'If-Match', in: 'header', required: false }])
    expect(patch.responses['204'].headers).not.toHaveProperty('ETag')
  })

  it('writes a schema with a name once, and refers to it', async () => {
    const { paths, components } = await document()
    const owner = { $ref: '#/components/schemas/Owner' }
    const schemaOf = (path: string) => paths[path].get.responses['200'].content['application/json'].schema
    expect(schemaOf('/api/owners/{id}')).toEqual(owner)
    expect(schemaOf('/api/owners').properties).toMatchObject({
      items: { type: 'array', items: owner },
      newest: { anyOf: [owner, { type: 'null' }] },
    })
    expect(components.schemas.Owner).toMatchObject({ type: 'object', required: ['id', 'email'] })
  })

  it('has the roles, bans and kinds of events of the service', async () => {
    expect(await document()).toMatchObject({
      'x-roles': { staff: { ADMIN: ['things:view', 'things:manage'] } },
      'x-bans': { token: ['things:manage'] },
      'x-amounts': ['price'],
      'x-kinds': { 'thing.made': ['things'] },
    })
  })

  it('says which records a field names, in inputs and in replies', async () => {
    const { parameters, responses } = (await document()).paths['/api/owners'].get
    expect(parameters[0].schema['x-names']).toBe('owners')
    const { ownerId, newest } = responses['200'].content['application/json'].schema.properties
    expect([ownerId['x-names'], newest['x-names']]).toEqual(['owners', undefined])
  })

  it('describes a section, and each field without a description of its own by its name', async () => {
    const { paths, tags, components } = await document()
    expect(tags).toContainEqual({ name: 'things', description: 'What is counted & owned.' })
    const { properties } = paths['/api/admin/things'].post.requestBody.content['application/json'].schema
    expect(properties.name.description).toBe('What it is called.')
    expect(properties.parts.items.properties.size.description).toBe('Its size in mm.')
    expect(properties.when.description).toBe('When it was made.')
    expect(components.schemas.Owner.properties.email.description).toBe('Where the owner is reached.')
    const [, kind] = paths['/api/admin/things'].get.parameters
    expect([kind.description, kind.schema.description]).toEqual(['—', undefined])
  })

  it('composes an example of each body and each answer from those of their fields', async () => {
    const { paths } = await document()
    const { requestBody, responses } = paths['/api/admin/things'].post
    expect(requestBody.content['application/json'].example).toEqual({ when: '2027-01-01T00:00:00.000Z' })
    expect(responses['201'].content['application/json'].example).toEqual({
      id: '0197a3c2-7c1e-7c52-9b1e-3f6a5d0c8e11',
      name: 'Anvil',
      at: '2027-01-01T00:00:00.000Z',
      parts: [{ size: 40 }],
    })
    const owner = paths['/api/owners'].get.responses['200'].content['application/json'].example
    expect(owner).toMatchObject({ items: [{ email: 'ada@example.com' }], ownerId: null })
    const [, kind] = paths['/api/admin/things'].get.parameters
    expect(kind.example).toBe('A')
    expect(paths['/api/admin/tree'].get.responses['200'].content['application/json'].example).toEqual({
      name: 'Anvil',
      children: [{ name: 'Anvil', children: [] }],
    })
  })

  it('refuses two schemas of one name', () => {
    const other = z.object({ id: z.int() }).meta({ id: 'Owner' })
    const naming = (line: RouteLine, reply: z.ZodType) =>
      route(line, { does: 'A.', access: everyone, reply, handle: async () => ({}) })
    const both = [naming('GET /api/one', Owner), naming('GET /api/other', other)]
    expect(() => openapi(both, docs, 'http://127.0.0.1')).toThrow('Two different schemas have the name Owner')
  })

  it('refuses two routes of one operation id', () => {
    const twin = route('GET /api/things-a', { does: 'A.', access: everyone, handle: async () => {} })
    const other = route('GET /api/things/a', { does: 'B.', access: everyone, handle: async () => {} })
    expect(() => openapi([twin, other], docs, 'http://127.0.0.1')).toThrow('getThingsA')
  })
})

describe('GET /api/docs', () => {
  it('is a page without scripts under a policy that allows its own style only', async () => {
    const { text, headers } = await server.call('GET', '/api/docs')
    const style = /<style>([^]*?)<\/style>/.exec(text)![1]!
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(text).not.toMatch(/<script|\son\w+=|style=/)
  })

  it('escapes everything that it shows', async () => {
    const { text } = await server.call('GET', '/api/docs')
    expect(text).toContain('<title>Things &amp; &lt;more&gt;</title>')
    expect(text).toContain('Make a thing &lt;b&gt;.')
  })

  it('shows each route with who may call it and its fields', async () => {
    const { text } = await server.call('GET', '/api/docs')
    expect(text).toContain('<h3>POST /api/admin/things</h3>')
    expect(text).toContain('<a href="#postAdminThings">POST /api/admin/things</a>')
    expect(text).toContain('<span class="badge">staff or token</span><span class="badge">things:view</span>')
    for (const field of ['when', 'parts[].size', 'items[].name', 'nextCursor', 'partId', 'items[].email'])
      expect(text).toContain(`<code>${field}</code>`)
    expect(text).toContain('<td>at most 100 characters, default &quot;x&quot;. What it is called.</td>')
    expect(text).not.toMatch(/0-9a-fA-F|9007199254740991/)
    expect(text).toContain('<p>What is counted &amp; owned.</p>')
    expect(text).toContain('&quot;name&quot;: &quot;Anvil&quot;')
  })

  it('has the codes that errors hold, and leads there', async () => {
    const { text } = await server.call('GET', '/api/docs')
    expect(text).toContain('<td>409</td><td><code>NAME_<wbr>TAKEN</code></td><td>There is a thing &lt;…&gt;</td>')
    expect(text).toContain('holds an <a href="#error-codes">error code</a>')
    expect(text).toContain('id="error-codes"')
  })
})
