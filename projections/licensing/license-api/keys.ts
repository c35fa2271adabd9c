/** License keys, and the terms of leases. */
import type { z } from 'zod'
import {
  id,
  integer,
  json,
  key,
  nullable,
  primary,
  readModel,
  sealedText,
  text,
  timestamptz,
  bool,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import type { licenseFeatures } from '#licensing/licenses/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'

/** License request secrets are sealed with the installation's key. */
export const REQUEST_SECRET = { subject: 'installation', field: 'k' }

const keyColumns = {
  keyId: primary(text),
  licenseId: id,
  subscriptionId: id,
  k: sealedText(REQUEST_SECRET.field, () => REQUEST_SECRET.subject),
  isCurrent: bool,
  /** How long heartbeats of a replaced key are answered; null: not at all. */
  until: nullable(timestamptz),
}

export type LicenseKeyRow = RowOf<typeof keyColumns>

export const licenseKeyTable = readModel('licenseKeys', 2, keyColumns, ['(subscription_id)'])
  .from(subscriptionEvents, {
    LicenseIssued: (table, { keyId, licenseId, subscriptionId, k }) =>
      table.insert({ keyId, licenseId, subscriptionId, k, isCurrent: true, until: null }),
    LicenseReissued: (table, { oldKeyId, oldKeyUntil, keyId, licenseId, subscriptionId, k }) => {
      // If a key leaked, earlier keys may have leaked too, and the heartbeat of an old key returns
      // the new key.
      const replaced = oldKeyUntil === null ? { subscriptionId } : { keyId: oldKeyId }
      table.update(replaced, { isCurrent: false, until: oldKeyUntil })
      return table.insert({ keyId, licenseId, subscriptionId, k, isCurrent: true, until: null })
    },
  })
  .forGate()

const termColumns = {
  licenseId: key,
  features: json<z.output<typeof licenseFeatures>>(),
  offlineDays: integer,
  heartbeatSeconds: integer,
}

export type LeaseTermRow = RowOf<typeof termColumns>

/** Terms of leases that the licenses' own table does not hold. */
export const leaseTermTable = readModel('leaseTerms', 1, termColumns)
  .from(subscriptionEvents, {
    LicenseIssued: (table, { licenseId, features, offlineDays, heartbeatSeconds }) =>
      table.insert({ licenseId, features, offlineDays, heartbeatSeconds }),
    LicenseResigned: (table, { licenseId, changes: { features } }) =>
      features === undefined ? undefined : table.update({ licenseId }, { features }),
  })
  .forGate()
