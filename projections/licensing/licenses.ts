import { sql } from 'kysely'
import { id, integer, key, nullable, oneOf, readModel, text, time } from '#kernel/read-model'
import type { RowOf } from '#kernel/read-model'
import { graceEnd } from '#licensing/licenses/events'
import type { EffectiveStatus } from '#licensing/licenses/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'

const columns = {
  id: key,
  keyId: text,
  kid: text,
  seq: integer,
  /** As commands left it; what time made of it is `effectiveStatus`. */
  status: oneOf<'ACTIVE' | 'REVOKED'>(),
  subscriptionId: id,
  customerId: id,
  planSlug: text,
  seats: integer,
  maxActivations: integer,
  issuedAt: time,
  expiresAt: time,
  graceEndsAt: time,
  revokedAt: nullable(time),
  reason: nullable(text),
  replacedBy: nullable(id),
}

export type LicenseRow = RowOf<typeof columns>

export const licenseTable = readModel('licenses', 1, columns, [
  '(issued_at, id)',
  '(customer_id)',
  '(key_id)',
  '(expires_at)',
])
  .from(subscriptionEvents, {
    LicenseIssued: (table, issued) => {
      const { licenseId, keyId, kid, seq, subscriptionId, customerId, planSlug, seats, maxActivations } = issued
      return table.insert({
        id: licenseId,
        keyId,
        kid,
        seq,
        subscriptionId,
        customerId,
        planSlug,
        seats,
        maxActivations,
        issuedAt: issued.issuedAt,
        expiresAt: issued.expiresAt,
        graceEndsAt: graceEnd(issued),
        status: 'ACTIVE',
        revokedAt: null,
        reason: null,
        replacedBy: null,
      })
    },
    LicenseRevoked: (table, { licenseId, reason, supersededBy = null }, { at }) =>
      table.update({ id: licenseId }, { status: 'REVOKED', revokedAt: at, reason, replacedBy: supersededBy }),
  })
  .forGate()

/** In SQL and from the moment given, so that no timer can be late (licensing.md 2: REVOKED > SUSPENDED > EXPIRED > GRACE > ACTIVE). */
export const effectiveStatusAt = (now: Date) => sql<EffectiveStatus>`CASE
  WHEN ${sql.ref('licenses.status')} <> 'ACTIVE' THEN ${sql.ref('licenses.status')}
  WHEN ${sql.ref('licenses.graceEndsAt')} <= ${now} THEN 'EXPIRED'
  WHEN ${sql.ref('licenses.expiresAt')} <= ${now} THEN 'GRACE'
  ELSE 'ACTIVE' END`
