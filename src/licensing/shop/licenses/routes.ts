import type { Kysely } from 'kysely'
import { z } from 'zod'
import { answer, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import { pagination, listReply } from '#kernel/http/pagination'
import { enforceLimit } from '#kernel/auth/caller-limits'
import { found } from '#kernel/lib/rejection'
import { effectiveStatusAt } from '#projections/licensing/licenses'
import { LeaseFile } from '../../../license-client/offline.ts'
import { customer } from '../../access/access.ts'
import { customerOf, requireCustomerStepUp } from '../../access/customer-caller.ts'
import { KEY_READ_LIMIT, KEY_ROTATION_LIMIT, OFFLINE_LEASE_LIMIT } from '../../access/customer-limits.ts'
import type { EffectiveStatus } from '../../licenses/events.ts'
import { LEASE_FILE_SECRETS, issueOfflineLease } from '../../workflows/leases/offline-lease.ts'
import { OfflineLeaseRequest } from '../../workflows/leases/offline-input.ts'
import { readLicenseKey, reissueKey } from '../../workflows/subscriptions/license-keys.ts'
import { License, LicenseKey, licenseRows, Reissue } from '../../licenses/views.ts'
import type { LicenseReplyRow } from '../../licenses/views.ts'

/** Why it was taken back is said in the back office's words, and not always for his eyes. */
const OwnLicense = License.omit({ reason: true })

/** Nothing takes a lease file back, so who could leave tomorrow gets a short one. */
const OFFLINE_DAYS_MAX = 31
const OwnOfflineLeaseRequest = OfflineLeaseRequest.extend({ days: z.int().min(1).max(OFFLINE_DAYS_MAX) })

const ownList = pagination({
  filters: { status: License.shape.effectiveStatus.optional(), subscriptionId: uuid.optional() },
  sort: ['issuedAt', 'expiresAt'],
  created: 'issuedAt',
})

const ownRows = (read: Kysely<any>, customerId: string, now: Date) =>
  licenseRows(read, now).where('customerId', '=', customerId)

/** @throws Rejection 404 for what does not exist and for what is another's, alike */
export const ownLicense = async (
  read: Kysely<any>,
  { customerId, id, now }: { customerId: string; id: string; now: Date },
) => found(await ownRows(read, customerId, now).where('id', '=', id).executeTakeFirst())

/** Made anew whenever it is asked for: nothing of a lease file is kept. */
async function leaseFileOf(
  call: HandlerContext<{ id: string }, unknown, z.output<typeof OwnOfflineLeaseRequest>>,
): Promise<LeaseFile> {
  const { read, caller, params, body, now } = call
  const { customerId } = customerOf(caller)
  const { id, subscriptionId } = await ownLicense(read, { customerId, id: params.id, now })
  await enforceLimit(call, OFFLINE_LEASE_LIMIT, customerId)
  return issueOfflineLease(call, { subscriptionId, licenseId: id, ...body })
}

export const shopLicenseRoutes = [
  route('GET /api/shop/licenses', {
    does: 'List my licenses. `status` is the effective one: what commands and the time made of the license.',
    access: customer,
    query: ownList.query,
    reply: listReply(OwnLicense),
    handle: ({ read, caller, query, now }) =>
      ownList.list<LicenseReplyRow>(ownRows(read, customerOf(caller).customerId, now), query, {
        status: (some, status: EffectiveStatus) => some.where(effectiveStatusAt(now), '=', status),
      }),
  }),

  route('GET /api/shop/licenses/:id', {
    does: 'Read a license of mine.',
    access: customer,
    reply: OwnLicense,
    handle: ({ read, caller, params: { id }, now }) =>
      ownLicense(read, { customerId: customerOf(caller).customerId, id, now }),
  }),

  route('GET /api/shop/licenses/:id/key', {
    does: 'Read the signed license key of a license of mine. Needs a proof of who I am of the last five minutes; every read is recorded before the key is answered.',
    access: customer,
    reply: LicenseKey,
    guard: requireCustomerStepUp,
    async handle(call) {
      const { read, caller, params, now } = call
      const { customerId } = customerOf(caller)
      const { id, subscriptionId } = await ownLicense(read, { customerId, id: params.id, now })
      await enforceLimit(call, KEY_READ_LIMIT, customerId)
      return readLicenseKey(call.run, { licenseId: id, subscriptionId })
    },
  }),

  route('POST /api/shop/licenses/:id/offline-activation', {
    does: 'Answer the request that a machine of mine without a network shows with a lease file for it, for at most 31 days. It takes an activation slot. Needs a proof of who I am of the last five minutes; twenty times a day.',
    access: customer,
    body: OwnOfflineLeaseRequest,
    reply: LeaseFile,
    guard: requireCustomerStepUp,
    shownOnce: LEASE_FILE_SECRETS,
    showAgain: leaseFileOf,
    handle: async (call) => answer(await leaseFileOf(call), 200, { 'Cache-Control': 'no-store' }),
  }),

  route('POST /api/shop/licenses/:id/rotate', {
    does: 'Give a license of mine another key. Needs a proof of who I am of the last five minutes; five times a day.',
    access: customer,
    body: Reissue,
    reply: z.object({ license: OwnLicense, licenseKey: z.string() }),
    shownOnce: ['licenseKey'],
    guard: requireCustomerStepUp,
    async handle(call) {
      const { read, caller, params, body, now } = call
      const { customerId } = customerOf(caller)
      const { id } = await ownLicense(read, { customerId, id: params.id, now })
      await enforceLimit(call, KEY_ROTATION_LIMIT, customerId)
      return reissueKey(call, id, body.mode)
    },
  }),
]
