import { id, integer, key, nullable, oneOf, readModel, sealedText, text, time } from '#kernel/read-model'
import type { RowOf } from '#kernel/read-model'
import { customerSubject } from '#licensing/customers/events'
import type { BILLING_CYCLES } from '#licensing/licenses/events'
import type { SUBSCRIPTION_STATUSES } from '#licensing/subscriptions/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'

const columns = {
  id: key,
  customerId: id,
  planSlug: text,
  planVersion: integer,
  status: oneOf<(typeof SUBSCRIPTION_STATUSES)[number]>(),
  seats: integer,
  billingCycle: oneOf<(typeof BILLING_CYCLES)[number]>(),
  currentPeriodStart: time,
  currentPeriodEnd: time,
  trialEndsAt: nullable(time),
  cancelledAt: nullable(time),
  maxActivations: integer,
  reference: nullable(sealedText('reference', ({ customerId }: { customerId: string }) => customerSubject(customerId))),
  /** A reference is found by its HMAC, because the reference itself is ciphertext here. */
  referenceKey: nullable(text),
  /** The license that nobody revoked. */
  licenseId: nullable(id),
  createdAt: time,
}

export type SubscriptionRow = RowOf<typeof columns>

export const subscriptionTable = readModel('subscriptions', 2, columns, [
  '(created_at, id)',
  '(customer_id)',
  '(reference_key)',
]).from(subscriptionEvents, {
  SubscriptionCreated: (table, { subscriptionId, requestHash: _hash, features: _features, ...subscription }, { at }) =>
    table.insert({ ...subscription, id: subscriptionId, cancelledAt: null, licenseId: null, createdAt: at }),
  SubscriptionCancelled: (table, { subscriptionId }, { at }) =>
    table.update({ id: subscriptionId }, { status: 'CANCELLED', cancelledAt: at }),
  LicenseIssued: (table, { subscriptionId, licenseId, maxActivations }) =>
    table.update({ id: subscriptionId }, { licenseId, maxActivations }),
  LicenseRevoked: (table, { subscriptionId, licenseId }) =>
    table.update({ id: subscriptionId, licenseId }, { licenseId: null }),
})
