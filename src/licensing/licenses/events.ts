/**
 * A license is a subscription's right to run: the contents of its signed token, its validity and
 * its revocation.
 */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { daysAfter } from '#kernel/lib/timestamps'

const instant = z.iso.datetime()

/** The effective status of a license at a given time, the last that applies (licensing.md 2). */
export const EFFECTIVE_STATUSES = ['ACTIVE', 'GRACE', 'EXPIRED', 'SUSPENDED', 'REVOKED'] as const
export type EffectiveStatus = (typeof EFFECTIVE_STATUSES)[number]

export const BILLING_CYCLES = ['MONTHLY', 'YEARLY'] as const

const featureValue = z.union([z.boolean(), z.int(), z.string()])
/** As in the token's claim `ft`: a value, or a value with the Unix seconds of its validity. */
export const licenseFeatures = z.record(
  z.string(),
  z.union([featureValue, z.tuple([featureValue, z.int().nullable(), z.int().nullable()])]),
)

export const LicenseIssued = event(
  'LicenseIssued',
  'licenseId',
  {
    licenseId: z.uuid(),
    subscriptionId: z.uuid(),
    customerId: z.uuid(),
    /**
     * With the following fields, the whole content of the token: it is signed again from here with
     * the same bytes.
     */
    keyId: z.string(),
    seq: z.int(),
    kid: z.string(),
    /** The request secret, 32 bytes as base64url. */
    k: sealed(z.string()),
    iss: z.string(),
    planSlug: z.string(),
    planVersion: z.int(),
    features: licenseFeatures,
    seats: z.int(),
    billingCycle: z.enum(BILLING_CYCLES),
    /** null: none was requested. `maxActivations` is what was granted. */
    maxActivationsAsked: z.int().nullable(),
    maxActivations: z.int(),
    graceDays: z.int(),
    offlineDays: z.int(),
    heartbeatSeconds: z.int(),
    issuedAt: instant,
    expiresAt: instant,
  },
  ({ licenseId, subscriptionId }) => `issued license ${licenseId} for subscription ${subscriptionId}`,
  { sealedFor: () => 'installation', takes: ({ keyId }) => [{ scope: 'keyId', key: keyId }] },
)

export const LicenseRevoked = event(
  'LicenseRevoked',
  'licenseId',
  {
    licenseId: z.uuid(),
    subscriptionId: z.uuid(),
    reason: z.string(),
    /** The license that replaced it. */
    supersededBy: z.uuid().optional(),
  },
  ({ licenseId, supersededBy }) =>
    `revoked license ${licenseId}${supersededBy === undefined ? '' : `, replaced by ${supersededBy}`}`,
  { strict: true },
)

const idFields = { licenseId: z.uuid(), subscriptionId: z.uuid() }
/** Incremented whenever the token's content changes: panels keep the highest. */
const signatureFields = { seq: z.int(), kid: z.string() }

/**
 * The license is not valid until it is resumed; its end does not move. The reason is stored in
 * plain text, so it must not contain personal data.
 */
export const LicenseSuspended = event(
  'LicenseSuspended',
  'licenseId',
  { ...idFields, reason: z.string() },
  ({ licenseId, reason }) => `suspended license ${licenseId} (${reason})`,
  { strict: true },
)

export const LicenseResumed = event(
  'LicenseResumed',
  'licenseId',
  idFields,
  ({ licenseId }) => `resumed license ${licenseId}`,
)

export const LicenseExtended = event(
  'LicenseExtended',
  'licenseId',
  { ...idFields, ...signatureFields, from: instant, to: instant, graceEndsAt: instant },
  ({ licenseId, from, to }) => `extended license ${licenseId} from ${from} to ${to}`,
)

export const REISSUE_MODES = ['leaked', 'routine'] as const

/** The same license with a new key. */
export const LicenseReissued = event(
  'LicenseReissued',
  'licenseId',
  {
    ...idFields,
    ...signatureFields,
    oldKeyId: z.string(),
    keyId: z.string(),
    /** The request secret of the new key, 32 bytes as base64url. */
    k: sealed(z.string()),
    /**
     * `leaked`: the old key and all earlier ones are refused at once. `routine`: heartbeats with
     * the old key get SUPERSEDED until this time.
     */
    mode: z.enum(REISSUE_MODES),
    oldKeyUntil: instant.nullable(),
  },
  ({ licenseId, oldKeyId, keyId, mode }) => `reissued license ${licenseId}: key ${keyId} for ${oldKeyId} (${mode})`,
  { sealedFor: () => 'installation', takes: ({ keyId }) => [{ scope: 'keyId', key: keyId }], strict: true },
)

/** Fields of the token that a change of the subscription may alter. */
export const licenseTerms = {
  seats: z.int(),
  billingCycle: z.enum(BILLING_CYCLES),
  maxActivations: z.int(),
  graceDays: z.int(),
  expiresAt: instant,
  /** Derived from the two fields before it. */
  graceEndsAt: instant,
  features: licenseFeatures,
}

/** The same license and key with a new token: the subscription changed, or the signing key is compromised. */
export const LicenseResigned = event(
  'LicenseResigned',
  'licenseId',
  { ...idFields, ...signatureFields, changes: z.strictObject(licenseTerms).partial(), reason: z.string() },
  ({ licenseId, reason }) => `signed license ${licenseId} anew (${reason})`,
)

/** Caused by time; a timer only records it. */
export const LicenseEnteredGrace = event(
  'LicenseEnteredGrace',
  'licenseId',
  { ...idFields, expiredAt: instant },
  ({ licenseId, expiredAt }) => `license ${licenseId} expired at ${expiredAt} and is in its grace`,
)

export const LicenseExpired = event(
  'LicenseExpired',
  'licenseId',
  { ...idFields, expiredAt: instant },
  ({ licenseId, expiredAt }) => `license ${licenseId} ended at ${expiredAt}`,
)

export const LicenseKeyRead = event(
  'LicenseKeyRead',
  'licenseId',
  { licenseId: z.uuid(), subscriptionId: z.uuid(), customerId: z.uuid(), keyId: z.string() },
  ({ licenseId }) => `read the key of license ${licenseId}`,
)

/** A lease for a panel without a network. It cannot be revoked before it ends. */
export const LicenseLeasedOffline = event(
  'LicenseLeasedOffline',
  'licenseId',
  { ...idFields, customerId: z.uuid(), instanceId: z.uuid(), expiresAt: instant },
  ({ licenseId, instanceId, expiresAt }) =>
    `leased license ${licenseId} to instance ${instanceId} without a network until ${expiresAt}`,
)

/** A separate stream: reads guard no rule and may be many, and the subscription's stream must stay short. */
export const licenseReads = stream('licenseReads', [LicenseKeyRead, LicenseLeasedOffline])

/** When a license stops working for good: graceDays after expiresAt. RFC 3339. */
export const graceEnd = ({ expiresAt, graceDays }: { expiresAt: string; graceDays: number }): string =>
  daysAfter(expiresAt, graceDays)
