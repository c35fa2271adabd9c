import { z } from 'zod'
import { inState } from '#kernel/http/in-state'
import { route } from '#kernel/http/route'
import { unixSeconds } from '#kernel/lib/timestamps'
import { featuresAt } from '../../license-client/status.ts'
import { platform } from '../access/access.ts'
import { panelLicense } from './decider.ts'
import {
  requestOfflineActivation,
  timestampOf,
  keyIdOf,
  removeLicenseKey,
  revalidateLicense,
  setLicenseKey,
  importLeaseFile,
} from './lifecycle.ts'
import { licenseStore, requireLicenseStore } from './store.ts'
import type { LicenseRecord } from './store.ts'

const CHARACTERS_MAX = 16_384
const FILE_CHARACTERS_MAX = 524_288

const LicenseBody = z.union([
  z.strictObject({
    licenseKey: z.string().min(1).max(CHARACTERS_MAX),
    offline: z
      .boolean()
      .default(false)
      .describe('Contacts no service, and returns an offlineRequest to make a lease file from.'),
  }),
  z.strictObject({ leaseFile: z.string().min(1).max(FILE_CHARACTERS_MAX) }),
])

const LicenseReply = z
  .object({
    status: z.enum(['FREE', 'ACTIVE', 'OFFLINE', 'GRACE', 'DEGRADED', 'TAMPERED']),
    reason: z.string().nullable().describe('Why the status is not ACTIVE.'),
    plan: z.string(),
    features: z.record(z.string(), z.union([z.boolean(), z.int(), z.string()])),
    keyId: z.string().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    graceUntil: z.iso.datetime().nullable().describe('When the status gets worse unless the license is renewed.'),
    lastContactAt: z.iso.datetime().nullable().describe('When the licensing service last answered.'),
    source: z
      .enum(['ONLINE', 'CACHE', 'FILE'])
      .nullable()
      .describe('CACHE: the licensing service did not answer the last request.'),
    refusal: z
      .object({ at: z.iso.datetime(), code: z.string().nullable(), message: z.string() })
      .nullable()
      .describe(
        'Why the licensing service last refused the activation, and what to do. Null: no refusal since the last success.',
      ),
  })
  .meta({ id: 'License' })
type LicenseReply = z.output<typeof LicenseReply>

const HAS_KEY = inState(LicenseReply, { keyId: 'set' })

export const licenseRoutes = [
  route('GET /api/admin/license', {
    does: 'Get the last known status of the panel’s license, without contacting the licensing service.',
    access: platform('license:view'),
    reply: LicenseReply,
    handle: async ({ service, run, now }) => {
      const own = service(licenseStore)
      const set = await run((unit) => unit.look(panelLicense))
      return own ? toLicenseReply(await own.read(), now, set?.licenseId) : FREE
    },
  }),

  route('POST /api/admin/license', {
    does: 'Set or replace the license key and activate it. Without network, use `offline` and then `leaseFile`.',
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
    does: 'Remove the license key, even if the service does not answer. The free tier applies; what exists stays.',
    access: platform('license:manage'),
    from: HAS_KEY,
    reply: LicenseReply,
    handle: async ({ service, run, now }) =>
      toLicenseReply(await removeLicenseKey(requireLicenseStore(service), run), now),
  }),

  route('POST /api/admin/license/revalidate', {
    does: 'Contact the licensing service now. If it does not answer, `source` is CACHE and the status the last known.',
    access: platform('license:manage'),
    from: HAS_KEY,
    reply: LicenseReply,
    handle: async ({ service, run, now }) => {
      const { source, ...known } = await revalidateLicense(requireLicenseStore(service), run)
      return { ...toLicenseReply(known, now), source }
    },
  }),
]

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

/** @param keyId id of a key that was not activated yet */
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
