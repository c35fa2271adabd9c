import type { DataOf } from '#kernel/events/event'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  id,
  integer,
  json,
  key,
  nullable,
  oneOf,
  readModel,
  sealedText,
  sql,
  text,
  timestamptz,
  bool,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { customerSubject } from '#licensing/customers/events'
import type { BILLING_CYCLES } from '#licensing/licenses/events'
import type { SubscriptionChangeScheduled, SUBSCRIPTION_STATUSES } from '#licensing/subscriptions/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'

type ScheduledChange = Omit<DataOf<typeof SubscriptionChangeScheduled>, 'subscriptionId' | 'customerId'>

const columns = {
  id: key,
  customerId: id,
  planSlug: text,
  planVersion: integer,
  status: oneOf<(typeof SUBSCRIPTION_STATUSES)[number]>(),
  seats: integer,
  billingCycle: oneOf<(typeof BILLING_CYCLES)[number]>(),
  currentPeriodStart: timestamptz,
  currentPeriodEnd: timestamptz,
  trialEndsAt: nullable(timestamptz),
  cancelAtPeriodEnd: bool,
  /** When the pending cancellation takes effect. */
  cancelsAt: nullable(timestamptz),
  cancelledAt: nullable(timestamptz),
  scheduledChange: nullable(json<ScheduledChange>()),
  /** When the scheduled change takes effect. */
  changesAt: nullable(timestamptz),
  /** The next attempt of a failed charge; null: none is planned. */
  nextAttemptAt: nullable(timestamptz),
  failedPayments: integer,
  maxActivations: integer,
  reference: nullable(sealedText('reference', ({ customerId }: { customerId: string }) => customerSubject(customerId))),
  /** HMAC of the reference, for look-ups: the reference itself is stored as ciphertext. */
  referenceKey: nullable(text),
  /** The license that is not revoked. */
  licenseId: nullable(id),
  createdAt: timestamptz,
}

export type SubscriptionRow = RowOf<typeof columns>

const ENDED_FIELDS = {
  cancelAtPeriodEnd: false,
  cancelsAt: null,
  scheduledChange: null,
  changesAt: null,
  nextAttemptAt: null,
}
const NOTHING_YET = { ...ENDED_FIELDS, cancelledAt: null, failedPayments: 0, licenseId: null }

export const subscriptionTable = readModel('subscriptions', 4, columns, [
  '(created_at, id)',
  '(customer_id)',
  '(reference_key)',
  '(current_period_end)',
  '(cancels_at)',
  '(changes_at)',
])
  .from(subscriptionEvents, {
    SubscriptionCreated: (
      table,
      { subscriptionId, requestHash: _hash, features: _features, ...subscription },
      { at },
    ) => table.insert({ ...subscription, id: subscriptionId, ...NOTHING_YET, createdAt: at }),
    SubscriptionCancelled: (table, { subscriptionId }, { at }) =>
      table.update({ id: subscriptionId }, { ...ENDED_FIELDS, status: 'CANCELLED', cancelledAt: at }),
    SubscriptionCancellationScheduled: (table, { subscriptionId, endsAt }) =>
      table.update({ id: subscriptionId }, { cancelAtPeriodEnd: true, cancelsAt: endsAt }),
    SubscriptionCancellationWithdrawn: (table, { subscriptionId }) =>
      table.update({ id: subscriptionId }, { cancelAtPeriodEnd: false, cancelsAt: null }),
    SubscriptionPaused: (table, { subscriptionId }) => table.update({ id: subscriptionId }, { status: 'PAUSED' }),
    SubscriptionResumed: (table, { subscriptionId }) => table.update({ id: subscriptionId }, { status: 'ACTIVE' }),
    SubscriptionChanged: (table, { subscriptionId, planSlug, planVersion, maxActivations, seats, billingCycle }) =>
      table.update({ id: subscriptionId }, { planSlug, planVersion, maxActivations, seats, billingCycle }),
    SubscriptionChangeScheduled: (table, { subscriptionId, customerId: _customer, ...scheduledChange }) =>
      table.update({ id: subscriptionId }, { scheduledChange, changesAt: scheduledChange.effectiveAt }),
    SubscriptionChangeWithdrawn: (table, { subscriptionId }) =>
      table.update({ id: subscriptionId }, { scheduledChange: null, changesAt: null }),
    SubscriptionRenewed: (table, { subscriptionId, currentPeriodStart, currentPeriodEnd }) =>
      table.update({ id: subscriptionId }, { currentPeriodStart, currentPeriodEnd }),
    SubscriptionActivated: (table, { subscriptionId, customerId: _customer, ...activated }) =>
      table.update({ id: subscriptionId }, activated),
    SubscriptionPaymentFailed: (table, { subscriptionId, attempt, nextAttemptAt }) =>
      table.update({ id: subscriptionId }, { status: 'PAST_DUE', failedPayments: attempt, nextAttemptAt }),
    SubscriptionRecovered: (table, { subscriptionId }) =>
      table.update({ id: subscriptionId }, { status: 'ACTIVE', failedPayments: 0, nextAttemptAt: null }),
    SubscriptionUnpaid: (table, { subscriptionId }) =>
      table.update({ id: subscriptionId }, { status: 'UNPAID', nextAttemptAt: null }),
    SubscriptionExpired: (table, { subscriptionId }) =>
      table.update({ id: subscriptionId }, { ...ENDED_FIELDS, status: 'EXPIRED' }),
    LicenseIssued: (table, { subscriptionId, licenseId, maxActivations }) =>
      table.update({ id: subscriptionId }, { licenseId, maxActivations }),
    LicenseRevoked: (table, { subscriptionId, licenseId }) =>
      table.update({ id: subscriptionId, licenseId }, { licenseId: null }),
  })
  .forGate()

/** Subscriptions with a due date, the longest due first. */
const dueBy = (read: ReadDatabase, column: 'cancelsAt' | 'changesAt', until: Date, limit: number) =>
  subscriptionTable
    .queryIn(read)
    .select(['id as key', `${column} as at`])
    .where(column, '<=', until.toISOString())
    .orderBy(column)
    .limit(limit)
    .$castTo<{ key: string; at: string }>()

export const cancellationsDue = (read: ReadDatabase, until: Date, limit: number) =>
  dueBy(read, 'cancelsAt', until, limit).execute()

/** A trial must end or convert before a scheduled change is applied. */
export const changesDue = (read: ReadDatabase, until: Date, limit: number) =>
  dueBy(read, 'changesAt', until, limit).where('status', '<>', 'TRIALING').execute()

/**
 * Rows as of a given time: a cancellation counts from its effective time, even if the event is
 * recorded later.
 */
export function subscriptionsAt(read: ReadDatabase, now: Date) {
  const [cancelsAt, cancelledAt] = [subscriptionTable.ref('cancelsAt'), subscriptionTable.ref('cancelledAt')]
  return subscriptionTable
    .queryIn(read)
    .selectAll()
    .select([
      subscriptionStatusAt(now).as('status'),
      sql<boolean>`coalesce(${cancelsAt} > ${now}, false)`.as('cancelAtPeriodEnd'),
      sql<string | null>`CASE WHEN ${cancelsAt} <= ${now} THEN ${cancelsAt} ELSE ${cancelledAt} END`.as('cancelledAt'),
    ])
}

export const subscriptionStatusAt = (now: Date) => sql<SubscriptionRow['status']>`CASE
  WHEN ${subscriptionTable.ref('cancelsAt')} <= ${now} THEN 'CANCELLED'
  ELSE ${subscriptionTable.ref('status')} END`
