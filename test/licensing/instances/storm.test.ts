/** A thousand panels request a few slots at once, with real signatures. The events in the log decide the result. */
import { expect, test } from 'vitest'
import { Panel } from '../../support/licensing/raw-panel.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'
import { statusesOf } from '../../support/storm.ts'

const PANELS = 1_000
const CAP = 25

const limits = { heartbeatsPerHour: 100_000, activationsPerHour: 100_000, failuresPerMinute: 1_000_000 }
const service = await startService({ licenseApi: limits })
const floor = await shopFixture(service)

/** Repeats the request, as a panel does that is told to. */
async function answered(panel: Panel): Promise<{ status: number }> {
  for (;;) {
    const reply = await panel.activate()
    // More likely on a busy machine: the service had no time to read the request, or to confirm the change.
    if (reply.status !== 503 && reply.status !== 408) return { status: reply.status === 200 ? 201 : reply.status }
  }
}

async function sold(email: string) {
  const { slug } = await floor.plan({ maxActivations: CAP })
  const { license, subscription, licenseKey } = (await floor.provision({ email, planSlug: slug })).body
  const panels = Array.from({ length: PANELS }, () => new Panel(service, licenseKey))
  return { panels, licenseId: license.id as string, subscriptionId: subscription.id as string }
}

/** The most instances that held a slot at once, and the number at the end, computed from the events alone. */
async function held(subscriptionId: string) {
  const holding = new Set<string>()
  let most = 0
  for (const { type, data } of await service.licensing.store.readStream(`licenseSlots-${subscriptionId}`)) {
    const { instanceId } = data as { instanceId: string }
    if (type === 'InstanceActivated' || type === 'InstanceReactivated') holding.add(instanceId)
    if (type === 'InstanceDeactivated') holding.delete(instanceId)
    if (type === 'SlotsReleased') holding.clear()
    most = Math.max(most, holding.size)
  }
  return { most, last: holding.size }
}

test(`${PANELS} concurrent activations: exactly ${CAP}`, async () => {
  const { panels, subscriptionId, licenseId } = await sold('storm@customer.test')
  const replies = await Promise.all(panels.map(answered))
  expect(statusesOf(replies)).toEqual({ 201: CAP, 409: PANELS - CAP })
  expect(await held(subscriptionId)).toEqual({ most: CAP, last: CAP })
  const { body } = await floor.get(`/api/admin/licenses/${licenseId}`)
  expect(body.activeInstances).toBe(CAP)
}, 120_000)

test('activations against deactivations: never above the cap, and no slot is lost', async () => {
  const { panels, subscriptionId } = await sold('churn@customer.test')
  await Promise.all(
    panels.slice(0, 300).map(async (panel, nth) => {
      const { status } = await answered(panel)
      if (status === 201 && nth % 2 === 0) expect((await panel.deactivate()).status).toBe(200)
    }),
  )
  for (const panel of panels.slice(300, 300 + CAP)) await answered(panel)
  expect(await held(subscriptionId)).toEqual({ most: CAP, last: CAP })
}, 120_000)

test('whoever activates while the license is revoked has no slot when it is', async () => {
  const { panels, subscriptionId, licenseId } = await sold('revoked@customer.test')
  const activating = panels.slice(0, 200).map(answered)
  const revoked = await floor.post(`/api/admin/licenses/${licenseId}/revoke`, { reason: 'in the middle of it' })
  expect(revoked.status).toBe(200)
  const replies = await Promise.all(activating)
  expect(Object.keys(statusesOf(replies)).every((status) => ['201', '409', '403'].includes(status))).toBe(true)
  expect((await held(subscriptionId)).last).toBe(0)
}, 120_000)
