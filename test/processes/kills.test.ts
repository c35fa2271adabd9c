/** The service is killed with SIGKILL while shops provision. The test keeps its own ledger of acknowledged orders. */
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#test/support/free-port'
import { openShop, openSite, signIn, SLUG, statuses } from '../support/processes/site.ts'
import type { Reply, Service } from '../support/processes/site.ts'

const REFERENCES = 1_000
/** Four orders a customer, so that killed calls also compete for one address. */
const CUSTOMERS = 250
const LANES = 32
const RETRY_MS = 20

const site = await openSite()
afterAll(() => site.close(), 60_000)
const port = await freePort()
let current: Promise<Service> = site.service(port)
const shop = await openShop(await current, await signIn(await current))

/** The number of answers after which each kill happens. */
const killedAt = [randomInt(50, 300), randomInt(350, 600), randomInt(650, 950)]
const acknowledged = new Map<number, string>()
let unanswered = 0

const order = (nth: number) => ({
  email: `customer-${nth % CUSTOMERS}@customer.test`,
  planSlug: SLUG,
  reference: `order-${nth}`,
})

/** Repeats the request until there is an answer, as a shop does after a lost connection. */
async function provisioned(nth: number): Promise<Reply> {
  for (;;) {
    const { call } = await current
    try {
      return await call('POST', '/api/admin/provisioning', { as: shop, body: order(nth) })
    } catch {
      unanswered += 1
      await pause(RETRY_MS)
    }
  }
}

async function inLanes(work: (nth: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < REFERENCES) await work(next++)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function killAndRestart(): Promise<void> {
  for (const answers of killedAt) {
    const service = await current
    while (acknowledged.size < answers) await pause(1)
    service.child.kill('SIGKILL')
    current = service.ended().then(() => site.service(port))
  }
  await current
}

test(`kill -9 after ${killedAt.join(', ')} answers loses no acknowledged license and doubles none`, async () => {
  const replies: Reply[] = []
  const selling = inLanes(async (nth) => {
    const reply = await provisioned(nth)
    replies.push(reply)
    acknowledged.set(nth, reply.body.license?.keyId)
  })
  await Promise.all([selling, killAndRestart()])
  expect(unanswered).toBeGreaterThanOrEqual(killedAt.length)
  expect(Object.keys(statuses(replies)).filter((status) => status !== '200')).toEqual(['201'])

  const again = new Map<number, string>()
  const repeated: Reply[] = []
  await inLanes(async (nth) => {
    const reply = await provisioned(nth)
    repeated.push(reply)
    again.set(nth, reply.body.license?.keyId)
  })
  expect(statuses(repeated)).toEqual({ 200: REFERENCES })
  expect([...again].toSorted(byNumber)).toEqual([...acknowledged].toSorted(byNumber))
  expect(new Set(again.values()).size).toBe(REFERENCES)
}, 180_000)

test('there is one license for each reference, and one customer for each address', async () => {
  await site.settled()
  expect(await site.count('licenses')).toBe(REFERENCES)
  expect(await site.count('subscriptions')).toBe(REFERENCES)
  expect(await site.count('customers')).toBe(CUSTOMERS)
  expect(await site.count('audit_trail', `action = 'provisioning.completed'`)).toBe(REFERENCES)
})

test('the history is whole, and read models rebuilt from it equal the live ones', async () => {
  const doctor = await site.finished(['doctor'])
  expect(doctor, doctor.said).toMatchObject({ code: 0 })
  await site.rebuiltEqualsLive()
}, 60_000)

const byNumber = ([one]: [number, string], [other]: [number, string]): number => one - other
