import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { featuresAt } from '../../license-client/status.ts'
import { unixSeconds } from '#kernel/lib/timestamps'
import { platform } from '../access/access.ts'
import {
  requestOfflineActivation,
  timestampOf,
  keyIdOf,
  removeLicenseKey,
  revalidateLicense,
  setLicenseKey,
  importLeaseFile,
} from './lifecycle.ts'
import { licenseStore } from './store.ts'
import type { LicenseRecord, LicenseStore } from './store.ts'
import { panelLicense } from './decider.ts'

const CHARACTERS_MAX = 16_384
const FILE_CHARACTERS_MAX = 524_288

const LicenseBody = z.union([
  z.strictObject({
    licenseKey: z.string().min(1).max(CHARACTERS_MAX),
    offline: z.boolean().default(false).describe('Asks nobody, and answers an offlineRequest to make a lease file of.'),
  }),
  z.strictObject({ leaseFile: z.string().min(1).max(FILE_CHARACTERS_MAX) }),
])

const LicenseReply = z.object({
  status: z.enum(['FREE', 'ACTIVE', 'OFFLINE', 'GRACE', 'DEGRADED', 'TAMPERED']),
  reason: z.string().nullable().describe('Why it is not ACTIVE.'),
  plan: z.string(),
  features: z.record(z.string(), z.union([z.boolean(), z.int(), z.string()])),
  keyId: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  graceUntil: z.iso.datetime().nullable().describe('When it turns into something worse unless somebody hears better.'),
  lastContactAt: z.iso.datetime().nullable().describe('When the licensing service last answered.'),
  source: z.enum(['ONLINE', 'CACHE', 'FILE']).nullable().describe('CACHE: nobody answered the last question.'),
  refusal: z
    .object({ at: z.iso.datetime(), code: z.string().nullable(), message: z.string() })
    .nullable()
    .describe(
      'Why the licensing service last refused to activate this panel, and what to do. Null: not since it answered well.',
    ),
})
type LicenseReply = z.output<typeof LicenseReply>

export const licenseRoutes = [
  route('GET /api/admin/license', {
    does: 'How the panel’s license stands, as far as is known; nobody is asked for it.',
    access: platform('license:view'),
    reply: LicenseReply,
    handle: async ({ service, run, now }) => {
      const own = service(licenseStore)
      const set = await run((unit) => unit.look(panelLicense))
      return own ? toLicenseReply(await own.read(), now, set?.licenseId) : FREE
    },
  }),

  route('POST /api/admin/license', {
    does: 'Set or replace the license key. It is activated at once: a key that the licensing service does not take changes nothing. A panel without a network answers an `offlineRequest`, and takes the `leaseFile` that is made of it.',
    access: platform('license:manage'),
    body: LicenseBody,
    reply: LicenseReply.extend({ offlineRequest: z.string().optional() }),
    handle: async ({ service, run, body, now }) => {
      const own = requireLicenseStore(service)
      if ('leaseFile' in body) return toLicenseReply(await importLeaseFile(own, run, body.leaseFile), now)
      if (!body.offline) return toLicenseReply(await setLicenseKey(own, run, body.licenseKey), now)
      const { offlineRequest, ...known } = await requestOfflineActivation(own, run, body.licenseKey)
      return { ...toLicenseReply(known, now, keyIdOf(body.licenseKey)), offlineRequest }
    },
  }),

  route('POST /api/admin/license/remove', {
    does: 'Drop the license key, whether or not the licensing service can be told. The free tier’s limits hold from then on; what there is stays.',
    access: platform('license:manage'),
    reply: LicenseReply,
    handle: async ({ service, run, now }) =>
      toLicenseReply(await removeLicenseKey(requireLicenseStore(service), run), now),
  }),

  route('POST /api/admin/license/revalidate', {
    does: 'Ask the licensing service now. Where it does not answer, the source is CACHE and what is shown is what was known.',
    access: platform('license:manage'),
    reply: LicenseReply,
    handle: async ({ service, run, now }) => {
      const { source, ...known } = await revalidateLicense(requireLicenseStore(service), run)
      return { ...toLicenseReply(known, now), source }
    },
  }),
]

const requireLicenseStore = (given: HandlerContext['service']): LicenseStore =>
  given(licenseStore) ??
  reject(
    'conflict',
    'This panel knows no licensing service: its operator has not set LICENSE_SERVER_URL',
    'LICENSING_NOT_CONFIGURED',
  )

const FREE: LicenseReply = {
  status: 'FREE',
  reason: 'NO_KEY',
  plan: 'free',
  features: {},
  keyId: null,
  expiresAt: null,
  graceUntil: null,
  lastContactAt: null,
  source: null,
  refusal: null,
}

/** @param keyId of a key that was not activated yet */
function toLicenseReply({ memory, standing }: LicenseRecord, now: Date, keyId?: string): LicenseReply {
  const { state, reason, license, until } = standing
  const refusal = memory.refusal && { ...memory.refusal, at: timestampOf(memory.refusal.at)! }
  if (state === 'FREE' || !license) {
    const of = keyId === undefined ? { reason, keyId: null } : { reason: 'NOT_ACTIVATED', keyId }
    return { ...FREE, status: state, ...of, refusal }
  }
  return {
    refusal,
    status: state,
    reason,
    plan: license.plan,
    features: featuresAt(standing, unixSeconds(now)),
    keyId: license.jti,
    expiresAt: timestampOf(license.exp),
    graceUntil: timestampOf(until),
    lastContactAt: timestampOf(memory.lastGoodAt),
    source: standing.source === 'FILE' ? 'FILE' : memory.lastHeartbeat?.ok === true ? 'ONLINE' : 'CACHE',
  }
}
