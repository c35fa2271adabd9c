/**
 * Two service processes and a projector on one database. A credential that is valid on one process is valid
 * on both.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { exactly, storm } from '#test/support/storm'
import { openShop, openSite, signIn, SLUG, statuses } from '../support/processes/site.ts'
import type { Reply } from '../support/processes/site.ts'

const CALLS = 1_000
const REVOCATIONS = 300
const TOKENS_MAX = 50
/** In ms. Longer than an ordinary change waits to be visible. */
const LAG_MS = 2_000

const site = await openSite()
afterAll(() => site.close(), 60_000)
const [one, other] = await Promise.all([site.service(), site.service()])
const services = [one, other]
await site.projector()
const session = await signIn(one)
const shop = await openShop(one, session)

let excused = 0

async function stormOn(ask: (service: typeof one, nth: number) => Promise<Reply>) {
  const answered = await storm(CALLS, (nth) => ask(services[nth % services.length]!, nth))
  excused += answered.unavailable
  return answered
}

test('1,000 concurrent provisionings with one reference make one of everything', async () => {
  const body = { email: 'one@customer.test', planSlug: SLUG, reference: 'order-1' }
  const asked = await stormOn(({ call }) => call('POST', '/api/admin/provisioning', { as: shop, body }))
  const { replies, unavailable } = asked
  const { 201: made = 0, ...others } = statuses(replies)
  expect(exactly(1, asked)).toContain(made)
  expect(others).toEqual({ 200: CALLS - made })
  expect(new Set(replies.map(({ body: { licenseKey } }) => licenseKey)).size).toBe(1)
  await site.settled()
  expect([await site.count('customers'), await site.count('subscriptions'), await site.count('licenses')]).toEqual([
    1, 1, 1,
  ])
  expect(await site.count('audit_trail', `action = 'provisioning.completed'`)).toBe(1)
  const replayed = await site.count('audit_trail', `action = 'provisioning.replayed'`)
  expect(replayed).toBeGreaterThanOrEqual(CALLS - 1)
  expect(replayed).toBeLessThanOrEqual(CALLS - 1 + unavailable)
}, 120_000)

test('1,000 concurrent mints stop at exactly 50', async () => {
  const body = { name: 'storm', permissions: ['plans:view'] }
  const asked = await stormOn(({ call }) => call('POST', '/api/admin/machine-tokens', { as: session, body }))
  const before = await site.count('machine_tokens', `name = 'shop'`)
  const { 201: made = 0, ...others } = statuses(asked.replies)
  expect(exactly(TOKENS_MAX - before, asked)).toContain(made)
  expect(others).toEqual({ 409: CALLS - made })
  await site.settled()
  expect(await site.count('machine_tokens', 'revoked_at IS NULL')).toBe(TOKENS_MAX)
  const minted = asked.replies.filter(({ status }) => status === 201)
  for (const { body } of minted)
    await one.call('POST', `/api/admin/machine-tokens/${body.token.id}/revoke`, { as: session })
}, 120_000)

/** Uses a token on one process, revokes it on the other, and uses it again the moment the revocation is answered. */
async function revokeThenUse(nth: number): Promise<number> {
  const [revoking, using] = nth % 2 === 0 ? [one, other] : [other, one]
  const body = { name: `brief ${nth}`, permissions: ['plans:view'] }
  const minted = await revoking.call('POST', '/api/admin/machine-tokens', { as: session, body })
  const as: string = minted.body.secret
  const use = () => using.call('GET', '/api/admin/plans', { as })
  expect((await use()).status).toBe(200)
  const revoked = await revoking.call('POST', `/api/admin/machine-tokens/${minted.body.token.id}/revoke`, {
    as: session,
  })
  expect(revoked.status).toBe(200)
  return (await use()).status
}

test(`no token is accepted after its revocation was answered, ${REVOCATIONS} times, on the other process`, async () => {
  const after: number[] = []
  const lanes = Array.from({ length: 4 }, async (_none, lane) => {
    for (let nth = lane; nth < REVOCATIONS; nth += 4) after.push(await revokeThenUse(nth))
  })
  await Promise.all(lanes)
  expect(after).toHaveLength(REVOCATIONS)
  expect(after.filter((status) => status !== 401)).toEqual([])
}, 120_000)

/** Blocks writes to a read model for a while; readers see the old rows. */
async function lagging(table: string): Promise<() => Promise<void>> {
  const holder = await site.superuser.connect()
  await holder.query(`BEGIN; LOCK TABLE read.${table} IN EXCLUSIVE MODE`)
  const freed = pause(LAG_MS)
    .then(() => holder.query('COMMIT'))
    .finally(() => holder.release())
  return async () => void (await freed)
}

/** Repeats the request while the answer says that the change is not in effect yet. */
async function untilInEffect(method: string, path: string): Promise<Reply> {
  for (;;) {
    const reply = await one.call(method, path, { as: session })
    if (reply.status !== 503) return reply
  }
}

test('nor while the read models lag: no answer says that it is done before it holds', async () => {
  const { rows } = await site.superuser.query(`SELECT id FROM read.machine_tokens WHERE name = 'shop'`)
  const ended = await signIn(one)
  const { body } = await one.call('GET', '/api/admin/auth/sessions', { as: ended })
  const { id } = body.items.find(({ current }: { current: boolean }) => current)
  for (const [table, path, as] of [
    ['machine_tokens', `POST /api/admin/machine-tokens/${rows[0].id}/revoke`, shop],
    ['staff_sessions', `DELETE /api/admin/auth/sessions/${id}`, ended],
  ] as const) {
    const [method, route] = path.split(' ') as [string, string]
    const caughtUp = await lagging(table)
    const { status } = await untilInEffect(method, route)
    const after = await other.call('GET', '/api/admin/plans', { as })
    await caughtUp()
    expect([table, status < 300, after.status]).toEqual([table, true, 401])
  }
}, 30_000)

test('no session is accepted after its end was answered, on the other process', async () => {
  for (let nth = 0; nth < 20; nth += 1) {
    const [ending, using] = nth % 2 === 0 ? [one, other] : [other, one]
    const as = await signIn(ending)
    const { body } = await using.call('GET', '/api/admin/auth/sessions', { as })
    const mine = body.items.find(({ current }: { current: boolean }) => current)
    await ending.call('DELETE', `/api/admin/auth/sessions/${mine.id}`, { as })
    expect((await using.call('GET', '/api/admin/auth/me', { as })).status).toBe(401)
  }
}, 60_000)

test('after the storms the read models rebuilt from events equal those that three rivals filled', async () => {
  await site.rebuiltEqualsLive()
}, 60_000)

test('no process logged a failure, but for those that were answered 503', () => {
  for (const { complained } of services) expect(complained()).toBe('')
  const failures = services.flatMap(({ said }) =>
    said()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line)),
  )
  const waits = failures.filter((line) => line.includes('timeout exceeded when trying to connect'))
  expect(failures.filter((line) => !waits.includes(line))).toEqual([])
  expect(waits.length).toBeLessThanOrEqual(excused)
})
