/** History of the panel's own license. Heartbeats are telemetry; changes of the state are events. */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'

/** Id of the key, `lic_…`. It names the license where the key itself must stay secret. */
const licenseId = z.string()
const seconds = z.int().min(0)
const value = z.union([z.boolean(), z.int(), z.string()])
/** A value, or a value with the Unix seconds of its validity (from, to); null: unbounded on that side. */
const features = z.record(z.string(), z.union([value, z.tuple([value, seconds.nullable(), seconds.nullable()])]))

const state = z.enum(['FREE', 'ACTIVE', 'OFFLINE', 'GRACE', 'DEGRADED', 'TAMPERED'])

/**
 * Setting a key does not wait for the network. The key takes effect with its first activation, which
 * may follow later.
 */
export const LicenseKeySet = event(
  'LicenseKeySet',
  'licenseId',
  { licenseId, licenseKey: sealed(z.string()), from: z.enum(['ADMIN', 'ENVIRONMENT']) },
  ({ licenseId, from }) => `set license key ${licenseId}${from === 'ENVIRONMENT' ? ', of the environment' : ''}`,
  { sealedFor: () => 'installation' },
)

export const LicenseStateChanged = event(
  'LicenseStateChanged',
  'licenseId',
  {
    licenseId,
    state,
    /** Why the state is not ACTIVE: a reason code of the license client. */
    reason: z.string().nullable(),
    plan: z.string(),
    features,
    expiresAt: z.iso.datetime().nullable(),
    /** End of the grace period. After it, the limits of the free tier apply, unless the license is renewed. */
    graceUntil: z.iso.datetime().nullable(),
    source: z.enum(['ONLINE', 'FILE']).nullable(),
  },
  ({ licenseId, state, plan, reason }) =>
    `license ${licenseId} of plan ${plan} became ${state}${reason === null ? '' : ` (${reason})`}`,
)

export const LicenseRevalidated = event(
  'LicenseRevalidated',
  'licenseId',
  { licenseId, source: z.enum(['ONLINE', 'CACHE', 'FILE']), state },
  ({ licenseId, source, state }) => `asked how license ${licenseId} stands: ${state}, ${source}`,
)

export const LicenseRemoved = event(
  'LicenseRemoved',
  'licenseId',
  { licenseId },
  ({ licenseId }) => `removed license key ${licenseId}`,
)

/**
 * A reminder that the grace period ends within this number of days; it notifies the accounts that may
 * view the license.
 */
export const LicenseGraceReminded = event(
  'LicenseGraceReminded',
  'licenseId',
  { licenseId, plan: z.string(), graceUntil: z.iso.datetime(), days: z.int().min(1) },
  ({ licenseId, graceUntil, days }) =>
    `reminded that the grace of license ${licenseId} ends on ${graceUntil}, within ${days === 1 ? 'a day' : `${days} days`}`,
)

/** One stream for the installation, because it has at most one license and all limits depend on it. */
export const panelLicenseEvents = stream('license', [
  LicenseKeySet,
  LicenseStateChanged,
  LicenseRevalidated,
  LicenseGraceReminded,
  LicenseRemoved,
])
