import { expect, it } from 'vitest'
import { exactly, storm } from '#test/support/storm'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const CALLS = 1_000
const REFERENCES = 200

const service = await startService()
const { plan, provision, count } = await shopFixture(service)
const { slug } = await plan()

async function audited(): Promise<Record<string, number>> {
  await service.licensing.projector.catchUp()
  const { rows } = await service.superuser.query(
    `SELECT action, count(*)::int AS number FROM read.audit_trail WHERE action LIKE 'provisioning.%' GROUP BY action`,
  )
  return Object.fromEntries(rows.map(({ action, number }) => [action, number]))
}

it(`makes one of everything when ${CALLS} calls come at once with one reference`, async () => {
  const asked = { email: 'storm@example.test', planSlug: slug, reference: 'one order' }
  const calls = await storm(CALLS, () => provision(asked))
  const { replies, unavailable } = calls
  const made = replies.filter(({ status }) => status === 201).length
  expect(exactly(1, calls)).toContain(made)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(CALLS - made)
  expect(new Set(replies.map(({ body }) => body.licenseKey)).size).toBe(1)
  expect(replies.filter(({ body }) => body.customer.created)).toHaveLength(made)
  expect([await count('customers'), await count('subscriptions'), await count('licenses')]).toEqual([1, 1, 1])
  const { 'provisioning.replayed': replayed, ...others } = await audited()
  expect(others).toEqual({ 'provisioning.completed': 1 })
  expect(replayed).toBeGreaterThanOrEqual(CALLS - 1)
  expect(replayed).toBeLessThanOrEqual(CALLS - 1 + unavailable)
}, 120_000)

it(`makes one customer when ${REFERENCES} calls come at once with one e-mail and different references`, async () => {
  const [customers, licenses] = [await count('customers'), await count('licenses')]
  const asked = { email: 'many-orders@example.test', planSlug: slug }
  const replies = await Promise.all(
    Array.from({ length: REFERENCES }, (_none, index) => provision({ ...asked, reference: `order ${index}` })),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: REFERENCES }, () => 201))
  expect(replies.filter(({ body }) => body.customer.created)).toHaveLength(1)
  expect(new Set(replies.map(({ body }) => body.customer.id)).size).toBe(1)
  expect(await count('customers')).toBe(customers + 1)
  expect(await count('licenses')).toBe(licenses + REFERENCES)
}, 120_000)

it('leaves nothing of those who lose the race for a reference with another address', async () => {
  const customers = await count('customers')
  const asked = { planSlug: slug, reference: 'two addresses' }
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_none, index) => provision({ ...asked, email: `rival-${index % 2}@example.test` })),
  )
  const number = (status: number) => replies.filter((reply) => reply.status === status).length
  expect([number(201), number(200), number(409)]).toEqual([1, 19, 20])
  expect(await count('customers')).toBe(customers + 1)
}, 60_000)
