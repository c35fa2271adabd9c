/** One thing done to many: asked for at once, done one after the other, each by the command that it would be done by alone. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

export const BULK_ACTIONS = [
  'customers.suspend',
  'customers.activate',
  'licenses.suspend',
  'licenses.resume',
  'licenses.revoke',
  'licenses.extend',
  'subscriptions.cancel',
] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

const bulkId = z.uuid()

export const BulkRequested = event(
  'BulkRequested',
  'bulkId',
  {
    bulkId,
    action: z.enum(BULK_ACTIONS),
    total: z.int(),
    /** Kept in clear, so it names nobody. */
    reason: z.string().nullable(),
    /** Of licenses.extend. */
    expiresAt: z.iso.datetime().nullable(),
  },
  ({ bulkId, action, total }) => `asked for ${action} of ${total} in bulk ${bulkId}`,
)

export const BulkCompleted = event(
  'BulkCompleted',
  'bulkId',
  { bulkId, done: z.int(), skipped: z.int(), failed: z.int() },
  ({ bulkId, done, skipped, failed }) => `completed bulk ${bulkId}: ${done} done, ${skipped} skipped, ${failed} failed`,
)

/** One stream a bulk: it is completed once. */
export const bulkEvents = stream('bulk', [BulkRequested, BulkCompleted])
