import type { Kysely } from 'kysely'
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
import type { DataOf } from '#kernel/events/event'
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
  /** When that cancellation takes effect. */
  cancelsAt: nullable(timestamptz),
  cancelledAt: nullable(timestamptz),
  scheduledChange: nullable(json<ScheduledChange>()),
  /** When that change takes effect. */
  changesAt: nullable(timestamptz),
  /** Of a charge that failed; null: none is tried. */
  nextAttemptAt: nullable(timestamptz),
  failedPayments: integer,
  maxActivations: integer,
  reference: nullable(sealedText('reference', ({ customerId }: { customerId: string }) => customerSubject(customerId))),
  /** A reference is found by its HMAC, because the reference itself is ciphertext here. */
  referenceKey: nullable(text),
  /** The license that nobody revoked. */
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

/** Of what is to happen at a moment, what has been due longest. */
const dueBy = (read: Kysely<any>, column: 'cancelsAt' | 'changesAt', until: Date, limit: number) =>
  subscriptionTable
    .queryIn(read)
    .select(['id as key', `${column} as at`])
    .where(column, '<=', until.toISOString())
    .orderBy(column)
    .limit(limit)
    .$castTo<{ key: string; at: string }>()

export const cancellationsDue = (read: Kysely<any>, until: Date, limit: number) =>
  dueBy(read, 'cancelsAt', until, limit).execute()

/** What becomes of a trial is decided before what changes after it. */
export const changesDue = (read: Kysely<any>, until: Date, limit: number) =>
  dueBy(read, 'changesAt', until, limit).where('status', '<>', 'TRIALING').execute()

/** Rows as they are at a moment: a cancellation takes effect when its time has come, however late it is written down. */
export function subscriptionsAt(read: Kysely<any>, now: Date) {
  const [cancelsAt, cancelledAt] = [sql.ref('subscriptions.cancelsAt'), sql.ref('subscriptions.cancelledAt')]
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
  WHEN ${sql.ref('subscriptions.cancelsAt')} <= ${now} THEN 'CANCELLED'
  ELSE ${sql.ref('subscriptions.status')} END`
