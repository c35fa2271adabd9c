/** History of the panel's own license. Heartbeats are telemetry; changes of the state are events. */
import { z } from 'zod'
import { eventsAbout, sealed, stream } from '#kernel/events/event'

const seconds = z.int().min(0)
const value = z.union([z.boolean(), z.int(), z.string()])
/** A value, or a value with the Unix seconds of its validity (from, to); null: unbounded on that side. */
const features = z.record(z.string(), z.union([value, z.tuple([value, seconds.nullable(), seconds.nullable()])]))

const state = z.enum(['FREE', 'ACTIVE', 'OFFLINE', 'GRACE', 'DEGRADED', 'TAMPERED'])

/** Id of the key, `lic_…`. It names the license where the key itself must stay secret. */
const licenseId = z.string()

const declareEvents = eventsAbout({ licenseId }, () => 'installation')
const events = declareEvents({
  /** Setting a key does not wait for the network. It takes effect with its first activation, maybe later. */
  LicenseKeySet: {
    fields: { licenseKey: sealed(z.string()), from: z.enum(['ADMIN', 'ENVIRONMENT']) },
    sentence: ({ licenseId, from }) =>
      `set license key ${licenseId}${from === 'ENVIRONMENT' ? ', of the environment' : ''}`,
  },
  LicenseStateChanged: {
    fields: {
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
    sentence: ({ licenseId, state, plan, reason }) =>
      `license ${licenseId} of plan ${plan} became ${state}${reason === null ? '' : ` (${reason})`}`,
  },
  LicenseRevalidated: {
    fields: { source: z.enum(['ONLINE', 'CACHE', 'FILE']), state },
    sentence: ({ licenseId, source, state }) => `asked how license ${licenseId} stands: ${state}, ${source}`,
  },
  LicenseRemoved: { fields: {}, sentence: ({ licenseId }) => `removed license key ${licenseId}` },
  /** A reminder that the grace period ends within this number of days, for accounts that may view the license. */
  LicenseGraceReminded: {
    fields: { plan: z.string(), graceUntil: z.iso.datetime(), days: z.int().min(1) },
    sentence: ({ licenseId, graceUntil, days }) =>
      `reminded that the grace of license ${licenseId} ends on ${graceUntil}, within ${days === 1 ? 'a day' : `${days} days`}`,
  },
})

/** One stream for the installation, because it has at most one license and all limits depend on it. */
export const panelLicenseEvents = stream('license', events)
