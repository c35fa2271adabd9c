/** The list of revoked keys: its entries, its serial number, and its verification. */
import { compactVerify, createLocalJWKSet, decodeJwt } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import { createRevocationLists } from '#licensing/licenses/revocation-list'
import { publicSigningKey } from '#licensing/signing-keys/signing-key'
import { startService } from '../../support/licensing/service.ts'

const service = await startService()
const DAY_MS = 86_400_000

const ask = async (method: string, path: string, body?: object) =>
  service.call(method, path, { as: await service.staff(), ...(body ? { body } : {}) })
const list = () => service.call('GET', '/api/v1/license/crl')
const said = async () => decodeJwt((await list()).text) as unknown as { serial: number; revoked: { keyId: string }[] }

async function license(reference: string) {
  const body = { email: 'one@customer.test', planSlug: 'pro', reference }
  const { body: made, text } = await ask('POST', '/api/admin/provisioning', body)
  const { jti: keyId, sub: id } = decodeJwt(made.licenseKey)
  expect(keyId, text).toMatch(/^lic_/)
  return { keyId: keyId!, id: id! }
}

beforeAll(async () => {
  await ask('POST', '/api/admin/plans', { slug: 'pro', name: 'Pro' })
})

it('is empty at first, and signed by the key that signs licenses', async () => {
  const { status, text, headers } = await list()
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/jose; charset=utf-8')
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  const { body } = await service.call('GET', '/api/v1/license/keys')
  const { payload, protectedHeader } = await compactVerify(text, createLocalJWKSet(body))
  expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: body.keys[0].kid, typ: 'daybook-crl+jwt' })
  const { iat, exp, ...rest } = JSON.parse(Buffer.from(payload).toString())
  expect(rest).toEqual({ iss: service.settings.baseUrl, serial: 0, revoked: [], signingKeys: [] })
  expect(exp - iat).toBe(7 * 86_400)
})

it('names what is revoked, from the moment that it is, with a higher serial each time', async () => {
  const [one, other] = [await license('crl-1'), await license('crl-2')]
  const serials = [(await said()).serial]
  for (const { id, keyId } of [one, other]) {
    const { body } = await ask('POST', `/api/admin/licenses/${id}/revoke`, { reason: 'Jane Doe asked for it' })
    const { serial, revoked } = await said()
    serials.push(serial)
    const at = Math.floor(Date.parse(body.revokedAt) / 1_000)
    expect(revoked.at(-1)).toEqual({ keyId, reason: 'REVOKED', at })
  }
  expect(serials).toEqual(serials.toSorted((a, b) => a - b))
  expect(new Set(serials).size).toBe(3)
  expect(Buffer.from((await list()).text.split('.')[1]!, 'base64url').toString()).not.toContain('Jane')
})

it('names what another license took the place of', async () => {
  const { keyId, id } = await license('crl-3')
  const { body } = await ask('GET', `/api/admin/licenses/${id}`)
  await ask('POST', '/api/admin/licenses', { subscriptionId: body.subscriptionId })
  expect((await said()).revoked.at(-1)).toMatchObject({ keyId, reason: 'SUPERSEDED' })
})

it('answers 304 to whoever has it, and the same bytes to all others', async () => {
  const { text, headers } = await list()
  const etag = headers.get('etag')!
  expect((await list()).text).toBe(text)
  const known = await service.call('GET', '/api/v1/license/crl', { headers: { 'if-none-match': etag } })
  expect([known.status, known.text]).toEqual([304, ''])
})

it('is made once, however many ask for a new one at once', async () => {
  const { licensing, settings, run } = service
  const lists = createRevocationLists()
  const signedWith = await publicSigningKey(run)
  const at = () => lists.at(licensing.clock.now(), licensing.read, signedWith, settings.baseUrl)
  expect(new Set(await Promise.all(Array.from({ length: 20 }, at))).size).toBe(1)
})

it('names what is revoked for as long as anything is good that was signed for it, also before its end came nearer', async () => {
  const { keyId, id } = await license('crl-shortened')
  const { body } = await ask('GET', `/api/admin/licenses/${id}`)
  const extended = await ask('POST', `/api/admin/licenses/${id}/extend`, { days: 100 })
  const longest = Date.parse(extended.body.license.graceEndsAt)
  // A license that was cancelled at the end of the period has no grace. Time that was granted beyond it is
  // revoked.
  await ask('POST', `/api/admin/subscriptions/${body.subscriptionId}/cancel`, { mode: 'period_end', reason: 'enough' })
  const shortened = (await ask('GET', `/api/admin/licenses/${id}`)).body
  expect(Date.parse(shortened.graceEndsAt)).toBeLessThan(longest)
  await ask('POST', `/api/admin/licenses/${id}/revoke`, { reason: 'over' })
  service.passTime(longest - service.licensing.clock.now().getTime() - DAY_MS)
  expect((await said()).revoked).toContainEqual(expect.objectContaining({ keyId }))
  service.passTime(2 * DAY_MS)
  expect((await said()).revoked).not.toContainEqual(expect.objectContaining({ keyId }))
})

it('forgets what has ended by itself, and is never out of date', async () => {
  const { id, keyId } = await license('crl-4')
  await ask('POST', `/api/admin/licenses/${id}/revoke`, { reason: 'chargeback' })
  const { serial, revoked } = await said()
  expect(revoked.at(-1)).toMatchObject({ keyId })
  service.passTime(400 * DAY_MS)
  const later = await said()
  expect(later).toMatchObject({ serial, revoked: [] })
})
