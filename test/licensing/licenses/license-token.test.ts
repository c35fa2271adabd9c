import { compactVerify, createLocalJWKSet, jwtVerify } from 'jose'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { mintLicenseToken } from '#licensing/licenses/license-token'
import { openLicensing } from '../../../src/composition/licensing.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const LENGTH_MAX = 1_000

const service = await startService({ baseUrl: 'https://license.example.com' })
const { admin, plan, provision, get, post } = await shopFixture(service)
const { slug } = await plan({
  slug: 'business-yearly',
  maxActivations: 5,
  features: [
    { key: 'projects', value: 50 },
    { key: 'backups', value: true },
    { key: 'support', value: 'priority', validFrom: '2026-01-01T00:00:00Z', validTo: '2027-01-01T00:00:00Z' },
  ],
})
const provisioned = async (more: object = {}) =>
  (await provision({ email: 'token@example.test', planSlug: slug, seats: 25, ...more })).body

/** What a panel does: it downloads the keys once, then never uses the network again. */
const keySet = createLocalJWKSet((await get('/api/v1/license/keys')).body)
const expected = {
  algorithms: ['EdDSA'],
  typ: 'daybook-license+jwt',
  issuer: 'https://license.example.com',
  audience: 'daybook-panel',
}
const verified = (token: string) => jwtVerify(token, keySet, expected)

it('is verified offline against the published keys, with exactly the claims of the contract', async () => {
  const { licenseKey, license, subscription, customer } = await provisioned()
  const { payload, protectedHeader } = await verified(licenseKey)
  const { kid, issuedAt, expiresAt } = (await get(`/api/admin/licenses/${license.id}`)).body
  const seconds = (instant: string) => Math.floor(Date.parse(instant) / 1000)
  expect(protectedHeader).toEqual({ alg: 'EdDSA', kid, typ: 'daybook-license+jwt' })
  expect(payload).toEqual({
    iss: 'https://license.example.com',
    aud: 'daybook-panel',
    sub: license.id,
    jti: license.keyId,
    iat: seconds(issuedAt),
    nbf: seconds(issuedAt),
    exp: seconds(expiresAt),
    ver: 1,
    seq: 1,
    sub_id: subscription.id,
    cus: customer.id,
    plan: slug,
    pv: 1,
    seats: 25,
    max: 5,
    cyc: 'YEARLY',
    ft: { backups: true, projects: 50, support: ['priority', seconds('2026-01-01'), seconds('2027-01-01')] },
    grc: 14 * 86_400,
    off: 14 * 86_400,
    hb: 14_400,
    k: expect.stringMatching(/^[\w-]{43}$/),
  })
})

it('has a request secret of its own', async () => {
  const [one, other] = [await provisioned(), await provisioned()]
  const secret = async ({ licenseKey }: { licenseKey: string }) => (await verified(licenseKey)).payload['k']
  expect(await secret(one)).not.toBe(await secret(other))
})

it('fits into one environment variable', async () => {
  const { licenseKey } = await provisioned()
  expect(licenseKey.length).toBeLessThan(LENGTH_MAX)
})

it('is refused when a single character of it was changed', async () => {
  const { licenseKey } = await provisioned()
  const places = Array.from({ length: 100 }, (_none, index) => Math.floor((index * licenseKey.length) / 100))
  for (const place of places) {
    if (licenseKey[place] === '.') continue
    // The flipped bit is significant in every base64url character, including the last of a part.
    const other = licenseKey[place] === 'A' ? 'g' : 'A'
    await expect(verified(licenseKey.slice(0, place) + other + licenseKey.slice(place + 1))).rejects.toThrow()
  }
})

it('is refused with other claims, with no signature, or signed by another key', async () => {
  const { licenseKey } = await provisioned()
  const [header, payload, signature] = licenseKey.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const more = Buffer.from(JSON.stringify({ ...claims, seats: 10_000 })).toString('base64url')
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'daybook-license+jwt' })).toString('base64url')
  await expect(verified(`${header}.${more}.${signature}`)).rejects.toThrow('signature verification failed')
  await expect(verified(`${none}.${payload}.`)).rejects.toThrow()
  const { kid } = (await get('/api/v1/license/keys')).body.keys[0]
  const stranger = { kty: 'OKP', crv: 'Ed25519' } as const
  // The key pair of RFC 8037, appendix A.
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
  const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'
  const forged = mintLicenseToken(
    { ...claims, issuedAt: new Date().toISOString(), expiresAt: '2099-01-01T00:00:00Z', features: {} },
    { kid, privateJwk: { ...stranger, x, d } },
  )
  await expect(verified(forged)).rejects.toThrow('signature verification failed')
})

it('is no session: the back office refuses it', async () => {
  const { licenseKey } = await provisioned()
  expect((await get('/api/admin/licenses', licenseKey)).status).toBe(401)
})

it('is minted again byte for byte after a restart and a rebuild, and still verifies', async () => {
  const { licenseKey, license, subscription } = await provisioned()
  await post('/api/admin/licenses', { subscriptionId: subscription.id })
  const again = await openLicensing(service.settings, pino({ level: 'silent' }))
  try {
    await again.projector.rebuild()
    const { port } = await again.listen(0, '127.0.0.1')
    const reply = await fetch(`http://127.0.0.1:${port}/api/admin/licenses/${license.id}/key`, {
      headers: { authorization: `Bearer ${admin}` },
    })
    const body = (await reply.json()) as { licenseKey: string }
    expect(body.licenseKey).toBe(licenseKey)
    await compactVerify(body.licenseKey, keySet)
  } finally {
    await again.close(0)
  }
})
