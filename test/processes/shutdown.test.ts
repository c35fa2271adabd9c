/** A rolling update: the service is told to stop while clients are calling it. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { daybook } from '../support/processes/process.ts'
import { openShop, openSite, signIn, SLUG } from '../support/processes/site.ts'
import type { Service } from '../support/processes/site.ts'

const LANES = 64
const HELD = 20
const BUSY_MS = 1_000
const LATE_MS = 300
const IDLE_MS = 200

// The first start on an empty database makes its tables, with the login of a service.
const site = await openSite({}, [])
afterAll(() => site.close(), 60_000)
const service = await site.service()
const shop = await openShop(service, await signIn(service))

const agent = new Agent({ keepAlive: true })
let orders = 0

const headers = { authorization: `Bearer ${shop}`, 'content-type': 'application/json' }

function provision({ port }: Service): { sent: ClientRequest; body: string } {
  const body = JSON.stringify({ email: 'busy@customer.test', planSlug: SLUG, reference: `order-${(orders += 1)}` })
  const sent = request({
    agent,
    port,
    method: 'POST',
    path: '/api/admin/provisioning',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  })
  return { sent, body }
}

/** Slow and fast calls, so that some connections are busy and some are between two calls when the signal arrives. */
function send(lane: number): ClientRequest {
  if (lane % 2 === 0) return request({ agent, port: service.port, path: '/api/v1/license/keys' }).end()
  const { sent, body } = provision(service)
  return sent.end(body)
}

async function answer(sent: ClientRequest): Promise<{ status: number; closes: boolean }> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  for await (const _ of response);
  return { status: response.statusCode!, closes: response.headers.connection === 'close' }
}

/** Calls until the port is closed. A connection that was refused is no failure. */
async function callOn(lane: number, failures: string[], answered: number[]): Promise<void> {
  for (;;) {
    const sent = send(lane)
    try {
      answered.push((await answer(sent)).status)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ECONNREFUSED') return
      failures.push(`${String(code)}${sent.reusedSocket ? ' on a kept connection' : ''}`)
    }
  }
}

test('SIGUSR1 opens no inspector where the program is started without the bin', async () => {
  const main = new URL('../../src/main.ts', import.meta.url).pathname
  const projector = daybook(['projector'], site.env, '/', main)
  await projector.until('projector started')
  projector.child.kill('SIGUSR1')
  await pause(300)
  expect(await projector.stop()).toMatchObject({ code: 0, complained: '' })
})

test('SIGTERM under load: everything in flight is answered, nothing is reset, the exit code is 0', async () => {
  const [failures, answered]: [string[], number[]] = [[], []]
  const held = Array.from({ length: HELD }, () => provision(service))
  for (const { sent, body } of held) sent.write(body.slice(0, 10))
  const load = Array.from({ length: LANES }, (_none, lane) => callOn(lane, failures, answered))
  const idle = new Agent({ keepAlive: true })
  const keys = () => answer(request({ agent: idle, port: service.port, path: '/api/v1/license/keys' }).end())
  await pause(BUSY_MS)
  expect(await keys()).toEqual({ status: 200, closes: false })
  service.child.kill('SIGTERM')
  await pause(IDLE_MS)
  const next = keys().catch(String)
  await pause(LATE_MS - IDLE_MS)
  const late = held.map(({ sent, body }) => {
    sent.end(body.slice(10))
    return answer(sent)
  })
  expect(await Promise.all(late)).toEqual(Array.from({ length: HELD }, () => ({ status: 201, closes: true })))
  expect(await next, 'the next call on a connection that was idle').toEqual({ status: 200, closes: true })
  await Promise.all(load)
  expect(failures).toEqual([])
  expect(new Set(answered)).toEqual(new Set([200, 201]))
  expect(await service.ended()).toMatchObject({ code: 0, signal: null, complained: '' })
}, 60_000)
