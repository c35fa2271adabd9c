import { calculateJwkThumbprint } from 'jose'
import { expect, it } from 'vitest'
import { startService } from '../../support/licensing/service.ts'

const service = await startService()
const keys = (headers: Record<string, string> = {}) => service.call('GET', '/api/v1/license/keys', { headers })

it('publishes the key to anybody, its public half only, named by its thumbprint', async () => {
  const { status, body, headers } = await keys()
  expect(status).toBe(200)
  expect(body).toEqual({
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.stringMatching(/^[\w-]{43}$/),
        kid: await calculateJwkThumbprint(body.keys[0]),
        alg: 'EdDSA',
        use: 'sig',
      },
    ],
    manifest: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  })
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
})

it('looks at no credential', async () => {
  expect((await service.call('GET', '/api/v1/license/keys', { as: 'garbage' })).status).toBe(200)
})

it('answers 304 without a body to whoever knows the keys already', async () => {
  const { headers } = await keys()
  const etag = headers.get('etag')!
  expect(etag).toMatch(/^"[\w-]{43}"$/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { status, text, headers: again } = await keys({ 'if-none-match': known })
    expect([known, status, text]).toEqual([known, 304, ''])
    expect(again.get('etag')).toBe(etag)
  }
  for (const other of ['"other"', etag.replaceAll('"', ''), '']) {
    expect([other, (await keys({ 'if-none-match': other })).status]).toEqual([other, 200])
  }
})

it('records nothing', async () => {
  const before = await service.licensing.store.head()
  const { headers } = await keys()
  expect(headers.get('event-position')).toBeNull()
  expect(await service.licensing.store.head()).toBe(before)
})
