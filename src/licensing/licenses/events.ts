/** A license is a subscription's right to run: what its signed token says, how long, and whether it was taken back. */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/event'

const DAY_MS = 86_400_000
const instant = z.iso.datetime()

/** What a license is worth at a moment, strongest word first (licensing.md 2). */
export const EFFECTIVE_STATUSES = ['REVOKED', 'SUSPENDED', 'EXPIRED', 'GRACE', 'ACTIVE'] as const
export type EffectiveStatus = (typeof EFFECTIVE_STATUSES)[number]

export const BILLING_CYCLES = ['MONTHLY', 'YEARLY'] as const

const featureValue = z.union([z.boolean(), z.int(), z.string()])
/** As in the token's claim `ft`: a value, or a value with the Unix seconds from and to which it is valid. */
export const features = z.record(
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
    /** With what follows, everything that the token says: it is minted again from here, byte for byte. */
    keyId: z.string(),
    seq: z.int(),
    kid: z.string(),
    /** The request secret, 32 bytes as base64url. */
    k: sealed(z.string()),
    iss: z.string(),
    planSlug: z.string(),
    planVersion: z.int(),
    features,
    seats: z.int(),
    billingCycle: z.enum(BILLING_CYCLES),
    /** null: nothing was asked. Whatever was, `maxActivations` is what was granted. */
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
    /** The license that was issued in its place. */
    supersededBy: z.uuid().optional(),
  },
  ({ licenseId, supersededBy }) =>
    `revoked license ${licenseId}${supersededBy === undefined ? '' : `, replaced by ${supersededBy}`}`,
  { strict: true },
)

export const LicenseKeyRead = event(
  'LicenseKeyRead',
  'licenseId',
  { licenseId: z.uuid(), subscriptionId: z.uuid(), customerId: z.uuid(), keyId: z.string() },
  ({ licenseId }) => `read the key of license ${licenseId}`,
)

/** Apart from the subscription's stream, which must stay short: reads guard no rule and may be many. */
export const licenseReads = stream('licenseReads', [LicenseKeyRead])

/** When a license stops working for good: its grace days after it expired. RFC 3339. */
export const graceEnd = ({ expiresAt, graceDays }: { expiresAt: string; graceDays: number }): string =>
  new Date(Date.parse(expiresAt) + graceDays * DAY_MS).toISOString()
