/** A call whose answer is kept: how much of it, and where it may not lead. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { OutboundPolicy } from '#kernel/outbound/checked-connect'
import { request } from '#kernel/outbound/request'
import type { KeptAnswer, KeptCall } from '#kernel/outbound/request'

const MIB = 1_048_576
const WHOLE = randomBytes(MIB)
let isAsked = 0

const ANSWERS: Readonly<Record<string, (asked: IncomingMessage, response: ServerResponse) => unknown>> = {
  '/whole': (_asked, response) => response.end(WHOLE),
  '/longer': (_asked, response) => response.end(Buffer.concat([WHOLE, Buffer.from('x')])),
  '/elsewhere': (_asked, response) => response.writeHead(302, { Location: '/whole' }).end(),
  '/never': () => {},
  '/echo': (asked, response) => asked.pipe(response.writeHead(201, { 'X-Heard': asked.method! })),
}
const server = createServer((asked, response) => {
  isAsked += 1
  ANSWERS[asked.url!]!(asked, response)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(async () => {
  server.closeAllConnections()
  await server[Symbol.asyncDispose]()
})

const { port } = server.address() as AddressInfo
const HERE: OutboundPolicy = { allow: ['127.0.0.1'] }
const call = (path: string, reach = HERE, more: Partial<KeptCall> = {}) => {
  const url = path.startsWith('http') ? path : `http://127.0.0.1:${port}${path}`
  return request({ method: 'GET', url, headers: {}, signal: AbortSignal.timeout(5_000), ...more }, reach)
}

/** Bytes are compared as a whole: a matcher would walk through them. */
async function kept(answer: ReturnType<typeof call>) {
  const { status, body, isWhole } = (await answer) as KeptAnswer
  return { status, isWhole, bytes: body.length, isBeginning: body.equals(WHOLE.subarray(0, body.length)) }
}

test('an answer of 1 MiB is kept whole, and of a longer one no more than that', async () => {
  const whole = { status: 200, isWhole: true, bytes: MIB, isBeginning: true }
  expect(await kept(call('/whole'))).toEqual(whole)
  expect(await kept(call('/longer', HERE, { bytesMax: 2 * MIB }))).toEqual({ ...whole, isWhole: false })
  expect(await kept(call('/whole', HERE, { bytesMax: 10 }))).toEqual({ ...whole, isWhole: false, bytes: 10 })
})

test('a body is sent, and status and headers are kept', async () => {
  const answer = await call('/echo', HERE, { method: 'POST', body: 'é' })
  expect(answer).toMatchObject({ status: 201, headers: { 'x-heard': 'POST' }, body: Buffer.from('é') })
})

test('a redirect is an answer, and is not followed', async () => {
  const before = isAsked
  expect(await call('/elsewhere')).toMatchObject({ status: 302, isWhole: true })
  expect(isAsked).toBe(before + 1)
})

test('an address that is neither public nor allowed is refused before a connection', async () => {
  const before = isAsked
  const refused = { error: 'the address is not public', isAddressRefused: true }
  expect(await call('/whole', {})).toEqual(refused)
  const inside = async () => [{ address: '127.0.0.1', family: 4 }]
  expect(await call(`http://forge.example:${port}/whole`, { resolve: inside })).toEqual(refused)
  expect(await call(`http://forge.example:${port}/whole`, { ...HERE, resolve: inside })).toMatchObject({ status: 200 })
  expect(isAsked).toBe(before + 1)
})

test('without an answer there is a reason of this service', async () => {
  const late = { signal: AbortSignal.timeout(50) }
  expect(await call('/never', HERE, late)).toEqual({ error: 'no response in time', isAddressRefused: false })
  expect(await call('http://127.0.0.1:1/')).toEqual({ error: 'ECONNREFUSED', isAddressRefused: false })
})
