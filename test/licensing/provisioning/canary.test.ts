import { expect, it } from 'vitest'
import { normalisedEmail } from '#kernel/credentials/email-address'
import { CustomerRegistered, customerEvents } from '#licensing/customers/events'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const service = await startService()
const { plan, provision, get, post } = await shopFixture(service)
const { slug } = await plan()

const CANARIES = {
  email: 'cassandra.canary@yellow-bird.example',
  name: 'Cassandra Canary',
  company: 'Yellow Bird Holdings',
  reference: 'order of cassandra canary 4711',
}
/** Also in encoded forms, and without the parts that are not personal. */
const traces = Object.values(CANARIES).flatMap((text) => [
  text,
  text.toUpperCase(),
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').slice(0, -3),
  Buffer.from(text).toString('hex'),
])
const TELLING = /cassandra|canary|yellow.?bird/i

it('leaves no trace of a person in events, claims, read models or logs, whatever is asked and refused', async () => {
  const { email, name, company, reference } = CANARIES
  const customerId = '01890000-0000-7000-8000-0000000000ac'
  const emailKey = await service.licensing.vault.hmac('pepper', normalisedEmail(email))
  const registered = CustomerRegistered({ customerId, email, emailKey, name, company })
  await service.run(async (unit) => unit.appendEvent(customerEvents, customerId, registered))
  const asked = { email, planSlug: slug, reference }
  const { body } = await provision(asked)
  expect(body.customer).toEqual({ id: customerId, email, created: false })
  await provision(asked)
  await get(`/api/admin/customers?q=${encodeURIComponent(email)}`)
  await get(`/api/admin/subscriptions?reference=${encodeURIComponent(reference)}`)
  await get(`/api/admin/licenses/${body.license.id}/key`)
  await post(`/api/admin/licenses/${body.license.id}/revoke`, { reason: 'test' })
  expect((await provision(asked)).status).toBe(400)
  expect((await provision({ ...asked, email: `other.${email}` })).status).toBe(409)
  expect((await provision({ ...asked, email: 'Canary Cassandra' })).status).toBe(400)
  expect((await provision({ ...asked, [email]: 1 })).status).toBe(400)
  await service.licensing.projector.catchUp()

  const places = { database: await service.dump(), log: service.logs() }
  for (const [place, text] of Object.entries(places)) {
    expect(text.length).toBeGreaterThan(1_000)
    expect([place, TELLING.exec(text)?.[0]]).toEqual([place, undefined])
    for (const trace of traces) expect([place, text.includes(trace)]).toEqual([place, false])
  }
})

it('keeps the license key and its request secret out of them, too', async () => {
  const { licenseKey } = (await provision({ email: 'secret@example.test', planSlug: slug })).body
  const [, payload, signature] = licenseKey.split('.')
  const { k } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const text = (await service.dump()) + service.logs()
  for (const secret of [k, payload, signature]) expect(text.includes(secret)).toBe(false)
})
