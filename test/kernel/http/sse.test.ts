/** Server-sent events: their frames, their heartbeat, and streams that last until the client disconnects. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { LoadLimiter } from '#kernel/http/limits/load'
import { everyone, liveReply, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { formatServerSentEvent, streamPieces, retryField } from '#kernel/http/sse'
import type { StreamOptions } from '#kernel/http/sse'
import { rig } from '../../support/kernel/http-rig.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

describe('a frame', () => {
  test('holds what it is given and nothing else, and ends with an empty line', () => {
    expect(formatServerSentEvent({ id: 7, data: { kind: 'a', text: 'b\nc\r\n' } })).toBe(
      'id: 7\ndata: {"kind":"a","text":"b\\nc\\r\\n"}\n\n',
    )
    expect(formatServerSentEvent({ id: 8, event: 'reset', data: {} })).toBe('id: 8\nevent: reset\ndata: {}\n\n')
    expect(formatServerSentEvent({ id: 9 })).toBe('id: 9\n\n')
    expect(retryField(2_000)).toBe('retry: 2000\n\n')
  })

  test.each(['a\nb', 'a\rb', 'a\0b'])('has no id or name that would begin another field: %j', (text) => {
    expect(() => formatServerSentEvent({ id: text })).toThrow('must not contain a line break')
    expect(() => formatServerSentEvent({ event: text })).toThrow('must not contain a line break')
  })
})

/** Of 64 KiB each. */
const PIECES = 2_000

/** A server that sends these pieces to every client. */
async function pouring(pieces: () => AsyncGenerator<string>, options: StreamOptions) {
  const poured: Promise<void>[] = []
  const server = createServer((_request, response) => void poured.push(streamPieces(pieces(), response, options)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  const { port } = server.address() as AddressInfo
  return { port, poured }
}

async function got(port: number, path = '/'): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', port, path, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response.setEncoding('utf8')
}

async function wholeOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response) text += piece
  return text
}

/** Sends a request and then reads nothing. */
function neverReading(port: number, path = '/'): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))
  socket.pause().on('error', () => {})
  closing.push(() => socket.destroy())
  return socket
}

describe('pouring', () => {
  test('ends with its source', async () => {
    async function* two() {
      yield 'a\n\n'
      yield 'b\n\n'
    }
    const { port } = await pouring(two, {})
    expect(await wholeOf(await got(port))).toBe('a\n\nb\n\n')
  })

  test('a silence is filled with comments', async () => {
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    async function* silent() {
      yield 'a\n\n'
      await enough
      yield 'b\n\n'
    }
    const { port } = await pouring(silent, { heartbeatMs: 5 })
    const response = await got(port)
    let text = ''
    response.on('data', (piece: string) => {
      text += piece
      if (text.includes(':\n\n:\n\n')) resolve()
    })
    await once(response, 'end')
    expect(text).toMatch(/^a\n\n(:\n\n){2,}b\n\n$/)
  })

  test('who takes nothing gets nothing piled up, and is cut off', async () => {
    let [pulled, isOver] = [0, false]
    async function* long() {
      try {
        for (; pulled < PIECES; pulled += 1) yield 'x'.repeat(64 * 1024)
      } finally {
        isOver = true
      }
    }
    const { port, poured } = await pouring(long, { stalledMs: 100 })
    const socket = neverReading(port)
    await vi.waitFor(() => expect(poured).toHaveLength(1), 10_000)
    await poured[0]
    expect(isOver).toBe(true)
    // Far more than both ends of a connection buffer.
    expect(pulled).toBeLessThan(PIECES / 2)
    socket.resume()
    await once(socket, 'close')
  })

  test('who takes a long piece slowly gets all of it', async () => {
    const [piece, stalledMs] = ['é'.repeat(16 * 1024 ** 2), 250]
    async function* one() {
      yield piece
    }
    const { port } = await pouring(one, { stalledMs, heartbeatMs: 10 })
    const response = await got(port)
    const [hash, startedMs] = [createHash('sha256'), performance.now()]
    for await (const part of response) {
      hash.update(part)
      await pause(2)
    }
    expect(hash.digest('hex')).toBe(createHash('sha256').update(piece).digest('hex'))
    expect(performance.now() - startedMs).toBeGreaterThan(stalledMs)
  })

  test('one who leaves ends the source', async () => {
    let isOver = false
    async function* endless() {
      try {
        for (;;) yield 'x'
      } finally {
        isOver = true
      }
    }
    const { port } = await pouring(endless, {})
    const response = await got(port)
    response.destroy()
    await vi.waitFor(() => expect(isOver).toBe(true), 10_000)
  })
})

/** Sends nothing more until it is told to end. */
function waiting(ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => (ended.aborted ? resolve() : ended.addEventListener('abort', () => resolve())))
}

async function live(inFlightMax?: number) {
  const seen = { open: 0, over: 0, late: 0 }
  const held = Promise.withResolvers<void>()
  async function* untilTheEnd({ abortSignal }: Pick<HandlerContext, 'abortSignal'>) {
    seen.open += 1
    yield formatServerSentEvent({ id: 1, data: {} })
    await waiting(abortSignal)
    seen.over += 1
  }
  const served = await rig(
    [
      route('GET /live', {
        does: 'Goes on.',
        access: everyone,
        reply: liveReply,
        handle: async (call) => untilTheEnd(call),
      }),
      route('GET /late', {
        does: 'Continue after the client has disconnected.',
        access: everyone,
        reply: liveReply,
        handle: async (call) => {
          seen.late += 1
          await waiting(call.abortSignal)
          return untilTheEnd(call)
        },
      }),
      route('GET /held', { does: 'Ends later.', access: everyone, handle: async () => held.promise }),
      route('GET /short', { does: 'Ends.', access: everyone, handle: async () => {} }),
    ],
    inFlightMax === undefined ? {} : { load: new LoadLimiter({ inFlightMax }) },
  )
  closing.push(() => served.close())
  return { ...served, seen, held }
}

describe('an answer that goes on', () => {
  test('leaves at once, and asks proxies to keep nothing back', async () => {
    const { port } = await live()
    const response = await got(port, '/live')
    const [first] = await once(response, 'data')
    expect(first).toBe('id: 1\ndata: {}\n\n')
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(response.headers).not.toHaveProperty('content-length')
    response.destroy()
  })

  test('ends when its client leaves, which is no failure', async () => {
    const { port, seen, lines } = await live()
    const response = await got(port, '/live')
    response.destroy()
    await vi.waitFor(() => expect(seen).toMatchObject({ open: 1, over: 1 }), 10_000)
    await vi.waitFor(() => expect(lines).toMatchObject([{ route: 'GET /live', status: 200 }]), 10_000)
  })

  test('ends when the server closes, which waits for none of them', async () => {
    const { port, server, seen } = await live()
    const responses = await Promise.all(Array.from({ length: 3 }, () => got(port, '/live')))
    const all = Promise.all(responses.map(wholeOf))
    // Longer than any test may take: only the end of the streams lets the server close.
    await server.close(600_000)
    expect(await all).toEqual(Array.from({ length: 3 }, () => 'id: 1\ndata: {}\n\n'))
    expect(seen).toMatchObject({ open: 3, over: 3 })
  })

  test('is not among those that are waited for when it comes to how many there may be', async () => {
    const { port, call } = await live(1)
    const open = [await got(port, '/live'), await got(port, '/live')]
    expect((await call('GET', '/short')).status).toBe(204)
    for (const response of open) response.destroy()
    await vi.waitFor(async () => expect((await call('GET', '/short')).status).toBe(204), 10_000)
  })

  test('counts once, also when it begins after its client has left', async () => {
    const { port, call, seen, held } = await live(1)
    const early = request({ host: '127.0.0.1', port, path: '/late', agent: false }).end()
    early.on('error', () => {})
    await vi.waitFor(() => expect(seen.late).toBe(1), 10_000)
    early.destroy()
    await vi.waitFor(() => expect(seen.open).toBe(1), 10_000)
    const both = [call('GET', '/held'), call('GET', '/held')]
    expect((await Promise.race(both)).status, 'one of two is too many').toBe(503)
    held.resolve()
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 503])
  })

  test('is not begun for HEAD', async () => {
    const { call, seen } = await live()
    expect(await call('HEAD', '/live')).toMatchObject({ status: 200, text: '' })
    expect(seen.open).toBe(0)
  })
})
