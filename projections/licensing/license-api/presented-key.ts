/** Read for each request that a license key signs: the license of the key, and the instance that the request names. */
import { lookup } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { id, nullable } from '#kernel/projections/read-model'
import type { SUBSCRIPTION_STATUSES } from '#licensing/subscriptions/events'
import { customerTable } from '../customers.ts'
import { instanceTable } from '../instances.ts'
import type { InstanceStatus } from '../instances.ts'
import { licenseTable } from '../licenses.ts'
import { subscriptionTable } from '../subscriptions.ts'
import { leaseTermTable, licenseKeyTable } from './keys.ts'
import type { LeaseTermRow, LicenseKeyRow } from './keys.ts'

/** A presented key, with its license and the instance named in the request. */
export interface PresentedKey extends LicenseKeyRow, Omit<LeaseTermRow, 'licenseId'> {
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

/** What the look-up finds of a known key. The fields of the instance are null where the request names none of its own. */
type FoundKey = NonNullable<Awaited<ReturnType<typeof findKey>>>
type FoundInstance = Omit<PresentedInstance, 'id' | 'status'> & {
  readonly instanceId: string
  readonly instanceStatus: InstanceStatus
}

const hasInstance = (row: FoundKey): row is FoundKey & FoundInstance => row.instanceId !== null

/** Finds no key of which a table lacks its part, because the projector has not applied it yet. */
const findKey = lookup(
  licenseKeyTable,
  ['keyId'],
  (keys, { instanceId }) =>
    keys
      .innerJoin(licenseTable.as('license'), 'license.id', 'licenseKeys.licenseId')
      .innerJoin(leaseTermTable.as('term'), 'term.licenseId', 'licenseKeys.licenseId')
      .innerJoin(subscriptionTable.as('subscription'), 'subscription.id', 'licenseKeys.subscriptionId')
      .leftJoin(customerTable.as('customer'), 'customer.id', 'license.customerId')
      .leftJoin(instanceTable.as('instance'), (join) =>
        join.on('instance.id', '=', instanceId).onRef('instance.subscriptionId', '=', 'licenseKeys.subscriptionId'),
      )
      .select(['licenseKeys.keyId', 'licenseKeys.licenseId', 'licenseKeys.subscriptionId', 'k', 'isCurrent', 'until'])
      .select(['term.features', 'term.offlineDays', 'term.heartbeatSeconds'])
      .select(['license.customerId', 'license.planSlug', 'license.keyId as currentKeyId', 'license.status'])
      .select(['license.seq', 'license.expiresAt', 'license.graceEndsAt', 'license.reason', 'license.replacedBy'])
      .select(['license.maxActivations', 'subscription.status as subscriptionStatus'])
      .select(['subscription.licenseId as currentLicenseId', 'customer.status as customerStatus'])
      .select(['instance.id as instanceId', 'instance.status as instanceStatus', 'instance.version', 'instance.os'])
      .select(['instance.arch', 'instance.keyThumbprint', 'instance.publicKey', 'instance.fingerprintHash'])
      .select(['instance.activatedAt', 'instance.deactivatedAt', 'instance.cloneSuspected']),
  { instanceId: nullable(id) },
)

/** @returns undefined for a key that is unknown or not yet projected */
export async function findPresentedKey(
  read: ReadDatabase,
  key: { readonly keyId: string; readonly instanceId: string | null },
): Promise<PresentedKey | undefined> {
  const row = await findKey(read, key)
  return row && presentedKeyOf(row)
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
    instance: hasInstance(row) ? presentedInstanceOf(row) : null,
  }
}

function presentedInstanceOf(row: FoundInstance): PresentedInstance {
  const { instanceId: id, instanceStatus: status, version, os, arch, keyThumbprint, publicKey } = row
  const { fingerprintHash, activatedAt, deactivatedAt, cloneSuspected } = row
  const said = { version, os, arch, keyThumbprint, publicKey, fingerprintHash }
  return { id, status, ...said, activatedAt, deactivatedAt, cloneSuspected }
}
