import type { DataOf } from '#kernel/events/event'
import type { Unit } from '#kernel/commands/command-runner'
import { Rejection } from '#kernel/lib/rejection'
import { every } from '#kernel/jobs/recurring-job'
import { reaction } from '#kernel/jobs/reaction'
import type { Work } from '#kernel/jobs/job-context'
import { licenseTable } from '#projections/licensing/licenses'
import { forgetItems, noteItem, pendingItems, progressOf } from './items.ts'
import type { Item, ItemStatus } from './items.ts'
import { decideOn } from '../workflows/subscriptions/decide.ts'
import { signingKey } from '../signing-keys/signing-key.ts'
import { setCustomerStatus } from '../workflows/subscriptions/set-customer-status.ts'
import { bulk } from './decider.ts'
import { BulkRequested } from './events.ts'

const DAY_MS = 86_400_000
/** Items are kept so long, to be looked at. */
const KEPT_MS = 90 * DAY_MS

type Asked = DataOf<typeof BulkRequested>

/**
 * Each item by itself: what one of them refuses is noted, and what fails otherwise is tried again from there. An item that was done
 * without being noted, because the worker was killed in between, is refused as done already, or decides nothing.
 */
const performBulk = reaction('perform-bulk', {
  on: [BulkRequested],
  async run({ data }, work) {
    const { bulkId } = data
    for (let items = await pendingItems(work.telemetry, bulkId); items.length > 0;) {
      for (const item of items) {
        work.signal.throwIfAborted()
        await noteItem(work.telemetry, bulkId, { nth: item.nth, ...(await outcome(work, data, item)) })
      }
      items = await pendingItems(work.telemetry, bulkId)
    }
    const { done, skipped, failed } = await progressOf(work.telemetry, bulkId)
    await work.run((unit) => unit.decide(bulk, bulkId, 'CompleteBulk', { done, skipped, failed }))
  },
})

async function outcome(
  work: Work,
  asked: Asked,
  { target }: Item,
): Promise<{ status: ItemStatus; message: string | null }> {
  try {
    const happened = await act(work, asked, target)
    return happened ? { status: 'DONE', message: null } : { status: 'SKIPPED', message: 'It is so already' }
  } catch (error) {
    if (!(error instanceof Rejection) || error.statusCode >= 500) throw error
    return { status: error.statusCode === 409 ? 'SKIPPED' : 'FAILED', message: error.message }
  }
}

/** @returns whether anything was decided */
async function act(work: Work, { action, reason, expiresAt }: Asked, target: string): Promise<boolean> {
  const why = reason ?? action
  if (action.startsWith('customers.')) {
    const status = action === 'customers.suspend' ? 'SUSPENDED' : 'ACTIVE'
    return any(work, (unit) => setCustomerStatus(unit, target, { status, reason }))
  }
  if (action === 'subscriptions.cancel')
    return any(work, (unit) => decideOn(unit, target, 'CancelSubscription', { reason: why, comment: null }))
  const licenseId = target
  const subscriptionId = await streamOf(work, licenseId)
  return any(work, async (unit) => {
    switch (action) {
      case 'licenses.suspend':
        return decideOn(unit, subscriptionId, 'SuspendLicense', { licenseId, reason: why })
      case 'licenses.resume':
        return decideOn(unit, subscriptionId, 'ResumeLicense', { licenseId })
      case 'licenses.revoke':
        return decideOn(unit, subscriptionId, 'RevokeLicense', { licenseId, reason: why })
      default: {
        const { kid } = await signingKey(unit)
        return decideOn(unit, subscriptionId, 'ExtendLicense', { licenseId, expiresAt: expiresAt!, kid })
      }
    }
  })
}

const any = async (work: Work, decide: (unit: Unit) => Promise<readonly unknown[]>): Promise<boolean> =>
  (await work.run(decide)).length > 0

async function streamOf({ read }: Work, licenseId: string): Promise<string> {
  const row = await licenseTable.in(read).select('subscriptionId').where('id', '=', licenseId).executeTakeFirst()
  return row?.subscriptionId ?? licenseId
}

export const bulkReactions = [performBulk]
export const bulkTimers = [
  every('forget-bulk-items', DAY_MS, ({ telemetry, now }) => forgetItems(telemetry, new Date(now.getTime() - KEPT_MS))),
]
