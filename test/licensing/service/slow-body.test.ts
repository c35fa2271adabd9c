import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startService, STAFF_PASSWORD } from '#test/support/licensing/service'

const service = await startService()
const LATE_MS = 1_500

/** A request whose body is not sent until `end` is called. */
function begun(path: string, accessToken: string, body: string) {
  const asking = request(service.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  })
  const status = new Promise<number>((resolve, fail) => {
    asking.once('response', (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    asking.once('error', fail)
  })
  asking.flushHeaders()
  return { status, end: () => asking.end(body) }
}

const mint = JSON.stringify({ name: 'late', permissions: ['plans:view'] })

async function session(): Promise<string> {
  const { email } = await service.somebody('SUPERADMIN')
  const login = await service.call('POST', '/api/admin/auth/login', { body: { email, password: STAFF_PASSWORD } })
  return login.body.accessToken
}

test('a session that ends while its request is still on its way can no longer mint a token', async () => {
  const accessToken = await session()
  const late = begun('/api/admin/machine-tokens', accessToken, mint)
  await pause(LATE_MS)
  await service.call('DELETE', '/api/admin/auth/sessions', { as: await session() })
  late.end()
  expect(await late.status).toBe(401)
  expect(await service.licensing.store.readStream('machineTokens')).toEqual([])
})

test('a slow request of a session that lives is answered', async () => {
  const late = begun('/api/admin/machine-tokens', await session(), mint)
  await pause(LATE_MS)
  late.end()
  expect(await late.status).toBe(201)
})
