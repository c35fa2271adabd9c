/** The worker is killed with SIGKILL while it delivers webhooks. The receiver keeps its own ledger of deliveries. */
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { webhookReceiver } from '#test/support/webhook-receiver'
import type { ReceivedWebhook } from '#test/support/webhook-receiver'
import type { RunningProcess } from '../support/processes/process.ts'
import { openShop, openSite, signIn, SLUG } from '../support/processes/site.ts'

const LICENSES = 40
const KILLS = 3
const ALL = LICENSES * 2

const site = await openSite({ WEBHOOK_ALLOW: '127.0.0.0/8' })
const there = await webhookReceiver()
afterAll(async () => {
  await site.close()
  await there.close()
}, 60_000)

async function worker(): Promise<RunningProcess> {
  const running = site.run(['worker'])
  await running.until('worker started')
  return running
}

const licenseOf = ({ json }: ReceivedWebhook): string => json.data.licenseId

test(`${KILLS} kills of the worker: no event is missed, none is told under two ids, and each license's story is told in order`, async () => {
  const service = await site.service()
  const as = await signIn(service)
  const shop = await openShop(service, as)
  // Every seventh answer is lost, so that kills also meet retries. Later ones would need a third attempt, a
  // minute later.
  let answers = 0
  const seen = new Set<string>()
  there.answer(({ id }) => {
    const isFirst = !seen.has(id)
    seen.add(id)
    answers += 1
    return isFirst && answers < ALL / 3 && answers % 7 === 0
      ? (response) => void setTimeout(() => response.destroy(), 5)
      : 200
  })
  const body = { url: there.url, events: ['license.issued', 'license.revoked'] }
  const made = await service.call('POST', '/api/admin/webhooks', { as, body })
  expect(made.status).toBe(201)
  const { webhook, secret } = made.body

  let running = await worker()
  const issued: string[] = []
  const selling = (async () => {
    for (let nth = 0; nth < LICENSES; nth += 1) {
      const order = { email: `c${nth % 10}@customer.test`, planSlug: SLUG, reference: `order-${nth}` }
      const { license } = (await service.call('POST', '/api/admin/provisioning', { as: shop, body: order })).body
      issued.push(license.id)
      const revoked = await service.call('POST', `/api/admin/licenses/${license.id}/revoke`, {
        as: shop,
        body: { reason: 'returned' },
      })
      expect(revoked.status).toBe(200)
    }
  })()
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = (ALL / (KILLS + 1)) * kill * 0.8
    for (const late = performance.now() + 60_000; there.heard.length < enough && performance.now() < late;)
      await pause(5)
    await running.stop('SIGKILL')
    // No worker tries them any more. The locks would delay them by 20 s, and the last scan the next scan by 15 s.
    await site.superuser.query(`DELETE FROM telemetry.work_look WHERE name = 'turn'`)
    await site.superuser.query(
      `UPDATE telemetry.webhook_delivery SET next_at = now(), trying_until = now() WHERE trying_until > now()`,
    )
    running = await worker()
  }
  await selling
  const told = () => there.heard.filter(({ json }) => json.type !== 'webhook.ping')
  const taken = async () => {
    // A delivery that failed twice is tried again after a minute; waiting for it would prove nothing.
    await site.superuser.query(
      `UPDATE telemetry.webhook_delivery SET next_at = now() WHERE status = 'WAITING' AND trying_until IS NULL AND next_at > now()`,
    )
    const { rows } = await site.superuser.query(
      `SELECT count(*)::int AS number FROM telemetry.webhook_delivery WHERE status = 'DELIVERED' AND NOT is_ping`,
    )
    return rows[0].number
  }
  await expect.poll(taken, { timeout: 180_000, interval: 500 }).toBe(ALL)

  for (const { body, headers } of told())
    new Webhook(secret).verify(body, headers as Record<string, string>, { jsonParse: false })
  const first = new Map<string, ReceivedWebhook>()
  for (const heard of told()) if (!first.has(heard.id)) first.set(heard.id, heard)
  expect(first.size).toBe(ALL)
  const stories = Map.groupBy(first.values(), licenseOf)
  expect([...stories.keys()].toSorted()).toEqual(issued.toSorted())
  for (const story of stories.values())
    expect(story.map(({ json }) => json.type)).toEqual(['license.issued', 'license.revoked'])
  for (const sameId of Map.groupBy(told(), ({ id }) => id).values())
    expect(new Set(sameId.map(({ body }) => body)).size).toBe(1)
  expect((await service.call('GET', `/api/admin/webhooks/${webhook.id}`, { as })).body.status).toBe('ACTIVE')
  expect(await running.stop()).toMatchObject({ code: 0 })
}, 400_000)
