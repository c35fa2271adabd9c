/** Reads for each heartbeat: the license of a key, and the terms of a lease. */
import type { z } from 'zod'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  id,
  integer,
  json,
  key,
  nullable,
  primary,
  readModel,
  sealedText,
  sql,
  text,
  timestamptz,
  bool,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import type { licenseFeatures } from '#licensing/licenses/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'
import type { SUBSCRIPTION_STATUSES } from '#licensing/subscriptions/events'
import type { InstanceStatus } from '#projections/licensing/instances'

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

/** Terms of leases that the licenses' own table does not hold. */
export const leaseTermTable = readModel('leaseTerms', 1, termColumns)
  .from(subscriptionEvents, {
    LicenseIssued: (table, { licenseId, features, offlineDays, heartbeatSeconds }) =>
      table.insert({ licenseId, features, offlineDays, heartbeatSeconds }),
    LicenseResigned: (table, { licenseId, changes: { features } }) =>
      features === undefined ? undefined : table.update({ licenseId }, { features }),
  })
  .forGate()

/** A presented key, with its license and the instance named in the request. */
export interface PresentedKey extends RowOf<typeof keyColumns>, Omit<RowOf<typeof termColumns>, 'licenseId'> {
  readonly customerId: string
  readonly planSlug: string
  readonly license: {
    readonly keyId: string
    readonly status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
    readonly seq: number
    readonly expiresAt: string
    readonly graceEndsAt: string
    readonly reason: string | null
    readonly replacedBy: string | null
    readonly maxActivations: number
  }
  readonly subscription: {
    readonly status: (typeof SUBSCRIPTION_STATUSES)[number]
    /** The license in force. */
    readonly licenseId: string | null
  }
  readonly customerStatus: string | null
  readonly instance: PresentedInstance | null
}

export interface PresentedInstance {
  readonly id: string
  readonly status: InstanceStatus
  readonly version: string
  readonly os: string
  readonly arch: string
  readonly keyThumbprint: string
  readonly publicKey: string
  readonly fingerprintHash: string
  readonly activatedAt: string
  readonly deactivatedAt: string | null
  readonly cloneSuspected: boolean
}

/** What the query finds of a known key. The fields of the instance are null where the request names none of its own. */
type FoundKey = Omit<PresentedKey, 'license' | 'subscription' | 'instance'> &
  Omit<PresentedKey['license'], 'keyId'> &
  Omit<PresentedInstance, 'id' | 'status'> & {
    readonly currentKeyId: string
    readonly subscriptionStatus: PresentedKey['subscription']['status']
    readonly currentLicenseId: string | null
    readonly instanceId: string | null
    readonly instanceStatus: InstanceStatus
  }

/** The row of a key that is unknown or not yet projected has nulls. */
type KeyRow = { readonly [Name in keyof FoundKey]: FoundKey[Name] | null }

const isFound = (row: KeyRow): row is FoundKey =>
  row.keyId !== null && row.seq !== null && row.heartbeatSeconds !== null

export interface KeyLookup {
  readonly keyId: string
  readonly instanceId: string | undefined
}

/**
 * Reads many keys in one query, so that simultaneous heartbeats share it; results are in the order
 * of the input.
 * @returns undefined for a key that is unknown or not yet projected
 */
export async function presentedKeys(
  read: ReadDatabase,
  asked: readonly KeyLookup[],
): Promise<readonly (PresentedKey | undefined)[]> {
  const keyIds = asked.map(({ keyId }) => keyId)
  const instanceIds = asked.map(({ instanceId }) => instanceId ?? null)
  const { rows } = await sql<KeyRow>`
    SELECT k.key_id, k.license_id, k.subscription_id, k.k, k.is_current, k.until,
      t.features, t.offline_days, t.heartbeat_seconds, l.customer_id, l.plan_slug, l.key_id AS current_key_id, l.status, l.seq,
      l.expires_at, l.grace_ends_at, l.reason, l.replaced_by, l.max_activations,
      s.status AS subscription_status, s.license_id AS current_license_id, c.status AS customer_status,
      i.id AS instance_id, i.status AS instance_status, i.version, i.os, i.arch, i.key_thumbprint, i.public_key,
      i.fingerprint_hash, i.activated_at, i.deactivated_at, i.clone_suspected
    FROM unnest(${keyIds}::text[], ${instanceIds}::uuid[]) WITH ORDINALITY AS asked (key_id, instance_id, nth)
    LEFT JOIN read.license_keys AS k ON k.key_id = asked.key_id
    LEFT JOIN read.licenses AS l ON l.id = k.license_id
    LEFT JOIN read.lease_terms AS t ON t.license_id = k.license_id
    LEFT JOIN read.subscriptions AS s ON s.id = k.subscription_id
    LEFT JOIN read.customers AS c ON c.id = l.customer_id
    LEFT JOIN read.instances AS i ON i.id = asked.instance_id AND i.subscription_id = k.subscription_id
    ORDER BY asked.nth`.execute(read)
  return rows.map((row) => (isFound(row) ? presentedKeyOf(row) : undefined))
}

function presentedKeyOf(row: FoundKey): PresentedKey {
  const { keyId, licenseId, subscriptionId, customerId, k, isCurrent, until } = row
  const { features, offlineDays, heartbeatSeconds, planSlug, customerStatus } = row
  const { status, seq, expiresAt, graceEndsAt, reason, replacedBy, maxActivations } = row
  const { currentKeyId, subscriptionStatus, currentLicenseId } = row
  return {
    keyId,
    licenseId,
    subscriptionId,
    customerId,
    planSlug,
    k,
    isCurrent,
    until,
    features,
    offlineDays,
    heartbeatSeconds,
    license: { keyId: currentKeyId, status, seq, expiresAt, graceEndsAt, reason, replacedBy, maxActivations },
    subscription: { status: subscriptionStatus, licenseId: currentLicenseId },
    customerStatus,
    instance: row.instanceId === null ? null : presentedInstanceOf(row.instanceId, row),
  }
}

function presentedInstanceOf(id: string, row: FoundKey): PresentedInstance {
  const { instanceStatus: status, version, os, arch, keyThumbprint, publicKey } = row
  const { fingerprintHash, activatedAt, deactivatedAt, cloneSuspected } = row
  const said = { version, os, arch, keyThumbprint, publicKey, fingerprintHash }
  return { id, status, ...said, activatedAt, deactivatedAt, cloneSuspected }
}
