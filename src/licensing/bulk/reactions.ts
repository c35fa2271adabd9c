import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { DataOf } from '#kernel/events/event'
import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { Rejection } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { licenseTable } from '#projections/licensing/licenses'
import { currentSigningKey } from '../signing-keys/signing-key.ts'
import { decideSubscription } from '../workflows/subscriptions/decide.ts'
import { setCustomerStatus } from '../workflows/subscriptions/set-customer-status.ts'
import { bulk } from './decider.ts'
import { BulkRequested } from './events.ts'
import { forgetItems, noteItem, pendingItems, progressOf } from './items.ts'
import type { BulkItem, BulkItemStatus } from './items.ts'

const DAY_MS = 86_400_000
/** How long items are kept. */
const KEPT_MS = 90 * DAY_MS

type BulkRequestedData = DataOf<typeof BulkRequested>

/**
 * Performs the items one by one. A rejection is noted; any other failure is retried from that item.
 * If the worker dies before it notes an item, the second attempt is rejected or changes nothing.
 */
const performBulk = reaction('perform-bulk', {
  on: [BulkRequested],
  async run({ data }, work) {
    const { bulkId } = data
    for (let items = await pendingItems(work.telemetry, bulkId); items.length > 0;) {
      for (const item of items) {
        work.signal.throwIfAborted()
        await noteItem(work.telemetry, bulkId, { nth: item.nth, ...(await performItem(work, data, item)) })
      }
      items = await pendingItems(work.telemetry, bulkId)
    }
    const { done, skipped, failed } = await progressOf(work.telemetry, bulkId)
    await work.run((unit) => unit.decide(bulk, bulkId, 'CompleteBulk', { done, skipped, failed }))
  },
})

async function performItem(
  work: JobContext,
  asked: BulkRequestedData,
  { target }: BulkItem,
): Promise<{ status: BulkItemStatus; message: string | null }> {
  try {
    const happened = await performAction(work, asked, target)
    return happened ? { status: 'DONE', message: null } : { status: 'SKIPPED', message: 'It is so already' }
  } catch (error) {
    if (!(error instanceof Rejection) || error.statusCode >= 500) throw error
    return { status: error.statusCode === 409 ? 'SKIPPED' : 'FAILED', message: error.message }
  }
}

/** @returns whether an event was recorded */
async function performAction(
  work: JobContext,
  { action, reason, expiresAt }: BulkRequestedData,
  target: string,
): Promise<boolean> {
  const why = reason ?? action
  if (action.startsWith('customers.')) {
    const status = action === 'customers.suspend' ? 'SUSPENDED' : 'ACTIVE'
    return hasDecided(work, (unit) => setCustomerStatus(unit, target, { status, reason }))
  }
  if (action === 'subscriptions.cancel')
    return hasDecided(work, (unit) =>
      decideSubscription(unit, target, 'CancelSubscription', { reason: why, comment: null }),
    )
  const licenseId = target
  const subscriptionId = await subscriptionIdOf(work, licenseId)
  return hasDecided(work, async (unit) => {
    switch (action) {
      case 'licenses.suspend':
        return decideSubscription(unit, subscriptionId, 'SuspendLicense', { licenseId, reason: why })
      case 'licenses.resume':
        return decideSubscription(unit, subscriptionId, 'ResumeLicense', { licenseId })
      case 'licenses.revoke':
        return decideSubscription(unit, subscriptionId, 'RevokeLicense', { licenseId, reason: why })
      default: {
        const { kid } = await currentSigningKey(unit)
        return decideSubscription(unit, subscriptionId, 'ExtendLicense', { licenseId, expiresAt: expiresAt!, kid })
      }
    }
  })
}

const hasDecided = async (
  work: JobContext,
  decide: (unit: UnitOfWork) => Promise<readonly unknown[]>,
): Promise<boolean> => (await work.run(decide)).length > 0

async function subscriptionIdOf({ read }: JobContext, licenseId: string): Promise<string> {
  const row = await findRow(read, licenseTable, { id: licenseId })
  return row?.subscriptionId ?? licenseId
}

export const bulkReactions = [performBulk]
export const bulkTimers = [
  recurringJob('forget-bulk-items', DAY_MS, ({ telemetry, now }) =>
    forgetItems(telemetry, new Date(now.getTime() - KEPT_MS)),
  ),
]
