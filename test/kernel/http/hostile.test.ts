import { connect } from 'node:net'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { everyone, route } from '#kernel/http/route'
import { cpuMs } from '#test/support/cpu-ms'
import { ID, answersIn, rig } from '../../support/kernel/http-rig.ts'
import type { Rig } from '../../support/kernel/http-rig.ts'

const Echo = z.object({ given: z.json() })

const routes = [
  route('GET /ping', { does: 'Ping.', access: everyone, reply: Echo, handle: async () => ({ given: 'pong' }) }),
  route('POST /echo', {
    does: 'Echo.',
    access: everyone,
    body: z.strictObject({
      name: z.string().max(1_000),
      count: z.int().optional(),
      at: z.iso.datetime({ offset: true }).optional(),
      tags: z.array(z.string()).max(10).optional(),
      any: z.json().optional(),
    }),
    reply: Echo,
    handle: async ({ body }) => ({ given: body as z.core.util.JSONType }),
  }),
  route('GET /things/:id', {
    does: 'Read.',
    access: everyone,
    query: z.object({ page: z.coerce.number().int().min(1).max(10).optional() }),
    reply: Echo,
    handle: async ({ params, query }) => ({ given: { ...params, ...query } }),
  }),
]

let server: Rig
beforeAll(async () => {
  server = await rig(routes, quiet())
})
afterAll(() => server.close())
afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(pristine)
})

/** The part that all requests share. */
const POST = 'POST /echo HTTP/1.1\r\nHost: a\r\n'

const pristine = Object.getOwnPropertyNames(Object.prototype)

/** Silences the log, because thousands of log lines help no reader. */
function quiet() {
  return { logger: { info() {}, warn() {}, error() {} } as never }
}

describe('framing', () => {
  const big = 'x'.repeat(17_000)
  it.each<[string, string, number]>([
    ['two Host headers', 'GET /ping HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['twice the same Host', 'GET /ping HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400],
    ['no Host', 'GET /ping HTTP/1.1\r\n\r\n', 400],
    ['an empty Host', 'GET /ping HTTP/1.1\r\nHost:\r\n\r\n', 400],
    ['HTTP/1.0 without Host', 'GET /ping HTTP/1.0\r\n\r\n', 400],
    ['an absolute-form request line', 'GET http://evil.test/ping HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a fragment', 'GET /ping#/elsewhere HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    [
      'a length beside chunks',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['two lengths', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde', 400],
    ['a negative length', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
    ['a length with a sign', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: +4\r\n\r\nabcd', 400],
    ['chunked that is not last', 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n', 400],
    ['a coding beside chunked', `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
    [
      'chunked beside identity',
      `${POST}Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['chunked in HTTP/1.0', 'POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['chunked twice', `${POST}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`, 400],
    ['an unknown transfer coding', 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n', 400],
    [
      'a chunk length that is none',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['a folded header', 'GET /ping HTTP/1.1\r\nHost: a\r\nX-Thing: a\r\n b\r\n\r\n', 400],
    ['a blank before the colon', 'GET /ping HTTP/1.1\r\nHost : a\r\n\r\n', 400],
    ['a NUL in a header', 'GET /ping HTTP/1.1\r\nHost: a\r\nX-Thing: a\0b\r\n\r\n', 400],
    ['a bare line feed', 'GET /ping HTTP/1.1\nHost: a\n\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['an unknown method', 'EVIL /ping HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['headers beyond 16 KiB', `GET /ping HTTP/1.1\r\nHost: a\r\nX-Thing: ${big}\r\n\r\n`, 431],
    ['a path beyond 16 KiB', `GET /${big} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['TRACE', 'TRACE /ping HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    [
      'a method override',
      'POST /ping HTTP/1.1\r\nHost: a\r\nX-HTTP-Method-Override: GET\r\nContent-Length: 0\r\n\r\n',
      404,
    ],
    ['an unknown expectation', 'GET /nowhere HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n', 404],
    ['an upgrade', 'GET /ping HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 200],
  ])('%s', async (_what, text, status) => {
    const [only, ...others] = answersIn(await server.raw(text, 400))
    expect(only, 'no answer').toBeDefined()
    expect(only?.status).toBe(status)
    if (status >= 400 && !text.startsWith('HEAD')) {
      expect(JSON.parse(only!.body)).toEqual({ statusCode: status, message: expect.any(String) })
      expect(only!.head).toMatch(/x-request-id: [0-9a-f-]{36}/i)
      expect(only!.head).toMatch(/x-content-type-options: nosniff/i)
    }
    expect(others).toEqual([])
  })

  it.each(['application/json', 'text/plain'])('refuses a second type, %s, for being one', async (type) => {
    const [only] = answersIn(
      await server.raw(
        `${POST}Content-Type: application/json\r\nContent-Type: ${type}\r\nContent-Length: 2\r\n\r\n{}`,
        400,
      ),
    )
    expect(JSON.parse(only!.body).message).toBe('A request may have only one Content-Type header')
  })

  it('never reads a refused body as the next request', async () => {
    const smuggled = 'GET /things/smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
    const text = `POST /ping HTTP/1.1\r\nHost: a\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}GET /ping HTTP/1.1\r\nHost: a\r\n\r\n`
    expect(answersIn(await server.raw(text, 400)).map(({ status }) => status)).toEqual([404, 200])
  })

  it('takes a Host for nothing: no answer repeats it', async () => {
    const heard = await server.raw(
      'GET /nowhere HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: evil.test\r\n\r\n',
      300,
    )
    expect(heard).not.toContain('evil.test')
  })

  it('answers 413 to an announced giant at once and cuts whoever sends it all the same', async () => {
    const socket = connect(server.port, '127.0.0.1')
    let heard = ''
    let sent = 0
    socket.on('data', (piece) => (heard += String(piece)))
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.write(
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n',
    )
    const piece = Buffer.alloc(65_536, 0x20)
    const pump = () => {
      while (!socket.destroyed && socket.write(piece)) sent += piece.length
    }
    socket.on('drain', pump)
    pump()
    await closed
    expect(answersIn(heard)[0]?.status).toBe(413)
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })
})

describe('slow clients', () => {
  const slow = async (text: string, drip: string): Promise<{ closedAfterMs: number; heard: string }> => {
    const startedMs = performance.now()
    const socket: Socket = connect(server.port, '127.0.0.1', () => socket.write(text))
    let heard = ''
    socket.on('data', (piece) => (heard += String(piece))).on('error', () => {})
    const timer = setInterval(() => socket.write(drip), 1_000)
    await new Promise((resolve) => socket.on('close', resolve))
    clearInterval(timer)
    return { closedAfterMs: performance.now() - startedMs, heard }
  }

  it('are gone in time, slow in headers or in body, while others are served at once', { retry: 2 }, async () => {
    const headers = Array.from({ length: 100 }, () => slow('GET /ping HTTP/1.1\r\nHost: a\r\n', 'X-Drip: 1\r\n'))
    const bodies = Array.from({ length: 100 }, () =>
      slow('POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{', ' '),
    )
    const times: number[] = []
    for (let index = 0; index < 50; index += 1) {
      const startedMs = performance.now()
      expect((await server.call('GET', '/ping')).status).toBe(200)
      times.push(performance.now() - startedMs)
    }
    const slowHeaders = await Promise.all(headers)
    const slowBodies = await Promise.all(bodies)
    expect(Math.max(...slowHeaders.map(({ closedAfterMs }) => closedAfterMs))).toBeLessThan(20_000)
    expect(Math.max(...slowBodies.map(({ closedAfterMs }) => closedAfterMs))).toBeLessThan(20_000)
    for (const { heard } of [...slowHeaders, ...slowBodies]) expect(answersIn(heard)[0]?.status).toBe(408)
    expect(times.sort((a, b) => a - b)[45]).toBeLessThan(1_000)
  })
})

describe('whatever is sent', () => {
  const nasty = fc.oneof(
    fc.constantFrom(
      '\0',
      '\ud800',
      '\u202e',
      'now',
      'infinity',
      '__proto__',
      'constructor',
      '%00',
      '../..',
      "' OR 1=1--",
      '﻿',
      '1e999',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  const value = fc.oneof(
    nasty,
    fc.double(),
    fc.bigInt().map(Number),
    fc.constant(null),
    fc.array(nasty, { maxLength: 3 }),
    fc.jsonValue(),
  )
  const field = fc.constantFrom('name', 'count', 'at', 'tags', 'any', '__proto__', 'constructor', 'toString', '')
  const body = fc.oneof(
    fc
      .array(fc.tuple(field, value), { maxLength: 4 })
      .map((pairs) =>
        Buffer.from(
          `{${pairs.map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each) ?? '1e999'}`).join()}}`,
        ),
      ),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  )

  it('is answered below 500 in JSON, and no error repeats it', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const { status, json } = await server.call('POST', '/echo', { body: sent })
        expect(status).toBeLessThan(500)
        if (status !== 200) expect(json).toEqual({ statusCode: status, message: expect.any(String) })
      }),
      { numRuns: 1_500 },
    )
    for (const sent of ['{"name":1,"canary canary":1}', '{"name":{"canary":1}}', '{"at":"canary"}', 'canary']) {
      const { status, text } = await server.call('POST', '/echo', { body: Buffer.from(sent) })
      expect(status).toBe(400)
      expect(text).not.toContain('canary')
    }
  })

  it('is answered below 500 in paths and queries too', async () => {
    const escaped = nasty.map((text) => encodeURIComponent(text.toWellFormed()))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(escaped, fc.constantFrom(ID, '%', '%zz', '%2f', '%ff')),
        fc.oneof(escaped, fc.constantFrom('page', 'page=1', '%')),
        async (id, search) => {
          const { status } = await server.call('GET', `/things/${id}?${search}`)
          expect([200, 400, 404]).toContain(status)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('does not stop the event loop for longer than a moment', { retry: 2 }, async () => {
    const spentMs: number[] = []
    const call = async (ask: Parameters<Rig['call']>[2]): Promise<number> => {
      let status = 0
      spentMs.push(await cpuMs(async () => ({ status } = await server.call('POST', '/echo', ask))))
      return status
    }
    const deep = Buffer.from('['.repeat(51_200) + ']'.repeat(51_200))
    const keys = Buffer.from(`{${Array.from({ length: 9_000 }, (_, index) => `"k${index}":0`).join()}}`)
    const quotes = Buffer.from('"\\'.repeat(51_200))
    for (const body of [deep, keys, quotes]) expect(await call({ body })).toBe(400)
    const blanks = ' '.repeat(12_000)
    for (const name of [
      'x-forwarded-for',
      'authorization',
      'cookie',
      'content-type',
      'x-request-id',
      'content-encoding',
    ])
      await call({ body: {}, headers: { [name]: `a${blanks}b` } })
    // Of the processor, which others on the machine do not lengthen.
    expect(Math.max(...spentMs)).toBeLessThan(250)
  })
})
