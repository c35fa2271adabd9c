import { sql } from 'kysely'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { id, integer, key, nullable, oneOf, readModel, text, timestamptz } from '#kernel/projections/read-model'
import { graceEnd } from '#licensing/licenses/events'
import type { EffectiveStatus } from '#licensing/licenses/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'

const columns = {
  id: key,
  keyId: text,
  kid: text,
  seq: integer,
  /** The status that commands recorded; `effectiveStatus` also takes the time into account. */
  status: oneOf<'ACTIVE' | 'SUSPENDED' | 'REVOKED'>(),
  subscriptionId: id,
  customerId: id,
  planSlug: text,
  seats: integer,
  maxActivations: integer,
  offlineDays: integer,
  issuedAt: timestamptz,
  expiresAt: timestamptz,
  graceEndsAt: timestamptz,
  suspendedAt: nullable(timestamptz),
  revokedAt: nullable(timestamptz),
  reason: nullable(text),
  replacedBy: nullable(id),
  /** The last phase of the license's end that an event has recorded. */
  noted: nullable(oneOf<'GRACE' | 'EXPIRED'>()),
}

export const licenseTable = readModel('licenses', 4, columns, [
  '(issued_at, id)',
  '(customer_id)',
  '(key_id)',
  '(expires_at)',
  '(kid, id)',
  '(noted, expires_at)',
  '(noted, grace_ends_at)',
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
        offlineDays: issued.offlineDays,
        issuedAt: issued.issuedAt,
        expiresAt: issued.expiresAt,
        graceEndsAt: graceEnd(issued),
        status: 'ACTIVE',
        suspendedAt: null,
        revokedAt: null,
        reason: null,
        replacedBy: null,
        noted: null,
      })
    },
    LicenseRevoked: (table, { licenseId, reason, supersededBy = null }, { at }) =>
      table.update({ id: licenseId }, { status: 'REVOKED', revokedAt: at, reason, replacedBy: supersededBy }),
    LicenseSuspended: (table, { licenseId, reason }, { at }) =>
      table.update({ id: licenseId }, { status: 'SUSPENDED', suspendedAt: at, reason }),
    LicenseResumed: (table, { licenseId }) =>
      table.update({ id: licenseId }, { status: 'ACTIVE', suspendedAt: null, reason: null }),
    LicenseExtended: (table, { licenseId, to, graceEndsAt, seq, kid }) =>
      table.update({ id: licenseId }, { expiresAt: to, graceEndsAt, seq, kid, noted: null }),
    LicenseReissued: (table, { licenseId, keyId, seq, kid }) => table.update({ id: licenseId }, { keyId, seq, kid }),
    LicenseResigned: (table, { licenseId, seq, kid, changes: { seats, maxActivations, expiresAt, graceEndsAt } }) =>
      table.update(
        { id: licenseId },
        definedFields({
          seq,
          kid,
          seats,
          maxActivations,
          expiresAt,
          graceEndsAt,
          noted: graceEndsAt === undefined ? undefined : null,
        }),
      ),
    LicenseEnteredGrace: (table, { licenseId }) => table.update({ id: licenseId }, { noted: 'GRACE' }),
    LicenseExpired: (table, { licenseId }) => table.update({ id: licenseId }, { noted: 'EXPIRED' }),
  })
  .forGate()

/** Fields that an event leaves unchanged are absent from it. */
const definedFields = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Row]: Exclude<Row[Name], undefined>
  }

/** A paused or unpaid subscription, or a suspended customer, suspends the license. */
const isHeld = sql<boolean>`EXISTS (SELECT FROM read.subscriptions AS s
    WHERE s.id = ${licenseTable.ref('subscriptionId')} AND s.status IN ('PAUSED', 'UNPAID'))
  OR EXISTS (SELECT FROM read.customers AS c WHERE c.id = ${licenseTable.ref('customerId')} AND c.status = 'SUSPENDED')`

/**
 * Computed in SQL for a given time, so that a late timer cannot make it wrong (licensing.md 2:
 * REVOKED > SUSPENDED > EXPIRED > GRACE > ACTIVE).
 */
export const effectiveStatusAt = (now: Date) => sql<EffectiveStatus>`CASE
  WHEN ${licenseTable.ref('status')} <> 'ACTIVE' THEN ${licenseTable.ref('status')}
  WHEN ${isHeld} THEN 'SUSPENDED'
  WHEN ${licenseTable.ref('graceEndsAt')} <= ${now} THEN 'EXPIRED'
  WHEN ${licenseTable.ref('expiresAt')} <= ${now} THEN 'GRACE'
  ELSE 'ACTIVE' END`

/** Licenses whose present token was signed with the key. A revoked license keeps its last token. */
export const licensesOfSigningKey = (read: ReadDatabase, kid: string) =>
  licenseTable.queryIn(read).where('kid', '=', kid).where('status', '<>', 'REVOKED')

export async function countLicensesByKid(
  read: ReadDatabase,
  kids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await licenseTable
    .queryIn(read)
    .select(['kid', sql<number>`count(*)`.as('licenses')])
    .where('kid', 'in', kids.length > 0 ? kids : [''])
    .where('status', '<>', 'REVOKED')
    .groupBy('kid')
    .execute()
  return new Map(rows.map(({ kid, licenses }) => [kid, licenses]))
}

/**
 * The longest time that a panel may run on an earlier lease, from the plans and from the licenses
 * that have not ended.
 */
export async function overlapDaysOf(read: ReadDatabase, now: Date): Promise<number> {
  const { rows } = await sql<{ days: number }>`SELECT coalesce(max(days), 0)::float8 AS days FROM (
    SELECT offline_days + grace_days AS days FROM read.plans
    UNION ALL
    SELECT offline_days + extract(epoch FROM grace_ends_at - expires_at) / 86400 FROM read.licenses
      WHERE status <> 'REVOKED' AND grace_ends_at > ${now}) AS held`.execute(read)
  return rows[0]!.days
}

/**
 * Licenses whose grace or end falls before `until` and is not recorded yet. `key`: subscription and
 * license.
 */
export async function licenseEndsDue(
  read: ReadDatabase,
  until: Date,
  limit: number,
): Promise<{ key: string; at: string }[]> {
  const { rows } = await sql<{ key: string; at: string }>`
    SELECT subscription_id || '/' || id AS key, at FROM (
      (SELECT subscription_id, id, expires_at AS at FROM read.licenses
        WHERE noted IS NULL AND expires_at <= ${until} AND status <> 'REVOKED' ORDER BY expires_at LIMIT ${limit})
      UNION ALL
      (SELECT subscription_id, id, grace_ends_at FROM read.licenses
        WHERE noted = 'GRACE' AND grace_ends_at <= ${until} AND status <> 'REVOKED' ORDER BY grace_ends_at LIMIT ${limit})
    ) AS ends ORDER BY at LIMIT ${limit}`.execute(read)
  return rows
}
