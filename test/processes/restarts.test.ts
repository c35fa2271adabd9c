/** What a customer keeps outlives the process that issued it. */
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { BASE_URL, openShop, openSite, signIn, SLUG } from '../support/processes/site.ts'
import type { Service } from '../support/processes/site.ts'

const site = await openSite()
afterAll(() => site.close(), 60_000)

const readKey = async ({ call }: Service, id: string, as: string): Promise<string> =>
  (await call('GET', `/api/admin/licenses/${id}/key`, { as })).body.licenseKey

test('after a restart and a rebuild an old license key verifies, and reading it is byte-identical', async () => {
  const first = await site.service()
  const shop = await openShop(first, await signIn(first))
  const body = { email: 'grace@customer.test', planSlug: SLUG, reference: 'order-1', seats: 3, maxActivations: 7 }
  const sold = await first.call('POST', '/api/admin/provisioning', { as: shop, body })
  expect(sold.status).toBe(201)
  expect(await first.stop()).toMatchObject({ code: 0, signal: null })

  const rebuilt = await site.finished(['rebuild'])
  expect(rebuilt, rebuilt.complained).toMatchObject({ code: 0 })
  const second = await site.service()
  const keys = await second.call('GET', '/api/v1/license/keys')
  const { licenseKey, license } = sold.body
  const { payload, protectedHeader } = await jwtVerify(licenseKey, createLocalJWKSet(keys.body), {
    issuer: BASE_URL,
    audience: 'daybook-panel',
  })
  expect(protectedHeader.alg).toBe('EdDSA')
  expect(payload.jti).toBe(license.keyId)
  expect(await readKey(second, license.id, shop)).toBe(licenseKey)
  const replay = await second.call('POST', '/api/admin/provisioning', { as: shop, body })
  expect(replay).toMatchObject({ status: 200, body: { created: false, licenseKey } })
}, 60_000)
