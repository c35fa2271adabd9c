/** What became of the panel's own license. The times between two heartbeats are no history; that it is ACTIVE or not any more is. */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'

/** The key's id, `lic_…`: it names the license wherever the key itself must not be shown. */
const licenseId = z.string()
const seconds = z.int().min(0)
const value = z.union([z.boolean(), z.int(), z.string()])
/** A value, or a value with the Unix seconds from and to which it is valid; null: without that end. */
const features = z.record(z.string(), z.union([value, z.tuple([value, seconds.nullable(), seconds.nullable()])]))

const state = z.enum(['FREE', 'ACTIVE', 'OFFLINE', 'GRACE', 'DEGRADED', 'TAMPERED'])

/** It counts from its first activation on, which may come later: whoever sets one waits for no network. */
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
    /** Why it is not ACTIVE; a word of the license client. */
    reason: z.string().nullable(),
    plan: z.string(),
    features,
    expiresAt: z.iso.datetime().nullable(),
    /** When nothing new that is paid for may be made any more, if nobody hears better until then. */
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

/** So many days before the grace ends at the latest, which is when whoever answers for the license is told. */
export const LicenseGraceReminded = event(
  'LicenseGraceReminded',
  'licenseId',
  { licenseId, plan: z.string(), graceUntil: z.iso.datetime(), days: z.int().min(1) },
  ({ licenseId, graceUntil, days }) =>
    `reminded that the grace of license ${licenseId} ends on ${graceUntil}, within ${days === 1 ? 'a day' : `${days} days`}`,
)

/** One stream for the installation: it has one license or none, and whatever is counted is counted against that. */
export const panelLicenseEvents = stream('license', [
  LicenseKeySet,
  LicenseStateChanged,
  LicenseRevalidated,
  LicenseGraceReminded,
  LicenseRemoved,
])
