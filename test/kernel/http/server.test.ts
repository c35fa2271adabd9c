import { Agent } from 'node:http'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { newSecret } from '#kernel/credentials/secret-token'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { StoreUnavailable } from '#kernel/events/store-port'
import { readiness } from '#kernel/http/health'
import { LoadLimiter } from '#kernel/http/limits/load'
import { answer, bytesBody, bytesReply, everyone, route, textReply } from '#kernel/http/route'
import type { HttpServerDependencies } from '#kernel/http/server'
import { reject } from '#kernel/lib/rejection'
import { logger } from '#kernel/logging/log'
import { newWebhookSecret } from '#kernel/outbound/standard-webhooks'
import { ID, caller, rig } from '../../support/kernel/http-rig.ts'
import type { Rig } from '../../support/kernel/http-rig.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const Thing = z.object({ id: z.uuid(), name: z.string() })
const Echo = z.object({ given: z.json() })
const staff = { kinds: ['staff'], permission: 'things:manage' }
const viewers = { kinds: ['staff', 'token'], permission: 'things:view' }

class Interrupted extends Error {}

async function* brokenStream(pieces: number): AsyncGenerator<string> {
  for (let index = 0; index < pieces; index += 1) yield `${index}\n`
  throw new Interrupted('canary-stream')
}

async function* longStream(): AsyncGenerator<string> {
  for (let index = 0; index < 100_000; index += 1) yield `${index},0123456789\n`
}

const routes = [
  route('GET /api/things/:id', {
    does: 'Read a thing.',
    access: viewers,
    reply: Thing,
    handle: async ({ params }) => {
      if (params.id.endsWith('404')) reject('notFound', 'Not found')
      return { id: params.id, name: 'one', secret: 'canary-field' } as z.input<typeof Thing>
    },
  }),
  route('GET /api/things/current', {
    does: 'Read the current thing.',
    access: everyone,
    reply: Echo,
    handle: async () => ({ given: 'current' }),
  }),
  route('POST /api/things', {
    does: 'Make a thing.',
    access: staff,
    status: [201, 200],
    body: z.strictObject({
      name: z.string().max(10),
      parts: z.array(z.strictObject({ size: z.int() })).optional(),
    }),
    reply: Echo,
    handle: async ({ body }) => (body.name === 'again' ? answer({ given: body }, 200) : { given: body }),
  }),
  route('DELETE /api/things/:id', { does: 'Remove a thing.', access: staff, handle: async () => {} }),
  route('POST /api/things/:id/start', { does: 'Start.', access: staff, status: 202, handle: async () => {} }),
  route('POST /api/things/:id/rename', {
    does: 'Rename.',
    access: staff,
    body: z.strictObject({ name: z.string() }).optional(),
    reply: Echo,
    handle: async ({ body }) => ({ given: body ?? null }),
  }),
  route('GET /api/search', {
    does: 'Search.',
    access: everyone,
    query: z.object({
      q: z.string().optional(),
      page: z.coerce.number().int().optional(),
      tag: z.array(z.string()).optional(),
    }),
    reply: Echo,
    handle: async ({ query }) => ({ given: query }),
  }),
  route('GET /api/text', {
    does: 'A text.',
    access: everyone,
    reply: textReply('text/plain', 'text/csv'),
    handle: async () => answer('a,b\n', 200, { 'Content-Type': 'text/csv', 'Cache-Control': 'max-age=60' }),
  }),
  route('POST /api/bytes', {
    does: 'Bytes there and back.',
    access: everyone,
    body: bytesBody(1_000),
    reply: bytesReply('application/pdf'),
    status: 200,
    handle: async ({ body }) => body,
  }),
  route('GET /api/stream', {
    does: 'Long.',
    access: everyone,
    reply: textReply('text/csv'),
    handle: async () => longStream(),
  }),
  route('GET /api/stream/broken', {
    does: 'B.',
    access: everyone,
    reply: textReply('text/csv'),
    handle: async () => brokenStream(3),
  }),
  route('GET /api/stream/never', {
    does: 'N.',
    access: everyone,
    reply: textReply('text/csv'),
    handle: async () => brokenStream(0),
  }),
  route('POST /api/append/:kind', {
    does: 'Append and answer, or fail afterwards.',
    access: staff,
    params: z.object({ kind: z.enum(['plain', 'strict', 'twice', 'refused', 'unknown', 'stolen', 'bug']) }),
    reply: Echo,
    handle: async ({ run, params: { kind } }) => {
      await run(async () => (kind === 'stolen' ? 'strict' : kind))
      if (kind === 'twice') await run(async () => kind)
      if (kind === 'refused' || kind === 'stolen') reject('conflict', 'Refused afterwards')
      if (kind === 'unknown') reject('unauthenticated', 'Not let in')
      if (kind === 'bug') throw new Error('canary-bug')
      return { given: kind }
    },
  }),
  route('GET /api/append', {
    does: 'Append and stream.',
    access: staff,
    reply: textReply('text/plain'),
    handle: async ({ run }) => {
      await run(async () => 'plain')
      return (async function* pieces() {
        yield '0\n'
        yield '1\n'
      })()
    },
  }),
  route('GET /api/fails/:how', {
    does: 'Fail.',
    access: everyone,
    params: z.object({ how: z.enum(['bug', 'store', 'pg', 'reply', 'status', 'caller', 'nothing']) }),
    reply: Thing,
    handle: async (call) => {
      const { how } = call.params
      if (how === 'store') throw new StoreUnavailable(new Error('canary-store'))
      if (how === 'pg') throw Object.assign(new Error('canary-pg'), { code: 'ECONNREFUSED' })
      if (how === 'reply') return { id: 'canary-id', name: 7 as unknown as string }
      if (how === 'status') return answer({ id: ID, name: 'x' }, 299)
      if (how === 'nothing') return undefined as never
      if (how === 'caller') return { id: ID, name: call.caller.kind }
      throw new Error('canary-bug customer@example.test')
    },
  }),
  route('GET /api/named/:name', {
    does: 'Read by name.',
    access: everyone,
    params: z.object({ name: z.string() }),
    reply: Echo,
    handle: async ({ params }) => ({ given: params.name }),
  }),
  route('GET /api/asked', {
    does: 'What a handler sees of the request.',
    access: everyone,
    reply: Echo,
    handle: async ({ header, cookie, ip, now, baseUrl }) => ({
      given: {
        header: header('X-Thing') ?? null,
        cookie: cookie('session') ?? null,
        ip: ip ?? null,
        now: now.toISOString(),
        baseUrl,
      },
    }),
  }),
  route('GET /api/slow', {
    does: 'Slow.',
    access: everyone,
    reply: Echo,
    handle: async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return { given: 'late' }
    },
  }),
]

let server: Rig
beforeAll(async () => {
  server = await rig(routes)
})
afterAll(() => server.close())

const asStaff = { token: 'staff' }

describe('answers', () => {
  it('are what the reply declares and nothing else', async () => {
    const { status, json, headers } = await server.call('GET', `/api/things/${ID}`, { token: 'token' })
    expect({ status, json }).toEqual({ status: 200, json: { id: ID, name: 'one' } })
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.stringMatching(UUID),
    })
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-powered-by']))
    expect(headers).not.toHaveProperty('etag')
    expect(headers).not.toHaveProperty('strict-transport-security')
  })

  it('ask for HTTPS where the public address is HTTPS', async () => {
    const secure = await rig(routes, { baseUrl: 'https://licensing.test' })
    const { headers } = await secure.call('GET', '/nowhere')
    expect(headers['strict-transport-security']).toBe('max-age=63072000')
    await secure.close()
  })

  it('have the declared status, or another declared one', async () => {
    const made = await server.call('POST', '/api/things', { ...asStaff, body: { name: 'one' } })
    expect(made).toMatchObject({ status: 201, json: { given: { name: 'one' } } })
    expect(await server.call('POST', '/api/things', { ...asStaff, body: { name: 'again' } })).toMatchObject({
      status: 200,
    })
  })

  it('have no body and no type where there is none', async () => {
    const gone = await server.call('DELETE', `/api/things/${ID}`, asStaff)
    expect(gone).toMatchObject({ status: 204, text: '' })
    const started = await server.call('POST', `/api/things/${ID}/start`, asStaff)
    expect(started).toMatchObject({ status: 202, text: '' })
    expect(started.headers).toMatchObject({ 'content-length': '0' })
    for (const { headers } of [gone, started]) expect(headers).not.toHaveProperty('content-type')
  })

  it('may be text of a declared type, with headers of its own', async () => {
    const { text, headers } = await server.call('GET', '/api/text')
    expect(text).toBe('a,b\n')
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'max-age=60' })
  })

  it('takes bytes as they were sent, up to a limit, and answers them as they are', async () => {
    const body = Buffer.from([0, 255, 10, 13, 200])
    const [head, echoed] = (
      await server.raw(
        Buffer.concat([
          Buffer.from('POST /api/bytes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\n'),
          body,
        ]),
      )
    ).split('\r\n\r\n') as [string, string]
    expect(head).toMatch(/200 OK[^]*Content-Type: application\/pdf\r\n/i)
    expect(echoed).toHaveLength(body.toString().length)
    const many = { body: 'x'.repeat(1_001), headers: { 'content-type': 'text/plain' } }
    expect((await server.call('POST', '/api/bytes', many)).status).toBe(413)
  })

  it('answer HEAD like GET without a body', async () => {
    const head = await server.call('HEAD', `/api/things/${ID}`, { token: 'token' })
    const get = await server.call('GET', `/api/things/${ID}`, { token: 'token' })
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it('run no stream for HEAD', async () => {
    let pulled = 0
    async function* counted(): AsyncGenerator<string> {
      yield String((pulled += 1))
    }
    const reply = textReply('text/plain')
    const streaming = await rig([
      route('GET /s', { does: 'S.', access: everyone, reply, handle: async () => counted() }),
    ])
    expect(await streaming.call('HEAD', '/s')).toMatchObject({ status: 200, text: '' })
    expect(pulled).toBe(0)
    await streaming.close()
  })

  it('stream', async () => {
    const { text, headers } = await server.call('GET', '/api/stream')
    expect(text.length).toBe(1_688_890)
    expect(headers['transfer-encoding']).toBe('chunked')
  })

  it('break the connection when a stream fails midway, and answer an error when it fails at once', async () => {
    await expect(server.call('GET', '/api/stream/broken')).rejects.toThrow(/aborted|hang up/)
    expect(await server.call('GET', '/api/stream/never')).toMatchObject({
      status: 500,
      json: { message: 'Internal error' },
    })
  })

  it('pull no further ahead of a slow reader than the buffers hold', { retry: 2 }, async () => {
    let pulled = 0
    async function* counted(): AsyncGenerator<string> {
      for (;;) {
        pulled += 1
        yield 'x'.repeat(1024)
      }
    }
    const endless = route('GET /endless', {
      does: 'E.',
      access: everyone,
      reply: textReply('text/plain'),
      handle: async () => counted(),
    })
    const streaming = await rig([endless])
    const socket = connect(streaming.port, '127.0.0.1', () => socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n'))
    socket.pause()
    let early = -1
    for (let tries = 0; tries < 20 && (pulled === 0 || pulled !== early); tries += 1) {
      early = pulled
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(pulled).toBeGreaterThan(0)
    expect(pulled).toBe(early)
    socket.destroy()
    await streaming.close()
  })
})

describe('errors', () => {
  const shape = { statusCode: expect.any(Number), message: expect.any(String) }

  it.each<[number, string, string, string, object?]>([
    [401, 'AUTHENTICATION_REQUIRED', 'GET', `/api/things/${ID}`],
    [401, 'INVALID_TOKEN', 'GET', `/api/things/${ID}`, { token: 'garbage' }],
    [403, 'NOT_OPEN', 'DELETE', `/api/things/${ID}`, { token: 'token' }],
    [404, 'NOT_FOUND', 'GET', '/api/nothing'],
    [405, 'METHOD_NOT_ALLOWED', 'PUT', '/api/things', { token: 'token' }],
    [400, 'INVALID_INPUT', 'GET', '/api/search?x=1'],
    [
      415,
      'UNSUPPORTED_TYPE',
      'POST',
      '/api/things',
      { ...asStaff, body: {}, headers: { 'content-type': 'text/plain' } },
    ],
    [500, 'INTERNAL', 'GET', '/api/fails/bug'],
    [500, 'INTERNAL', 'GET', '/api/fails/reply'],
    [500, 'INTERNAL', 'GET', '/api/fails/status'],
    [500, 'INTERNAL', 'GET', '/api/fails/caller'],
    [500, 'INTERNAL', 'GET', '/api/fails/nothing'],
    [503, 'STORE_UNAVAILABLE', 'GET', '/api/fails/store'],
    [503, 'STORE_UNAVAILABLE', 'GET', '/api/fails/pg'],
  ])('%i %s: %s %s', async (status, code, method, path, options) => {
    const reply = await server.call(method, path, {
      ...options,
      headers: { accept: 'text/html', ...(options as any)?.headers },
    })
    expect(reply).toMatchObject({ status, headers: { 'error-code': code } })
    expect(reply.json).toStrictEqual({ ...shape, statusCode: status })
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(UUID),
    })
    expect(reply.headers['retry-after']).toBe(status === 503 ? '1' : undefined)
    expect(reply.text).not.toContain('canary')
  })

  it('keep a bug to the log, where the request id leads to it', async () => {
    const { headers } = await server.call('GET', '/api/fails/bug')
    const line = server.lines.find((each) => each['requestId'] === headers['x-request-id'] && each['err'])
    expect(line?.['err'].message).toContain('canary-bug')
  })

  it('call it a bug when a public route asks who calls', async () => {
    const { headers } = await server.call('GET', '/api/fails/caller')
    const line = server.lines.find((each) => each['requestId'] === headers['x-request-id'] && each['err'])
    expect(line?.['err'].message).toBe('GET /api/fails/:how is a public route and has no caller')
  })

  it('tell methods only to those whose credential is accepted', async () => {
    const known = await server.call('PUT', `/api/things/${ID}`, { token: 'token' })
    expect(known).toMatchObject({ status: 405, headers: { allow: 'DELETE, GET, HEAD' } })
    const strange = await server.call('PUT', `/api/things/${ID}`, { token: 'garbage' })
    const unknown = await server.call('PUT', '/api/nothing', { token: 'garbage' })
    expect(strange.status).toBe(404)
    expect(strange.text).toBe(unknown.text)
    expect(Object.keys(strange.headers)).toEqual(Object.keys(unknown.headers))
  })

  it('cannot be told apart: an id that is none, one that is unknown, a path that is unknown', async () => {
    const all = await Promise.all(
      [
        '/api/things/none',
        `/api/things/${ID.slice(0, -3)}404`,
        '/api/nothing',
        '/api/things/__proto__',
        '/api/things/%00',
      ].map((path) => server.call('GET', path, asStaff)),
    )
    const seen = all.map(({ status, text, headers }) => {
      const { date: _date, 'x-request-id': _id, ...rest } = headers
      return JSON.stringify({ status, text, rest })
    })
    expect(new Set(seen).size).toBe(1)
    expect(all[0]).toMatchObject({ status: 404, json: { statusCode: 404, message: 'Not found' } })
  })
})

describe('paths', () => {
  it('are taken literally: case, slashes and escapes', async () => {
    const others = [
      '/API/things/current',
      '/api/things/current/',
      '//api/things/current',
      '/api/./things/current',
      '/api/things%2Fcurrent',
      '/api/things/%',
    ]
    for (const path of others) expect(await server.call('GET', path, asStaff), path).toMatchObject({ status: 404 })
    expect(await server.call('GET', '/api/things/c%75rrent', asStaff)).toMatchObject({ status: 404 })
  })

  it('never hand a handler a slash, a control character or a broken escape', async () => {
    for (const name of ['a%2fb', 'a%2Fb', 'a%5cb', '%00', 'a%0ab', '%7f', '%ff', '%c0%af', '%ed%a0%80', '%', '%zz'])
      expect(await server.call('GET', `/api/named/${name}`), name).toMatchObject({ status: 404 })
    expect((await server.call('GET', '/api/named/a%20b%C3%A9')).json).toEqual({ given: 'a b\u00e9' })
  })

  it('prefer a fixed segment to a parameter, whichever was declared first', async () => {
    expect((await server.call('GET', '/api/things/current')).json).toEqual({ given: 'current' })
  })

  it('take a UUID in any case and hand it on in one', async () => {
    const { json } = await server.call('GET', `/api/things/${ID.replace('a', 'A').toUpperCase()}`, asStaff)
    expect(json.id).toBe(ID)
  })

  it('must not ask everybody for a permission', async () => {
    const muddled = route('GET /x', { does: 'X.', access: { kinds: [], permission: 'x' }, handle: async () => {} })
    await expect(rig([muddled])).rejects.toThrow('GET /x is public and declares a permission')
  })

  it('are declared once', async () => {
    await expect(rig([routes[0]!, routes[0]!])).rejects.toThrow('Two routes have the line GET /api/things/:id')
  })
})

describe('queries', () => {
  it.each<[string, object]>([
    ['', {}],
    ['q=a+b%20c&page=2', { q: 'a b c', page: 2 }],
    ['tag=a&tag=b', { tag: ['a', 'b'] }],
    ['tag=a', { tag: ['a'] }],
    ['q=a=b&&', { q: 'a=b' }],
    ['q=', { q: '' }],
    ['q', { q: '' }],
  ])('?%s', async (search, given) => {
    expect((await server.call('GET', `/api/search?${search}`)).json).toEqual({ given })
  })

  it.each<[string, string]>([
    ['x=1', 'The query: unknown field x'],
    ['__proto__=1', 'The query: unknown field __proto__'],
    ['%3Cb%3E=1', 'The query: holds an unknown field'],
    ['q=1&q=2', 'q is given twice'],
    ['page=canary', 'page: Invalid input: expected number, received NaN'],
    ['q=%ff', 'The query must be percent-encoded UTF-8 text'],
    ['q=%', 'The query must be percent-encoded UTF-8 text'],
    ['q=%00', 'The query must be percent-encoded UTF-8 text'],
  ])('?%s is refused', async (search, message) => {
    const reply = await server.call('GET', `/api/search?${search}`)
    expect(reply).toMatchObject({ status: 400, json: { message } })
  })

  it('are refused where none is declared', async () => {
    expect(await server.call('GET', '/api/text?x=1')).toMatchObject({
      status: 400,
      json: { message: 'The query: unknown field x' },
    })
  })
})

describe('bodies', () => {
  const post = (body: unknown, headers = {}) => server.call('POST', '/api/things', { ...asStaff, body, headers })

  it.each<[unknown, string]>([
    [{}, 'name: Invalid input: expected string, received undefined'],
    [{ name: 'canary-canary' }, 'name: Too big: expected string to have <=10 characters'],
    [{ name: 'x', extra: 1 }, 'The body: unknown field extra'],
    [{ name: 'x', '<canary>': 1 }, 'The body: holds an unknown field'],
    [{ name: 'x', ['c'.repeat(65)]: 1 }, 'The body: holds an unknown field'],
    [
      { name: 'x', parts: [{ size: 1 }, { size: 'canary' }] },
      'parts.1.size: Invalid input: expected number, received string',
    ],
    [{ name: 'x', parts: [{ size: 1, more: 2 }] }, 'parts.0: unknown field more'],
    [[], 'The body: Invalid input: expected object, received array'],
    [Buffer.from('{'), 'The body is not valid JSON'],
    [Buffer.from('null'), 'The body: Invalid input: expected object, received null'],
  ])('%j is refused with the place and the rule', async (body, message) => {
    expect(await post(body)).toMatchObject({ status: 400, json: { message } })
  })

  it('are required unless the schema takes none', async () => {
    expect(await server.call('POST', '/api/things', asStaff)).toMatchObject({
      status: 400,
      json: { message: 'A JSON body is required' },
    })
    expect(await post(Buffer.alloc(0))).toMatchObject({ status: 400, json: { message: 'A JSON body is required' } })
    const path = `/api/things/${ID}/rename`
    expect(await server.call('POST', path, asStaff)).toMatchObject({ status: 200, json: { given: null } })
    expect(await server.call('POST', path, { ...asStaff, body: { name: 'x' } })).toMatchObject({
      json: { given: { name: 'x' } },
    })
  })

  it('are refused where none is declared, one without content aside', async () => {
    const path = `/api/things/${ID}`
    const call = (body: unknown, headers = {}) => server.call('DELETE', path, { ...asStaff, body, headers })
    const refused = { status: 400, json: { message: 'This route takes no body: send the request without one' } }
    for (const body of [{ a: 1 }, [], null, '', Buffer.from('{'), Buffer.from('{}{}'), Buffer.alloc(200_000, 0x20)])
      expect(await call(body)).toMatchObject(refused)
    expect(await call({}, { 'content-type': 'text/plain' })).toMatchObject(refused)
    expect(await call({}, { 'content-encoding': 'gzip' })).toMatchObject(refused)
    for (const body of [{}, Buffer.from(' {\r\n\t} '), Buffer.alloc(0)])
      expect(await call(body)).toMatchObject({ status: 204 })
    const chunked = { 'content-type': 'application/json', 'content-length': undefined, 'transfer-encoding': 'chunked' }
    expect(await call({}, chunked)).toMatchObject({ status: 204 })
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
  ])('may be %s', async (type) => {
    expect((await post({ name: 'x' }, { 'content-type': type })).status).toBe(201)
  })

  it.each([
    'text/plain',
    'application/json; charset=latin1',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    '',
  ])('must not be “%s”', async (type) => {
    expect((await post({ name: 'x' }, { 'content-type': type })).status).toBe(415)
  })

  it('must not be compressed', async () => {
    const { status, headers } = await post({ name: 'x' }, { 'content-encoding': 'gzip' })
    expect({ status, accepts: headers['accept-encoding'] }).toEqual({ status: 415, accepts: 'identity' })
    expect((await post({ name: 'x' }, { 'content-encoding': 'identity' })).status).toBe(201)
  })

  it('may be 100 KiB and not a byte more, announced or not', async () => {
    const fits = Buffer.from(`{"name":"x"}${' '.repeat(102_400 - 12)}`)
    const beyond = Buffer.concat([fits, Buffer.from(' ')])
    const chunked = { 'content-length': undefined, 'transfer-encoding': 'chunked' }
    for (const headers of [{}, chunked]) {
      expect((await post(fits, headers)).status).toBe(201)
      expect(await post(beyond, headers)).toMatchObject({
        status: 413,
        json: { statusCode: 413, message: 'The body is larger than 102400 bytes' },
      })
    }
  })

  it('are only looked at after the credential', async () => {
    expect((await server.call('POST', '/api/things', { body: Buffer.from('{') })).status).toBe(401)
    expect((await server.call('POST', '/api/things', { token: 'token', body: Buffer.alloc(200_000) })).status).toBe(403)
  })

  it('cannot be declared open: a route that lets unknown fields through does not start', async () => {
    const open = (body: z.ZodType) =>
      rig([route('POST /open', { does: 'O.', access: everyone, body, handle: async () => {} })])
    await expect(open(z.strictObject({ inner: z.object({ a: z.string() }) }))).rejects.toThrow(/is an open object/)
    await (await open(z.object({ a: z.string() }))).close()
  })
})

describe('what a handler sees', () => {
  const asked = async (headers: Record<string, string | string[]>) =>
    (await server.call('GET', '/api/asked', { headers })).json.given

  it('is one header, one cookie, the address, the time and the configured base', async () => {
    expect(
      await asked({
        'x-thing': 'y',
        cookie: 'other=1; session=abc=',
        host: 'evil.test',
        'x-forwarded-for': '203.0.113.9',
      }),
    ).toEqual({
      header: 'y',
      cookie: 'abc=',
      ip: '127.0.0.1',
      now: '2026-11-20T00:00:00.000Z',
      baseUrl: 'http://127.0.0.1',
    })
  })

  it('is no cookie where two have the name', async () => {
    expect(await asked({ cookie: 'session=a; session=b' })).toMatchObject({ cookie: null, header: null })
  })
})

describe('read your writes', () => {
  const waits: { types: readonly string[]; position: number; timeoutMs: number; whom: string | undefined }[] = []
  let visible = true
  let gateKnows = true
  let writing: Rig
  const caughtUp: HttpServerDependencies['waitUntilCaughtUp'] = async ({ types, position }, timeoutMs, whom) => {
    waits.push({ types, position, timeoutMs, whom })
    return visible && (whom === 'all' || gateKnows)
  }
  const strictWaits = () => waits.filter(({ whom }) => whom === 'gate').map(({ timeoutMs }) => timeoutMs)
  const append = (kind: string) => writing.call('POST', `/api/append/${kind}`, asStaff)

  beforeAll(async () => {
    writing = await rig(routes, { waitUntilCaughtUp: caughtUp })
  })
  afterAll(() => writing.close())
  afterEach(() => {
    visible = true
    gateKnows = true
    waits.length = 0
  })

  it('waits up to a second for the last position and says where it is', async () => {
    const before = Number((await append('plain')).headers['event-position'])
    waits.length = 0
    const { status, headers } = await append('twice')
    expect(Number(headers['event-position'])).toBe(before + 2)
    const position = Number(headers['event-position'])
    expect(waits).toEqual([{ types: ['ThingHappened'], position, timeoutMs: 1_000, whom: 'all' }])
    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('projection-lag')
  })

  it('says when lists do not show the change yet', async () => {
    visible = false
    expect(await append('plain')).toMatchObject({
      status: 200,
      headers: { 'projection-lag': '1', 'event-position': expect.any(String) },
    })
  })

  it('answers no success for a strict change that is not in effect', async () => {
    expect(await append('strict')).toMatchObject({ status: 200 })
    gateKnows = false
    const late = await append('strict')
    expect(late).toMatchObject({
      status: 503,
      json: { message: 'The change is recorded but not yet in effect everywhere: try again' },
      headers: { 'retry-after': '1', 'event-position': expect.any(String) },
    })
    expect(strictWaits()).toEqual([5_000, 5_000])
  })

  it('answers a strict change that holds, though lists do not show it yet', async () => {
    const late: HttpServerDependencies['waitUntilCaughtUp'] = async (_change, _timeoutMs, whom) => whom === 'gate'
    const lagging = await rig(routes, { waitUntilCaughtUp: late })
    expect(await lagging.call('POST', '/api/append/strict', asStaff)).toMatchObject({
      status: 200,
      headers: { 'projection-lag': '1' },
    })
    await lagging.close()
  })

  it.each([
    ['refused', 409],
    ['bug', 500],
  ])('says where it is on an error too: %s', async (kind, status) => {
    expect(await append(kind)).toMatchObject({ status, headers: { 'event-position': expect.any(String) } })
  })

  it('says nothing of it to whoever is not let in', async () => {
    const { status, headers } = await append('unknown')
    expect(status).toBe(401)
    expect(headers).not.toHaveProperty('event-position')
  })

  it('takes read models that cannot be asked for lagging ones', async () => {
    const away = await rig(routes, { waitUntilCaughtUp: async () => Promise.reject(new Error('away')) })
    expect(await away.call('POST', '/api/append/plain', asStaff)).toMatchObject({
      status: 200,
      headers: { 'projection-lag': '1' },
    })
    expect(await away.call('POST', '/api/append/strict', asStaff)).toMatchObject({ status: 503 })
    await away.close()
  })

  it('refuses, too, only once what it took away is gone', async () => {
    expect(await append('stolen')).toMatchObject({ status: 409 })
    visible = false
    expect(await append('stolen')).toMatchObject({ status: 503 })
    expect(strictWaits()).toEqual([5_000, 5_000])
  })

  it('sends the position ahead of a stream', async () => {
    const { headers, text } = await writing.call('GET', '/api/append', asStaff)
    expect(text).toBe('0\n1\n')
    expect(headers).toHaveProperty('event-position')
  })

  it('waits for nothing where nothing was appended', async () => {
    const { headers } = await writing.call('GET', '/api/text')
    expect(waits).toEqual([])
    expect(headers).not.toHaveProperty('event-position')
  })
})

describe('the log', () => {
  const lineOf = (id: unknown) => server.lines.find((line) => line['requestId'] === id && line['msg'] === 'request')

  it('has one line per request: what was asked by whom, and nothing of its content', async () => {
    const reply = await server.call('POST', '/api/things', {
      token: 'staff',
      body: { name: 'canary' },
      headers: { 'x-request-id': 'mine-1', cookie: 'canary=canary', 'x-thing': 'canary' },
    })
    const line = lineOf(reply.headers['x-request-id'])
    expect(line).toMatchObject({
      clientRequestId: 'mine-1',
      method: 'POST',
      route: 'POST /api/things',
      status: 201,
      caller: 'staff',
      actor: 'staff-1',
    })
    expect(reply.headers['x-request-id']).not.toBe('mine-1')
    expect(line).not.toHaveProperty('code')
    expect(JSON.stringify(line)).not.toMatch(/canary|127\.0\.0\.1|Bearer/)
  })

  it('says with which code a request was refused', async () => {
    const { headers } = await server.call('DELETE', `/api/things/${ID}`, { token: 'token' })
    expect(lineOf(headers['x-request-id'])).toMatchObject({ status: 403, code: 'NOT_OPEN', caller: 'token' })
  })

  it('does not repeat paths, queries or ids of strangers', async () => {
    const replies = await Promise.all([
      server.call('GET', '/canary/canary'),
      server.call('GET', '/api/search?q=canary'),
      server.call('GET', '/api/text', { headers: { 'x-request-id': 'canary canary' } }),
    ])
    for (const { headers } of replies) expect(JSON.stringify(lineOf(headers['x-request-id']))).not.toContain('canary')
  })

  it('shows no secret, wherever a client puts one', async () => {
    const written: string[] = []
    const logged = await rig(routes, {
      logger: logger({ level: 'debug', destination: { write: (line) => void written.push(line) } }),
    })
    const jws = 'eyJhbGciOiJF.eyJzdWIiOiJj.c2lnbmF0dXJlLWNhbmFyeQ'
    const secrets = [newSecret('k'), newSecret('m'), newWebhookSecret(), jws, 'canary.person@mail.example.test']
    const escaped = (text: string) => text.replaceAll(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`)
    const forms = secrets.flatMap((secret) => [secret, escaped(secret), `%20${secret}`, encodeURIComponent(secret)])
    for (const text of forms) {
      await logged.call('GET', `/api/things/${text}`, { token: 'staff' })
      await logged.call('GET', `/api/search?q=${text}&token=${text}`)
      await logged.call('PATCH', `/${text}?${text}`, { headers: { 'user-agent': text, referer: text } })
      await logged.call('GET', '/api/text', { headers: { 'x-request-id': text } })
    }
    await logged.close()
    expect(written).toHaveLength(4 * forms.length)
    for (const text of forms) expect(written.join('')).not.toContain(text)
    const ids = written.flatMap((line) => (JSON.parse(line) as { clientRequestId?: string }).clientRequestId ?? [])
    expect(new Set(ids)).toEqual(new Set(['[secret]', '[token]']))
  })
})

describe('the credential', () => {
  it('reaches the service as it was sent: every header line of it', async () => {
    const seen: unknown[] = []
    const asking = await rig(routes, {
      authenticate: async ({ authorization, ip }) => void seen.push({ authorization, ip }),
    })
    const head = `GET /api/things/${ID} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`
    await asking.raw(`${head}Authorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n`)
    expect(seen).toEqual([{ authorization: ['Bearer a', 'Bearer b'], ip: '127.0.0.1' }])
    await asking.close()
  })

  it('comes from the address that a trusted proxy names', async () => {
    const seen: unknown[] = []
    const asking = await rig(routes, {
      trustedProxies: parseTrustedProxies('127.0.0.1'),
      authenticate: async ({ ip }) => void seen.push(ip),
    })
    for (const value of ['203.0.113.9', '198.51.100.1, 2001:db8::1', 'garbage', undefined])
      await asking.call('GET', `/api/things/${ID}`, { headers: { 'x-forwarded-for': value } })
    expect(seen).toEqual(['203.0.113.9', '2001:db8::1', undefined, undefined])
    await asking.close()
  })

  it('lets the caller know that it was let in', async () => {
    let admitted = 0
    const watching = await rig(routes, {
      authenticate: async () => caller('token', ['things:view'], { onAdmitted: () => void (admitted += 1) }),
    })
    await watching.call('DELETE', `/api/things/${ID}`)
    expect(admitted).toBe(0)
    await watching.call('GET', `/api/things/${ID}`)
    expect(admitted).toBe(1)
    await watching.close()
  })
})

describe('load and closing', () => {
  it('answers 503 beyond the requests that it can hold at once', { retry: 2 }, async () => {
    const small = await rig(routes, { load: new LoadLimiter({ inFlightMax: 2 }) })
    const replies = await Promise.all([1, 2, 3].map(() => small.call('GET', '/api/slow')))
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 503])
    expect(replies.find(({ status }) => status === 503)?.headers).toMatchObject({
      'retry-after': '1',
      'error-code': 'BUSY',
    })
    expect((await small.call('GET', '/api/slow')).status).toBe(200)
    await small.close()
  })

  it('looks alive while it is full', async () => {
    const small = await rig([...routes, ...readiness([]).routes], { load: new LoadLimiter({ inFlightMax: 1 }) })
    const slow = small.call('GET', '/api/slow')
    await vi.waitFor(async () => expect((await small.call('GET', '/api/slow')).status).toBe(503), { timeout: 10_000 })
    expect((await small.call('GET', '/api/health')).status).toBe(200)
    expect((await small.call('GET', '/api/health/ready')).status).toBe(200)
    await slow
    await small.close()
  })

  it('says once that a proxy is not believed', async () => {
    const behind = await rig(routes)
    const told = () => behind.lines.filter(({ msg }) => String(msg).includes('TRUSTED_PROXIES')).length
    await behind.call('GET', '/api/slow')
    expect(told()).toBe(0)
    for (let request = 0; request < 3; request += 1)
      await behind.call('GET', '/api/slow', { headers: { 'x-forwarded-for': '192.0.2.1' } })
    expect(told()).toBe(1)
    expect(JSON.stringify(behind.lines)).not.toContain('192.0.2.1')
    await behind.close()
  })

  it('limits failed authentications by address', async () => {
    const limited = await rig(routes, { limits: { failuresPerMinute: 3 } })
    const path = `/api/things/${ID}`
    const failures = []
    for (let index = 0; index < 5; index += 1)
      failures.push(await limited.call('GET', path, { token: `garbage${index}` }))
    expect(failures.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429])
    expect(failures[4]?.headers).toMatchObject({
      'retry-after': '20',
      ratelimit: '"failures";r=0;t=20',
      'ratelimit-policy': '"failures";q=3;w=60',
    })
    expect((await limited.call('GET', path, { token: 'token' })).status).toBe(200)
    await limited.close()
  })

  it('closes after the answers that are under way, and takes no new ones', { retry: 2 }, async () => {
    let told = false
    const closing = await rig(routes, { onClosing: () => void (told = true) })
    const agent = new Agent({ keepAlive: true })
    const late = closing.call('GET', '/api/slow', { agent })
    await new Promise((resolve) => setTimeout(resolve, 50))
    const startedMs = performance.now()
    const closed = closing.server.close(5_000)
    expect(told).toBe(true)
    await expect(closing.call('GET', '/api/text')).rejects.toThrow(/ECONNREFUSED/)
    expect(await late).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await closed
    expect(performance.now() - startedMs).toBeLessThan(1_500)
    agent.destroy()
  })

  it('cuts what is still under way when the grace is over', { retry: 2 }, async () => {
    const closing = await rig(routes)
    const late = closing.call('GET', '/api/slow').catch((error: Error) => error)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await closing.server.close(50)
    expect(await late).toBeInstanceOf(Error)
  })
})
