/** What is revoked, for verifiers that check license keys offline. */
import type { ReadDatabase } from '#kernel/projections/read-database'
import { id, integer, key, nullable, oneOf, readModel, sql, text, timestamptz } from '#kernel/projections/read-model'
import { graceEnd } from '#licensing/licenses/events'
import { signingKeyEvents } from '#licensing/signing-keys/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'

/**
 * REVOKED: by a command, with the license. SUPERSEDED: replaced by another key or license. LEAKED:
 * replaced because the key is no longer secret.
 */
export const REVOCATION_REASONS = ['REVOKED', 'SUPERSEDED', 'LEAKED'] as const
type RevocationReason = (typeof REVOCATION_REASONS)[number]

const columns = {
  /** The event's id. */
  id: key,
  /** The license that the key belongs to; null for a signing key. */
  licenseId: nullable(id),
  /** null: the license's last key. */
  keyId: nullable(text),
  /** A compromised signing key: everything that it signed is revoked. */
  kid: nullable(text),
  reason: oneOf<RevocationReason>(),
  /** For a key that was replaced by routine: the time by which panels should have the new key. */
  revokedAt: timestamptz,
  position: integer,
}

const LICENSE_KEY_FIELDS = { kid: null, keyId: null }

export const revocationTable = readModel('revocations', 1, columns, ['(position)'])
  .from(subscriptionEvents, {
    LicenseRevoked: (table, { licenseId, supersededBy }, { id, at, position }) =>
      table.insert({
        ...LICENSE_KEY_FIELDS,
        id,
        licenseId,
        reason: supersededBy === undefined ? 'REVOKED' : 'SUPERSEDED',
        revokedAt: at,
        position,
      }),
    LicenseReissued: (table, { licenseId, oldKeyId, oldKeyUntil }, { id, at, position }) =>
      table.insert({
        ...LICENSE_KEY_FIELDS,
        id,
        licenseId,
        keyId: oldKeyId,
        reason: oldKeyUntil === null ? 'LEAKED' : 'SUPERSEDED',
        revokedAt: oldKeyUntil ?? at,
        position,
      }),
  })
  .from(signingKeyEvents, {
    SigningKeyCompromised: (table, { kid }, { id, at, position }) =>
      table.insert({ id, licenseId: null, keyId: null, kid, reason: 'LEAKED', revokedAt: at, position }),
  })

/**
 * Every end that a license has had. Tokens and lease files that were signed before the license was
 * shortened still name a later end.
 */
export const licenseEndTable = readModel('licenseEnds', 1, { id: key, licenseId: id, endsAt: timestamptz }, [
  '(license_id, ends_at)',
]).from(subscriptionEvents, {
  LicenseIssued: (table, issued, event) =>
    table.insert({ id: event.id, licenseId: issued.licenseId, endsAt: graceEnd(issued) }),
  LicenseExtended: (table, { licenseId, graceEndsAt }, event) =>
    table.insert({ id: event.id, licenseId, endsAt: graceEndsAt }),
  LicenseResigned: (table, { licenseId, changes: { graceEndsAt } }, event) =>
    graceEndsAt === undefined ? undefined : table.insert({ id: event.id, licenseId, endsAt: graceEndsAt }),
})

export interface RevokedKey {
  readonly keyId: string | null
  readonly kid: string | null
  readonly reason: RevocationReason
  readonly revokedAt: string
}

/** The position of the last revocation, so it rises with each; 0 before the first. */
export async function crlSerial(read: ReadDatabase): Promise<number> {
  const newest = await revocationTable
    .queryIn(read)
    .select('position')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.position ?? 0
}

/**
 * Revocations in their order. Leaves out those where everything that was signed has ended by `now`,
 * grace included.
 */
export async function revokedKeys(read: ReadDatabase, serial: number, now: Date): Promise<readonly RevokedKey[]> {
  const { rows } =
    await sql<RevokedKey>`SELECT coalesce(r.key_id, l.key_id) AS "keyId", r.kid, r.reason, r.revoked_at AS "revokedAt"
    FROM read.revocations AS r LEFT JOIN read.licenses AS l ON l.id = r.license_id
    WHERE r.position <= ${serial} AND (r.kid IS NOT NULL
      OR EXISTS (SELECT FROM read.license_ends AS e WHERE e.license_id = r.license_id AND e.ends_at > ${now})) ORDER BY r.position, r.id`.execute(
      read,
    )
  return rows
}
