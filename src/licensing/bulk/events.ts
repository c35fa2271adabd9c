/**
 * One action on many targets: requested in one call, then performed on each target by that target's
 * own command.
 */
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
    /** Stored in plain text, so it must not contain personal data. */
    reason: z.string().nullable(),
    /** For licenses.extend. */
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

/** One stream per bulk, so that it is completed once. */
export const bulkEvents = stream('bulk', [BulkRequested, BulkCompleted])
