/** Shared answers that rarely change: made once, compressed once, and not sent to a client that has them. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { CachedRepresentation } from '#kernel/http/cached-representation'
import { codingFor } from '#kernel/http/content-coding'
import { answer, everyone, cachedJsonReply, cachedReply, route } from '#kernel/http/route'
import { answersIn, connection, rig } from '../../support/kernel/http-rig.ts'
import type { Rig } from '../../support/kernel/http-rig.ts'

const ALL = ['br', 'gzip', 'identity'] as const

describe('the coding of an answer', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, br', 'br'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.9', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.4', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip ; q=0.5 , br ;q=0.6', 'br'],
    ['deflate, zstd', 'identity'],
    ['*;q=0', 'identity'],
    ['identity;q=0, *;q=0', 'identity'],
    ['gzip;q=2, br;q=x', 'identity'],
  ])('for Accept-Encoding: %s is %s', (header, coding) => {
    expect(codingFor(header, ALL)).toBe(coding)
  })

  it('is one of those on offer', () => {
    expect(codingFor('br, gzip', ['identity'])).toBe('identity')
    expect(codingFor('br, gzip;q=0.1', ['gzip', 'identity'])).toBe('gzip')
  })
})

describe('what is kept', () => {
  const text = randomBytes(50_000).toString('hex')

  it('is made once for each coding, also for those who ask at the same time', async () => {
    const kept = new CachedRepresentation(text)
    for (const acceptEncoding of [undefined, 'gzip', 'br']) {
      const asking = () => kept.representationFor({ acceptEncoding, ifNoneMatch: undefined })
      const [one, other] = await Promise.all([asking(), asking()])
      expect(one.bytes).toBe(other.bytes)
      expect((await asking()).bytes).toBe(one.bytes)
    }
  })

  it('is another only when its content is', () => {
    const reply = cachedReply('text/plain')
    const first = reply.of('one')
    expect(reply.of('one')).toBe(first)
    const other = reply.of('other')
    expect(other).not.toBe(first)
    expect(reply.of('other')).toBe(other)
    const json = cachedJsonReply(z.strictObject({ a: z.int() }))
    expect(json.of({ a: 1 })).toBe(json.of({ a: 1 }))
    expect(() => json.of({ a: 1, b: 2 } as never)).toThrow()
  })
})

const LONG = JSON.stringify(Array.from({ length: 5_000 }, (_, nth) => ({ nth, text: 'all alike' })))
const long = cachedReply('application/json; charset=utf-8')
const short = cachedReply('text/plain')

const routes = [
  route('GET /long', { does: 'Long.', access: everyone, reply: long, handle: async () => long.of(LONG) }),
  route('GET /short', {
    does: 'Short.',
    access: everyone,
    reply: short,
    handle: async () => answer(short.of('short'), 200, { 'Cache-Control': 'public, max-age=60' }),
  }),
  route('GET /wrong', { does: 'Wrong.', access: everyone, reply: short, handle: async () => 'text' as never }),
]

let server: Rig
beforeAll(async () => {
  server = await rig(routes)
})
afterAll(() => server.close())
afterEach(() => void vi.restoreAllMocks())

interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

function got(method: string, path: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, fail) => {
    const sent = request({ host: '127.0.0.1', port: server.port, method, path, headers, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', fail)
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(pieces) }),
      )
    })
    sent.on('error', fail).end()
  })
}

describe('over HTTP it', () => {
  it('comes in the coding that the client takes, each with a tag of its own', async () => {
    const plain = await got('GET', '/long')
    const gzip = await got('GET', '/long', { 'accept-encoding': 'gzip' })
    const br = await got('GET', '/long', { 'accept-encoding': 'gzip, deflate, br' })
    expect(plain.bytes.toString()).toBe(LONG)
    expect(gunzipSync(gzip.bytes).toString()).toBe(LONG)
    expect(brotliDecompressSync(br.bytes).toString()).toBe(LONG)
    expect([plain, gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
    for (const { headers, bytes, status } of [plain, gzip, br]) {
      expect(status).toBe(200)
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'no-cache' })
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['content-length']).toBe(String(bytes.length))
      expect(headers.etag).toMatch(/^"[\w-]+"$/)
    }
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3)
  })

  it.each(['identity', 'gzip', 'br'])('is not sent to a client that has it: %s', async (coding) => {
    const { headers } = await got('GET', '/long', { 'accept-encoding': coding })
    for (const known of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
      const again = await got('GET', '/long', { 'accept-encoding': coding, 'if-none-match': known })
      expect([known, again.status, again.bytes.length]).toEqual([known, 304, 0])
      expect(again.headers).toMatchObject({ etag: headers.etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache' })
      expect(again.headers).not.toHaveProperty('content-encoding')
    }
    const other = await got('GET', '/long', { 'accept-encoding': coding, 'if-none-match': '"other"' })
    expect(other.status).toBe(200)
  })

  it('has its own headers, and stays plain where it fits into a packet', async () => {
    const { headers, bytes } = await got('GET', '/short', { 'accept-encoding': 'br, gzip' })
    expect(bytes.toString()).toBe('short')
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      'content-type': 'text/plain; charset=utf-8',
    })
    expect(headers).not.toHaveProperty('content-encoding')
  })

  it('is described by HEAD as it would come', async () => {
    const { headers } = await got('GET', '/long', { 'accept-encoding': 'gzip' })
    const head = await got('HEAD', '/long', { 'accept-encoding': 'gzip' })
    expect(head.bytes).toHaveLength(0)
    for (const name of ['etag', 'content-length', 'content-encoding', 'content-type', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, headers[name]])
  })

  it('is encoded for none of many who ask, by whatever method, and for none that does not read', async () => {
    await got('GET', '/long')
    const from = vi.spyOn(Buffer, 'from')
    const asking = await connection(server.port)
    const asked = `GET /long HTTP/1.1\r\nHost: x\r\n\r\nHEAD /long HTTP/1.1\r\nHost: x\r\n\r\n`
    asking.send(asked.repeat(15))
    await vi.waitFor(() => expect(answersIn(asking.heard)).toHaveLength(30), { timeout: 20_000 })
    asking.end()
    const encoded = from.mock.calls.filter(([what]) => typeof what === 'string' && what.length > 1_000)
    expect(encoded).toHaveLength(0)
  })

  it('is a bug where a route declares it and answers something else', async () => {
    expect((await got('GET', '/wrong')).status).toBe(500)
  })
})
