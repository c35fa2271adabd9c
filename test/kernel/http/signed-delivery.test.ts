/** The way in of signed deliveries: whatever is wrong is one answer, and few large bodies are received at once. */
import { afterEach, expect, test, vi } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { LoadLimiter } from '#kernel/http/limits/load'
import { route } from '#kernel/http/route'
import { bySignature, deliveryAuthentication, deliveryBody, WEBHOOK } from '#kernel/http/signed-delivery'
import type { SignedDelivery } from '#kernel/http/signed-delivery'
import { answersIn, caller, connection, rig } from '../../support/kernel/http-rig.ts'
import type { Connection } from '../../support/kernel/http-rig.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const MIB = 1_048_576
const LATER = { timeout: 10_000 }
const received: number[] = []
const routes = [
  route('POST /hook', {
    does: 'Receive.',
    access: bySignature,
    body: deliveryBody,
    status: 202,
    async handle({ body }) {
      received.push(body.length)
    },
  }),
]

const isSigned = ({ header, body }: SignedDelivery): boolean => header('signed') === String(body.length)

async function receiver() {
  received.length = 0
  const load = new LoadLimiter({ patienceMs: 60_000 })
  const heard: SignedDelivery[] = []
  const scheme = deliveryAuthentication(async (delivery) => {
    heard.push(delivery)
    return isSigned(delivery) ? caller(WEBHOOK, []) : undefined
  })
  const authenticationSchemes = { [WEBHOOK]: scheme }
  const served = await rig(routes, { load, authenticationSchemes, trustedProxies: parseTrustedProxies('127.0.0.1') })
  closing.push(() => served.close())
  async function open(bytes: number, from: string, isChunked = false): Promise<Connection> {
    const opened = await connection(served.port)
    closing.push(() => opened.end())
    const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`
    const head = ['POST /hook HTTP/1.1', 'Host: x', `X-Forwarded-For: ${from}`, `Signed: ${bytes}`, length]
    opened.send(`${head.join('\r\n')}\r\n\r\n`)
    return opened
  }
  return { ...served, load, heard, open }
}

const statusesOf = ({ heard }: Connection) => answersIn(heard).map(({ status }) => status)

test('a signed body is passed on byte by byte, and one that is not is refused with a challenge', async () => {
  const { call, heard } = await receiver()
  const body = { name: 'ada' }
  const signed = String(JSON.stringify(body).length)
  expect((await call('POST', '/hook', { body, headers: { signed } })).status).toBe(202)
  expect(String(heard[0]!.body)).toBe('{"name":"ada"}')
  expect(heard[0]!.target).toBe('/hook')
  expect(received).toEqual([14])
  const refusals = [
    await call('POST', '/hook', { body, headers: { signed: '1' } }),
    await call('POST', '/hook', { body }),
  ]
  for (const { status, headers, json } of refusals) {
    expect([status, headers['error-code'], headers['www-authenticate']]).toEqual([
      401,
      'SIGNATURE_INVALID',
      'Signature',
    ])
    expect(json).toEqual({ statusCode: 401, message: 'Invalid signature' })
  }
  expect(received).toEqual([14])
})

test('a header that is sent twice counts as none', async () => {
  const { raw, heard } = await receiver()
  const head =
    'POST /hook HTTP/1.1\r\nHost: x\r\nConnection: close\r\nSigned: 2\r\nSigned: 2\r\nContent-Length: 2\r\n\r\n{}'
  expect(answersIn(await raw(head)).map(({ status }) => status)).toEqual([401])
  expect(heard[0]!.header('signed')).toBeUndefined()
})

test('8 MiB are taken, a byte more is refused before it is read', async () => {
  const { open, heard } = await receiver()
  const most = await open(8 * MIB, '192.0.2.1')
  most.send(Buffer.alloc(8 * MIB, 32))
  await vi.waitFor(() => expect(statusesOf(most)).toEqual([202]), LATER)
  const more = await open(8 * MIB + 1, '192.0.2.1')
  await vi.waitFor(() => expect(statusesOf(more)).toEqual([413]), LATER)
  expect(heard).toHaveLength(1)
})

test('of bodies over 100 KiB, and of unknown length, four are received at once; smaller ones are not held up', async () => {
  const { open, load } = await receiver()
  const size = 102_401
  const large = [await open(size, '192.0.2.1'), await open(size, '192.0.2.1')]
  large.push(await open(size, '192.0.2.1', true), await open(size, '198.51.100.7'))
  await vi.waitFor(() => expect(load.largeBodies.size).toBe(4), LATER)
  const small = await open(102_400, '203.0.113.1')
  await vi.waitFor(() => expect(load.bodies.size).toBe(1), LATER)
  small.send(Buffer.alloc(102_400, 32))
  await vi.waitFor(() => expect(statusesOf(small)).toEqual([202]), LATER)
  const fifth = await open(size, '203.0.113.1')
  await vi.waitFor(() => expect(statusesOf(large[0]!)).toEqual([503]), LATER)
  expect(load.largeBodies.size).toBe(4)
  for (const each of [large[1]!, large[3]!, fifth]) {
    each.send(Buffer.alloc(size, 32))
    await vi.waitFor(() => expect(statusesOf(each)).toEqual([202]), LATER)
  }
  expect(load.largeBodies.size).toBe(1)
})
