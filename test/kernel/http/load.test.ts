/**
 * One client cannot use up the places of another: for requests whose body is still arriving, for uploads, and
 * for answers that wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { addressBlocksOf } from '#kernel/credentials/ip-address'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { readiness } from '#kernel/http/health'
import { LoadLimiter } from '#kernel/http/limits/load'
import type { LoadDependencies } from '#kernel/http/limits/load'
import { SlowClientSlots } from '#kernel/http/limits/slow-client-slots'
import { everyone, route, textReply } from '#kernel/http/route'
import { answersIn, connection, rig } from '../../support/kernel/http-rig.ts'
import type { Connection, Rig } from '../../support/kernel/http-rig.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

describe('places that are shared', () => {
  const ips = [
    '192.0.2.1',
    '192.0.2.2',
    '2001:db8:1::1',
    '2001:db8:1:1::1',
    '2001:db8:1:100::1',
    '2001:db8:1:101::1',
    '2001:db8:2::1',
    undefined,
  ]

  /** The indexes of the requests that lose their place, in the order of arrival. */
  function losing(max: number, takers: readonly (string | undefined)[]): number[] {
    const shares = new SlowClientSlots(max)
    const lost: number[] = []
    takers.forEach((ip, nth) => shares.take(ip, () => lost.push(nth)))
    return lost
  }

  it.each([
    ['none while there are enough', 4, [0, 0, 1, 2], []],
    ['the oldest of one address', 2, [0, 0, 0, 0], [0, 1]],
    ['the oldest of the address that has the most', 3, [1, 0, 0, 2], [1]],
    ['the oldest of all where each has one', 2, [0, 1, 2], [0]],
    ['one of a /48 that has more in all, whatever its /64s have', 4, [0, 0, 2, 4, 5], [3]],
    ['in a /48 the /56 that has the most, and in it the /64', 4, [2, 4, 5, 5, 0], [2]],
  ])('are lost by %s', (_who, max, takers, lost) => {
    expect(
      losing(
        max,
        takers.map((which) => ips[which]),
      ),
    ).toEqual(lost)
  })

  it('never cost a block its place while another holds more', () => {
    const taking = fc.array(fc.constantFrom(...ips), { maxLength: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), taking, (max, takers) => {
        const shares = new SlowClientSlots(max)
        const held: string[] = []
        for (const ip of takers) {
          const widest = addressBlocksOf(ip).at(-1)!.name
          held.push(widest)
          shares.take(ip, () => {
            const count = (block: string) => held.filter((each) => each === block).length
            expect(count(widest)).toBe(Math.max(...held.map(count)))
            held.splice(held.indexOf(widest), 1)
          })
          expect(shares.size).toBe(held.length)
        }
        expect(held.length).toBeLessThanOrEqual(max)
      }),
    )
  })

  it('are given back once', () => {
    const shares = new SlowClientSlots(2)
    const back = shares.take('192.0.2.1', () => {})
    shares.take('192.0.2.2', () => {})
    back()
    back()
    expect(shares.size).toBe(1)
  })
})

const BIG = 'x'.repeat(16 * 1024 * 1024)
const received: number[] = []

const routes = [
  route('POST /echo', {
    does: 'Echo.',
    access: everyone,
    body: z.strictObject({ name: z.string() }),
    reply: z.object({ name: z.string() }),
    handle: async ({ body }) => body,
  }),
  route('POST /closed', {
    does: 'Not for strangers.',
    access: { kinds: ['staff'] },
    body: z.strictObject({ name: z.string() }),
    handle: async () => {},
  }),
  route('POST /upload', {
    does: 'Take.',
    access: everyone,
    upload: { bytesMax: 1_000_000 },
    handle: async ({ upload }) => {
      for await (const { length } of upload()) received.push(length)
    },
  }),
  route('GET /big', {
    does: 'More than a connection buffers.',
    access: everyone,
    reply: textReply('text/plain'),
    handle: async () => BIG,
  }),
  route('GET /pieces', {
    does: 'The same in pieces.',
    access: everyone,
    reply: textReply('text/plain'),
    handle: async () =>
      (async function* pieces() {
        for (let piece = 0; piece < 256; piece += 1) yield BIG.slice(0, 65_536)
      })(),
  }),
  route('GET /ping', { does: 'Ping.', access: everyone, handle: async () => {} }),
]

interface Loaded extends Rig {
  readonly load: LoadLimiter
  /** @param from the address that a trusted proxy names */
  open(text: string, from?: string, reads?: boolean): Promise<Connection>
}

async function loaded(limits: LoadDependencies): Promise<Loaded> {
  const load = new LoadLimiter(limits)
  const ready = readiness([{ name: 'requests', ask: async () => load.readinessNote() }])
  const served = await rig([...routes, ...ready.routes], { load, trustedProxies: parseTrustedProxies('127.0.0.1') })
  closing.push(() => served.close())
  return {
    ...served,
    load,
    async open(text, from = '192.0.2.1', reads = true) {
      const opened = await connection(served.port, { reads })
      closing.push(() => opened.end())
      opened.send(text.replace('\r\n', `\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n`))
      return opened
    },
  }
}

const HEAD = 'POST /echo HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n'
const BODY = '{"name":"ada"}'
const UPLOAD = 'POST /upload HTTP/1.1\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n'
const FOREVER = { patienceMs: 600_000 }
const LATER = { timeout: 20_000 }

const refusals = (heard: string) =>
  answersIn(heard).map(({ status, head, body }) => [status, /^error-code: (\S+)/im.exec(head)?.[1], JSON.parse(body)])

describe('bodies that are still coming', () => {
  it('take no place of requests that are whole', async () => {
    const { load, open, call } = await loaded({ ...FOREVER, inFlightMax: 1 })
    const half: Connection[] = []
    for (let nth = 0; nth < 5; nth += 1) half.push(await open(HEAD))
    await vi.waitFor(() => expect(load.bodies.size).toBe(5), LATER)
    expect((await call('GET', '/ping')).status).toBe(204)
    expect(await call('POST', '/echo', { body: { name: 'whole' } })).toMatchObject({ status: 200 })
    half[0]!.send(BODY)
    await vi.waitFor(() => expect(answersIn(half[0]!.heard)).toMatchObject([{ status: 200, body: BODY }]), LATER)
    expect(load.bodies.size).toBe(4)
  })

  it('are given up, the oldest first, of the address that has the most of them; readiness tells', async () => {
    let nowMs = 0
    const { load, lines, open, call } = await loaded({ ...FOREVER, bodiesMax: 3, nowMs: () => nowMs })
    const honest = await open(HEAD, '198.51.100.7')
    await vi.waitFor(() => expect(load.bodies.size).toBe(1), LATER)
    expect((await call('GET', '/api/health/ready')).json.status).toBe('ok')
    const many: Connection[] = []
    for (let nth = 0; nth < 5; nth += 1) {
      many.push(await open(HEAD, `2001:db8:1:${nth}::1`))
      await vi.waitFor(() => expect(load.bodies.size).toBe(Math.min(3, nth + 2)), LATER)
    }
    await Promise.all(many.slice(0, 3).map(({ closed }) => closed))
    for (const { heard } of many.slice(0, 3)) {
      const message = 'Too many requests with an incomplete body: try again'
      expect(refusals(heard)).toEqual([[503, 'BODIES_BUSY', { statusCode: 503, message }]])
      expect(heard).toMatch(/^connection: close\r$/im)
      expect(heard).toMatch(/^retry-after: 1\r$/im)
    }
    expect(many.map(({ isClosed }) => isClosed)).toEqual([true, true, true, false, false])
    honest.send(BODY)
    await vi.waitFor(() => expect(answersIn(honest.heard)).toMatchObject([{ status: 200 }]), LATER)
    const ready = await call('GET', '/api/health/ready')
    expect(ready).toMatchObject({ status: 200, json: { status: 'degraded', checks: { requests: 'degraded' } } })
    expect(ready.json.notes.requests).toContain('requests are rejected')
    const line = expect.objectContaining({ route: 'POST /echo', status: 503, code: 'BODIES_BUSY' })
    await vi.waitFor(() => expect(lines.filter((each) => line.asymmetricMatch(each))).toHaveLength(3), LATER)
    nowMs = 10_001
    expect((await call('GET', '/api/health/ready')).json.status).toBe('ok')
  })

  it('are not waited for without end', async () => {
    const { load, lines, open } = await loaded({ patienceMs: 100 })
    const slow = await open(`${HEAD}{`)
    await slow.closed
    const message = 'The request body arrived too slowly'
    expect(refusals(slow.heard)).toEqual([[408, 'REQUEST_TIMEOUT', { statusCode: 408, message }]])
    expect(load.bodies.size).toBe(0)
    const line = expect.objectContaining({ route: 'POST /echo', status: 408, code: 'REQUEST_TIMEOUT' })
    await vi.waitFor(() => expect(lines).toContainEqual(line), LATER)
  })

  it('have one deadline with their rest', async () => {
    const { open } = await loaded({ patienceMs: 3_000 })
    const startedMs = performance.now()
    const large = await open(
      'POST /echo HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    await pause(1_500)
    large.send(`1a000\r\n${'x'.repeat(0x1a000)}\r\n`)
    await large.closed
    expect(answersIn(large.heard)).toMatchObject([{ status: 413 }])
    // The 413 came after 1.5 s; a new timeout for the rest would end after 4.5 s.
    expect(performance.now() - startedMs).toBeLessThan(4_400)
  })

  it('and slow headers are gone within 8 s, whatever parts they are slow in', async () => {
    const { port } = await loaded({})
    const startedMs = performance.now()
    const slow = async (pieces: readonly string[], everyMs: number): Promise<number> => {
      const opened = await connection(port)
      closing.push(() => opened.end())
      const gone = opened.closed.then(() => performance.now() - startedMs)
      for (const piece of pieces) {
        opened.send(piece)
        await pause(everyMs)
      }
      return gone
    }
    const HALF = HEAD.replace('\r\n', '\r\nHost: x\r\n')
    const middle = HALF.length - 2
    const [both, inHeaders] = await Promise.all([
      slow([HALF.slice(0, middle), HALF.slice(middle), '{'], 2_800),
      slow([HALF.slice(0, middle)], 0),
    ])
    expect(both).toBeLessThan(8_000)
    // Headers are checked twice a second; the body has the rest of the 8 s.
    expect(inHeaders).toBeLessThan(5_000)
  }, 20_000)

  it('of requests that are refused already count like the others', async () => {
    const { load, open } = await loaded({ ...FOREVER, bodiesMax: 1 })
    const head = HEAD.replace('/echo', '/closed')
    const refused = await open(head)
    await vi.waitFor(() => expect(answersIn(refused.heard)).toMatchObject([{ status: 401 }]), LATER)
    expect(load.bodies.size).toBe(1)
    await open(head)
    await refused.closed
    const impatient = await loaded({ patienceMs: 100 })
    const rejected = await impatient.open(head)
    await rejected.closed
    await vi.waitFor(() => expect(impatient.load.bodies.size).toBe(0), LATER)
  })

  it('find their request a place once they are there, or have it refused', async () => {
    const { load, open } = await loaded({ ...FOREVER, inFlightMax: 1 })
    const half = await open(HEAD)
    await vi.waitFor(() => expect(load.bodies.size).toBe(1), LATER)
    expect(load.begin(false)).toBe(true)
    half.send(BODY)
    await vi.waitFor(() => expect(refusals(half.heard)).toMatchObject([[503, 'BUSY', {}]]), LATER)
    load.end()
  })
})

describe('uploads', () => {
  it('that come too slowly are ended, however often a byte comes', async () => {
    const { load, open } = await loaded({ patienceMs: 200 })
    const slow = await open(UPLOAD)
    const drip = setInterval(() => slow.send('x'), 20)
    closing.push(() => clearInterval(drip))
    await slow.closed
    expect(refusals(slow.heard)).toMatchObject([[408, 'REQUEST_TIMEOUT', {}]])
    expect(load.uploads.size).toBe(0)
  })

  it('that keep coming are taken, and hold no place of requests that are whole', async () => {
    const { load, open, call } = await loaded({ patienceMs: 2_000, inFlightMax: 1 })
    received.length = 0
    const steady = await open(UPLOAD)
    await vi.waitFor(() => expect(load.uploads.size).toBe(1), LATER)
    for (let sent = 0; sent < 1_000; sent += 250) {
      expect((await call('GET', '/ping')).status).toBe(204)
      steady.send('x'.repeat(250))
      await vi.waitFor(() => expect(received.reduce((sum, each) => sum + each, 0)).toBe(sent + 250), LATER)
    }
    await vi.waitFor(() => expect(answersIn(steady.heard)).toMatchObject([{ status: 204 }]), LATER)
    expect((await call('GET', '/ping')).status).toBe(204)
  })

  it('whose client leaves leave no place taken', async () => {
    const { load, open, call } = await loaded({ ...FOREVER, inFlightMax: 1 })
    const left = await open(UPLOAD)
    await vi.waitFor(() => expect(load.uploads.size).toBe(1), LATER)
    left.end()
    await vi.waitFor(() => expect(load.uploads.size).toBe(0), LATER)
    expect((await call('GET', '/ping')).status).toBe(204)
  })
})

it('readiness tells for 10 s that requests were too many', () => {
  let nowMs = 0
  const load = new LoadLimiter({ inFlightMax: 1, nowMs: () => nowMs })
  expect([load.begin(false), load.readinessNote()]).toEqual([true, undefined])
  expect(load.begin(false)).toBe(false)
  nowMs = 10_000
  expect(load.readinessNote()).toBe('requests are rejected: 2 in flight, 0 with an incomplete body')
  nowMs = 10_001
  expect(load.readinessNote()).toBeUndefined()
})

describe('answers that are not taken', () => {
  it.each(['/big', '/pieces'])('hold no place of requests, and are given up: %s', async (path) => {
    const { load, open, call } = await loaded({ patienceMs: 1_000, inFlightMax: 1 })
    const unread = await open(`GET ${path} HTTP/1.1\r\n\r\n`, '192.0.2.1', false)
    await vi.waitFor(() => expect(load.answers.size).toBe(1), LATER)
    expect((await call('GET', '/ping')).status).toBe(204)
    await vi.waitFor(() => expect(load.answers.size).toBe(0), LATER)
    unread.read()
    await unread.closed
    expect(unread.heard.length).toBeLessThan(BIG.length)
  })
})
