import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Unit } from '#kernel/command'
import { answer, route } from '#kernel/http/route'
import type { Call } from '#kernel/http/route'
import { instant as comparable } from '#kernel/instant'
import { listing, pageOf } from '#kernel/listing'
import { found } from '#kernel/rejection'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import type { LicenseRow } from '#projections/licensing/licenses'
import { audited } from '../audited.ts'
import { staffOrToken } from '../identity/access.ts'
import { issueLicense, planCalled } from '../issuing.ts'
import { mintLicenseToken } from '../license-token.ts'
import { signingKeyOf } from '../signing-key.ts'
import { subscriptions } from '../subscriptions/decider.ts'
import { licenseIn } from '../subscriptions/licensed/decider.ts'
import { effectiveStatus } from './decider.ts'
import type { License as LicenseState } from './decider.ts'
import { EFFECTIVE_STATUSES, LicenseKeyRead, licenseReads } from './events.ts'
import type { EffectiveStatus } from './events.ts'

const instant = z.iso.datetime()
const anyOffset = z.iso.datetime({ offset: true })
const uuid = z.uuid().toLowerCase()

export const License = z.object({
  id: z.uuid(),
  keyId: z.string(),
  kid: z.string(),
  seq: z.int(),
  status: z.enum(['ACTIVE', 'SUSPENDED', 'REVOKED']),
  effectiveStatus: z.enum(EFFECTIVE_STATUSES),
  subscriptionId: z.uuid(),
  customerId: z.uuid(),
  planSlug: z.string(),
  seats: z.int(),
  maxActivations: z.int(),
  activeInstances: z.int(),
  issuedAt: instant,
  expiresAt: instant,
  graceEndsAt: instant,
  suspendedAt: instant.nullable(),
  revokedAt: instant.nullable(),
  reason: z.string().nullable(),
  replacedBy: z.uuid().nullable(),
})

export const LicenseKey = z.object({ keyId: z.string(), licenseKey: z.string(), expiresAt: instant })

const NewLicense = z.strictObject({
  subscriptionId: uuid,
  expiresAt: anyOffset.optional(),
  maxActivations: z.int().min(1).max(1_000_000).optional(),
})

const Revocation = z.strictObject({ reason: z.string().trim().min(1).max(500) })

const Id = z.object({ id: uuid })

const licenseList = listing({
  filters: {
    status: License.shape.effectiveStatus.optional(),
    keyId: z.string().max(64).optional(),
    customerId: z.uuid().optional(),
    expiresBefore: comparable.optional(),
  },
  sort: ['issuedAt', 'expiresAt'],
  created: 'issuedAt',
})

/** No machine can activate a license yet. */
export const NOT_YET = { activeInstances: 0 }

const shown = ({ oldKeys: _old, ...license }: LicenseState, at: Date, isHeld = false) => ({
  ...license,
  ...NOT_YET,
  effectiveStatus: effectiveStatus(license, at, isHeld),
})

/** With what is left of each at the moment. */
export const licenseRows = (read: Kysely<any>, now: Date) =>
  licenseTable.in(read).selectAll().select(effectiveStatusAt(now).as('effectiveStatus'))

/** All that a customer was ever given, oldest first. */
export async function licensesOf(
  read: Kysely<any>,
  customerId: string,
  now: Date,
): Promise<z.output<typeof License>[]> {
  const all = await licenseRows(read, now)
    .where('customerId', '=', customerId)
    .orderBy('issuedAt')
    .orderBy('id')
    .execute()
  return all.map((row) => ({ ...row, ...NOT_YET }))
}

/** The stream that a license lives in. @throws Rejection 404 */
async function subscriptionOf(read: Kysely<any>, licenseId: string): Promise<string> {
  const row = await licenseTable.in(read).select('subscriptionId').where('id', '=', licenseId).executeTakeFirst()
  return found(row).subscriptionId
}

export const licenseRoutes = [
  route('GET /api/admin/licenses', {
    does: 'List licenses. `status` is the effective one: what commands and the time made of the license.',
    access: staffOrToken('licenses:view'),
    query: licenseList.query,
    reply: pageOf(License),
    handle: async ({ read, query, now }) => {
      const page = await licenseList.list<LicenseRow & { effectiveStatus: EffectiveStatus }>(
        licenseRows(read, now),
        query,
        {
          status: (some, status: EffectiveStatus) => some.where(effectiveStatusAt(now), '=', status),
          expiresBefore: (some, end: string) => some.where('expiresAt', '<', end),
        },
      )
      return { ...page, items: page.items.map((row) => ({ ...row, ...NOT_YET })) }
    },
  }),

  route('GET /api/admin/licenses/:id', {
    does: 'Read a license.',
    access: staffOrToken('licenses:view'),
    params: Id,
    reply: License,
    handle: async ({ read, params, now }) => ({
      ...found(await licenseRows(read, now).where('id', '=', params.id).executeTakeFirst()),
      ...NOT_YET,
    }),
  }),

  route('GET /api/admin/licenses/:id/key', {
    does: 'Read the signed license key. Every read is recorded in the audit trail before the key is answered.',
    access: staffOrToken('licenses:view'),
    params: Id,
    reply: LicenseKey,
    handle: async ({ run, read, params }) => {
      const subscriptionId = await subscriptionOf(read, params.id)
      return readLicenseKey(run, { licenseId: params.id, subscriptionId })
    },
  }),

  route('POST /api/admin/licenses', {
    does: 'Issue a license for a subscription; its previous one is revoked. The cap of activations is the plan’s, never lower than the subscription had before, whatever is asked.',
    access: staffOrToken('licenses:manage'),
    status: 201,
    body: NewLicense,
    reply: z.object({ license: License, licenseKey: z.string() }),
    handle: async ({ run, body, baseUrl }) => {
      const { license, signedWith, at } = await run(async (unit) => {
        const { planSlug } = found(await unit.load(subscriptions, body.subscriptionId))
        const plan = await planCalled(unit, planSlug)
        return { ...(await issueLicense(unit, { ...body, plan, iss: baseUrl })), at: unit.at }
      })
      return { license: shown(license, at), licenseKey: await mintLicenseToken(license, signedWith) }
    },
  }),

  route('POST /api/admin/licenses/:id/revoke', {
    does: 'Revoke a license for good. The reason is kept in clear in the audit trail, so it should name nobody.',
    access: staffOrToken('licenses:manage'),
    params: Id,
    body: Revocation,
    reply: License,
    handle: async ({ run, read, params, body }) => {
      const subscriptionId = await subscriptionOf(read, params.id)
      return run(async (unit) => {
        await unit.decide(subscriptions, subscriptionId, 'RevokeLicense', { licenseId: params.id, ...body })
        return shown(licenseIn((await unit.load(subscriptions, subscriptionId))!, params.id), unit.at)
      })
    },
  }),
]

/** Recorded in the audit trail before it is answered. */
export async function readLicenseKey(
  run: Call['run'],
  { licenseId, subscriptionId }: { licenseId: string; subscriptionId: string },
) {
  const { license, signedWith } = await audited(run, (unit) => readKey(unit, subscriptionId, licenseId))
  const { keyId, expiresAt } = license
  const licenseKey = await mintLicenseToken(license, signedWith)
  return answer({ keyId, licenseKey, expiresAt }, 200, { 'Cache-Control': 'no-store' })
}

async function readKey(unit: Unit, subscriptionId: string, licenseId: string) {
  const license = licenseIn(found(await unit.look(subscriptions, subscriptionId)), licenseId)
  const { customerId, keyId } = license
  unit.record(licenseReads, licenseId, LicenseKeyRead({ licenseId, subscriptionId, customerId, keyId }))
  return { license, signedWith: await signingKeyOf(unit, license) }
}
