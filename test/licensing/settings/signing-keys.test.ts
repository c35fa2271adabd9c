/**
 * The keys that sign licenses, over HTTP: their states, the manifest that certifies them, and the effects of
 * a compromised key.
 */
import { compactVerify, createLocalJWKSet, decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { verifiedManifest } from '../../../src/license-client/manifest.ts'
import { verifiedLicense } from '../../../src/license-client/tokens.ts'
import { startService } from '../../support/licensing/service.ts'

const service = await startService()
const KEYS = '/api/admin/settings/signing-keys'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const ask = async (method: string, path: string, body?: object) =>
  service.call(method, path, { as: await service.staff(), ...(body ? { body } : {}) })
const overview = async () => (await ask('GET', KEYS)).body
const published = async () => (await service.call('GET', '/api/v1/license/keys')).body
const manifestNow = async () => {
  const { root } = await overview()
  return verifiedManifest((await published()).manifest, { kid: root.kid, jwk: root.publicJwk })!
}

let plan: string
async function provisioned(reference: string) {
  const body = { email: `${reference}@customer.test`, planSlug: plan, reference }
  const reply = await ask('POST', '/api/admin/provisioning', body)
  expect(reply.status, reply.text).toBe(201)
  return reply.body as { licenseKey: string; licenseId?: string }
}

async function nextKey(): Promise<string> {
  const made = await ask('POST', KEYS)
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({ state: 'next', promotedAt: null, licenses: 0 })
  return made.body.kid
}

beforeAll(async () => {
  plan = 'pro'
  const made = await ask('POST', '/api/admin/plans', { slug: plan, name: 'Pro', offlineDays: 14, graceDays: 14 })
  expect(made.status, made.text).toBe(201)
})

it('a new installation has one key, and a root key that vouches for it', async () => {
  const { items, root, manifest } = await overview()
  expect(items).toMatchObject([{ state: 'current', retirableAt: null, compromisedAt: null }])
  expect(root).toMatchObject({ kept: 'HERE' })
  expect(manifest).toMatchObject({ serial: 1, upToDate: true })
  expect((await manifestNow()).keys).toMatchObject([{ kid: items[0].kid, state: 'current', exp: null }])
  expect(JSON.stringify([items, root])).not.toMatch(/"d"|privateJwk|privateKey/)
})

describe('a rotation', () => {
  it('keeps every license that was ever issued good', async () => {
    const before = await provisioned('rotation-1')
    const [{ kid: old }] = (await overview()).items
    const kid = await nextKey()
    expect((await published()).keys.map((key: { kid: string }) => key.kid)).toEqual([old, kid])
    const early = await ask('POST', `${KEYS}/${kid}/promote`)
    expect([early.status, early.headers.get('error-code')]).toEqual([409, 'SIGNING_KEY_TOO_NEW'])

    service.passTime(HOUR_MS)
    expect((await ask('POST', `${KEYS}/${kid}/promote`)).body).toMatchObject({ kid, state: 'current' })
    const after = await provisioned('rotation-2')
    expect(decodeProtectedHeader(after.licenseKey).kid).toBe(kid)

    const refused = await ask('POST', `${KEYS}/${old}/retire`)
    const [{ retirableAt, licenses }] = (await overview()).items
    expect([refused.status, refused.headers.get('error-code'), licenses]).toEqual([409, 'SIGNING_KEY_IN_USE', 1])
    expect(refused.body.message).toContain(retirableAt)

    service.passTime(28 * DAY_MS + HOUR_MS)
    await service.settle()
    expect((await overview()).items).toMatchObject([
      { kid: old, state: 'retired' },
      { kid, state: 'current' },
    ])
    const trusted = createLocalJWKSet(await published())
    const manifest = await manifestNow()
    for (const { licenseKey } of [before, after]) {
      await compactVerify(licenseKey, trusted)
      expect(verifiedLicense(manifest, licenseKey)).toBeDefined()
    }
  })

  it('gives the manifest a higher serial each time, and renews it in time', async () => {
    const { serial: before } = await manifestNow()
    const kid = await nextKey()
    expect((await manifestNow()).serial).toBe(before + 1)
    service.passTime(HOUR_MS)
    await ask('POST', `${KEYS}/${kid}/promote`)
    expect((await manifestNow()).serial).toBe(before + 2)
    // The previous key is retired first, so that only a timer can make a later manifest.
    service.passTime(28 * DAY_MS + HOUR_MS)
    await service.settle()
    const { serial, exp } = await manifestNow()
    await service.settle()
    expect((await manifestNow()).serial).toBe(serial)
    service.passTime(46 * DAY_MS)
    await service.settle()
    const renewed = await manifestNow()
    expect(renewed.serial).toBe(serial + 1)
    expect(renewed.exp).toBeGreaterThan(exp)
  })
})

describe('a key that falls', () => {
  it('takes what it signed along, and every license is signed anew by one that panels know', async () => {
    const keys = await Promise.all(['fall-1', 'fall-2', 'fall-3'].map(provisioned))
    const { items, manifest: before } = await overview()
    const { kid: old, licenses: signed } = items.find(({ state }: { state: string }) => state === 'current')
    expect(signed).toBeGreaterThanOrEqual(keys.length)
    const spare = await nextKey()
    const crl = () => service.call('GET', '/api/v1/license/crl').then(({ text }) => decodeJwt(text))
    const { serial } = await crl()
    const fallen = await ask('POST', `${KEYS}/${old}/compromise`, { reason: 'found on a paste site' })
    expect(fallen.body).toMatchObject({
      kid: old,
      state: 'compromised',
      reason: 'found on a paste site',
      licenses: signed,
    })

    const { keys: listed } = await published()
    expect(listed.map(({ kid }: { kid: string }) => kid)).not.toContain(old)
    const manifest = await manifestNow()
    expect(manifest.serial).toBe(before.serial + 2)
    for (const { licenseKey } of keys) {
      await expect(compactVerify(licenseKey, createLocalJWKSet({ keys: listed }))).rejects.toThrow(/key/)
      expect(verifiedLicense(manifest, licenseKey)).toBeUndefined()
    }
    expect(await crl()).toMatchObject({ signingKeys: [{ kid: old, at: expect.any(Number) }] })
    expect((await crl())['serial']).toBeGreaterThan(serial as number)

    await service.settle()
    await service.licensing.projector.catchUp()
    const after = await overview()
    expect(after.items.find(({ kid }: { kid: string }) => kid === old)).toMatchObject({ licenses: 0 })
    expect(after.items.find(({ kid }: { kid: string }) => kid === spare)).toMatchObject({
      state: 'current',
      licenses: signed,
    })
    const { body: licenses } = await ask('GET', '/api/admin/licenses?pageSize=100')
    for (const { id, kid } of licenses.items.filter((each: { kid: string }) => each.kid === spare)) {
      const { body } = await ask('GET', `/api/admin/licenses/${id}/key`)
      expect(decodeProtectedHeader(body.licenseKey).kid).toBe(kid)
      const claims = verifiedLicense(manifest, body.licenseKey)!
      const was = keys.map(({ licenseKey }) => decodeJwt(licenseKey)).find(({ jti }) => jti === claims.jti)
      if (was)
        expect({ ...claims, iat: 0 }).toEqual({
          ...was,
          iat: 0,
          seq: 2,
          sub_id: undefined,
          cus: undefined,
          cyc: undefined,
        })
    }
  })

  it('is signed anew once, however often that is begun', async () => {
    const head = await service.licensing.store.head()
    service.passTime(HOUR_MS)
    await service.settle()
    const since = (await service.history()).filter(({ position }) => position > head)
    expect(since.filter(({ type }) => type === 'LicenseResigned')).toEqual([])
  })

  it('without another in store is replaced by a fresh one', async () => {
    const { items } = await overview()
    const { kid } = items.find(({ state }: { state: string }) => state === 'current')
    await ask('POST', `${KEYS}/${kid}/compromise`, { reason: 'again' })
    const { items: after, manifest } = await overview()
    expect(after.at(-1)).toMatchObject({ state: 'current' })
    expect(items.map((key: { kid: string }) => key.kid)).not.toContain(after.at(-1).kid)
    expect(manifest.upToDate).toBe(true)
    await service.settle()
  })
})

describe('refuses', () => {
  it.each([
    ['an unknown key', 'x'.repeat(43), 'promote', undefined, 404],
    ['what is no key', 'x', 'promote', undefined, 404],
    ['an unknown field', 'x'.repeat(43), 'compromise', { reason: 'x', more: 1 }, 400],
    ['no reason', 'x'.repeat(43), 'compromise', {}, 400],
    ['an empty reason', 'x'.repeat(43), 'compromise', { reason: '  ' }, 400],
  ])('%s', async (_what, kid, verb, body, status) => {
    expect((await ask('POST', `${KEYS}/${kid}/${verb}`, body)).status).toBe(status)
  })
  it('a second next key', async () => {
    await nextKey()
    const second = await ask('POST', KEYS)
    expect([second.status, second.headers.get('error-code')]).toEqual([409, 'SIGNING_KEY_NEXT_EXISTS'])
  })
})
