/** The versions that a license entitles to, requested by its panel. */
import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Panel, claimsOf } from '../../support/licensing/raw-panel.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const PATH = '/api/v1/license/versions'

const filesDir = mkdtempSync(join(tmpdir(), 'daybook-entitled-'))
afterAll(() => rmSync(filesDir, { recursive: true, force: true }))
const service = await startService({ filesDir })
const floor = await shopFixture(service)

async function release(version: string, more: object = {}): Promise<Buffer<ArrayBuffer>> {
  const bytes = randomBytes(64)
  const { body } = await floor.post('/api/admin/versions', { version, ...more })
  const sent = await fetch(`${service.url}/api/admin/versions/${body.id}/artifacts?name=panel.tgz`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await service.staff()}`, 'content-type': 'application/octet-stream' },
    body: bytes,
  })
  expect(sent.status, await sent.text()).toBe(201)
  expect((await floor.post(`/api/admin/versions/${body.id}/publish`)).status).toBe(200)
  return bytes
}

async function sold(terms: object = {}) {
  const { slug } = await floor.plan(terms)
  const reply = await floor.provision({ email: `${slug}@versions.test`, planSlug: slug })
  return { slug, panel: new Panel(service, reply.body.licenseKey), licenseId: reply.body.license.id as string }
}

test('a license key is told of the versions that its plan entitles to, with their files, and signed', async () => {
  const dear = await sold({ priceMonthly: 900, priceYearly: 9_000 })
  const cheap = await sold({ priceMonthly: 100, priceYearly: 1_000 })
  const bytes = await release('1.0.0')
  await release('2.0.0', { minPlan: dear.slug })
  await release('2.1.0-beta.1', { channel: 'beta' })

  const versions = async (panel: Panel, query = '') => (await panel.send('GET', PATH + query)).body
  const told = await versions(cheap.panel)
  expect(told.items.map(({ version }: any) => version)).toEqual(['2.1.0-beta.1', '1.0.0'])
  expect((await versions(dear.panel, '?channel=stable')).items.map(({ version }: any) => version)).toEqual([
    '2.0.0',
    '1.0.0',
  ])

  const [file] = told.items[1].artifacts
  expect(file).toMatchObject({ name: 'panel.tgz', size: 64, sha256: createHash('sha256').update(bytes).digest('hex') })
  const { pathname, search } = new URL(file.url)
  const fetched = await fetch(service.url + pathname + search)
  expect(Buffer.from(await fetched.arrayBuffer()).equals(bytes)).toBe(true)

  const [header, claims, signature] = told.signed.split('.')
  const { kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString())
  expect(typ).toBe('daybook-versions+jwt')
  const { keys } = (await service.call('GET', '/api/v1/license/keys')).body
  const { kty, crv, x } = keys.find((key: { kid: string }) => key.kid === kid)
  const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  expect(verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true)
  const statement = JSON.parse(Buffer.from(claims, 'base64url').toString())
  expect(statement).toMatchObject({ iss: 'http://licensing.test', lic: claimsOf(cheap.panel.licenseKey).jti })
  expect(statement.versions[1]).toMatchObject({ version: '1.0.0', artifacts: [{ sha256: file.sha256 }] })
})

test('who does not sign, alters the query, or has a license that does not count, is told nothing', async () => {
  const { panel, licenseId } = await sold()
  expect((await service.call('GET', PATH)).status).toBe(401)
  expect((await panel.send('GET', `${PATH}?channel=stable`, undefined, { path: `${PATH}?channel=beta` })).status).toBe(
    401,
  )
  expect((await panel.send('GET', `${PATH}?channel=nightly`)).status).toBe(400)
  await floor.post(`/api/admin/licenses/${licenseId}/revoke`, { reason: 'over' })
  const reply = await panel.send('GET', PATH)
  expect({ status: reply.status, message: reply.body.message }).toEqual({
    status: 403,
    message: 'The license is revoked',
  })
})

test('asked too often it is 429', async () => {
  const { panel } = await sold({ maxActivations: 1 })
  for (let nth = 0; nth < 12; nth += 1) expect((await panel.send('GET', PATH)).status).toBe(200)
  expect((await panel.send('GET', PATH)).status).toBe(429)
})
