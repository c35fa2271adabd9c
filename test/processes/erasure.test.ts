/** An erasure that was recorded is completed, even if the process that recorded it is killed. */
import { afterAll, expect, test } from 'vitest'
import { openShop, openSite, signIn, SLUG } from '../support/processes/site.ts'

const site = await openSite()
afterAll(() => site.close(), 60_000)

/** The advisory lock that vault.erase takes. While the test holds it, no erasure can pass. */
const ERASING = 4_115_298

const WAITING = `FROM pg_stat_activity WHERE query LIKE '%vault.erase(%' AND wait_event_type = 'Lock' AND datname = current_database()`
const waiting = async (): Promise<number> =>
  (await site.superuser.query(`SELECT count(*)::int AS number ${WAITING}`)).rows[0].number

async function held(work: () => Promise<void>): Promise<void> {
  const client = await site.superuser.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ERASING])
    await work()
  } finally {
    await client.query('SELECT pg_advisory_unlock_all()')
    client.release()
  }
}

async function keyOf(customerId: string): Promise<unknown> {
  const { rows } = await site.superuser.query('SELECT wrapped FROM vault.data_key WHERE subject = $1', [
    `customer/${customerId}`,
  ])
  return rows[0].wrapped
}

const recorded = async (customerId: string): Promise<number> => {
  const { rows } = await site.superuser.query(
    `SELECT count(*)::int AS number FROM store.event WHERE type = 'CustomerErased' AND data->>'customerId' = $1`,
    [customerId],
  )
  return rows[0].number
}

test('killed between the event and the key: the next process destroys the key, and the retry is answered', async () => {
  const first = await site.service()
  const as = await signIn(first)
  const shop = await openShop(first, as)
  const body = { email: 'grace@customer.test', planSlug: SLUG, reference: 'order-1' }
  const { customer } = (await first.call('POST', '/api/admin/provisioning', { as: shop, body })).body
  const erase = { as, body: { confirmEmail: body.email } }
  const path = `/api/admin/customers/${customer.id}`

  await held(async () => {
    const answer = first.call('POST', `${path}/erase`, erase).catch(() => 'never answered')
    await expect.poll(() => recorded(customer.id), { timeout: 10_000 }).toBe(1)
    await expect.poll(waiting).toBe(1)
    await first.stop('SIGKILL')
    expect(await answer).toBe('never answered')
    // Otherwise Postgres would execute the killed process's statement as soon as the lock is free.
    await site.superuser.query(`SELECT pg_terminate_backend(pid) ${WAITING}`)
    await expect.poll(waiting).toBe(0)
    expect(await keyOf(customer.id)).not.toBe(null)
  })

  const second = await site.service()
  await expect.poll(() => keyOf(customer.id), { timeout: 10_000 }).toBe(null)
  const again = await signIn(second)
  const read = await second.call('GET', path, { as: again })
  expect(read.body).toMatchObject({ email: 'ERASED', status: 'ERASED', counts: { activeLicenses: 0 } })
  expect((await second.call('POST', `${path}/erase`, { ...erase, as: again })).status).toBe(202)
  expect(await recorded(customer.id)).toBe(1)
  await site.rebuiltEqualsLive()
}, 60_000)
