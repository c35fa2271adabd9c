/** What is revoked, for those who verify license keys without asking for each. */
import type { Kysely } from 'kysely'
import { id, integer, key, nullable, oneOf, readModel, sql, text, timestamptz } from '#kernel/projections/read-model'
import { graceEnd } from '#licensing/licenses/events'
import { signingKeyEvents } from '#licensing/signing-keys/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'

/** REVOKED: by somebody, with the license. SUPERSEDED: another key or license took its place. LEAKED: another took the key's place, because it was no secret any more. */
export const REVOCATION_REASONS = ['REVOKED', 'SUPERSEDED', 'LEAKED'] as const
type RevocationReason = (typeof REVOCATION_REASONS)[number]

const columns = {
  /** Of the event. */
  id: key,
  /** The license that the key belongs to; null for a signing key. */
  licenseId: nullable(id),
  /** null: the key that the license had last. */
  keyId: nullable(text),
  /** A signing key, with which whatever it signed falls. */
  kid: nullable(text),
  reason: oneOf<RevocationReason>(),
  /** From when on; of a key that was replaced in good order, when the last panel should have followed. */
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

/** Each end that a license ever had: what was signed before it was shortened, a file among it, still says the later one. */
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

/** Rises with every revocation: the position of the last one; 0 before the first. */
export async function crlSerial(read: Kysely<any>): Promise<number> {
  const newest = await revocationTable
    .queryIn(read)
    .select('position')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.position ?? 0
}

/** Those of which nothing that was ever signed is still good by itself, grace included, at `now`, are left out. In the order in which they were revoked. */
export async function revokedKeys(read: Kysely<any>, serial: number, now: Date): Promise<readonly RevokedKey[]> {
  const { rows } =
    await sql<RevokedKey>`SELECT coalesce(r.key_id, l.key_id) AS "keyId", r.kid, r.reason, r.revoked_at AS "revokedAt"
    FROM read.revocations AS r LEFT JOIN read.licenses AS l ON l.id = r.license_id
    WHERE r.position <= ${serial} AND (r.kid IS NOT NULL
      OR EXISTS (SELECT FROM read.license_ends AS e WHERE e.license_id = r.license_id AND e.ends_at > ${now})) ORDER BY r.position, r.id`.execute(
      read,
    )
  return rows
}
