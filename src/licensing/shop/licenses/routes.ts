import { z } from 'zod'
import { enforceLimit } from '#kernel/auth/caller-limits'
import { inState } from '#kernel/http/in-state'
import { pagination, listReply } from '#kernel/http/pagination'
import { answer, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { effectiveStatusAt } from '#projections/licensing/licenses'
import { LeaseFile } from '../../../license-client/offline.ts'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { KEY_READ_LIMIT, KEY_ROTATION_LIMIT, OFFLINE_LEASE_LIMIT } from '../../access/customer-limits.ts'
import type { EffectiveStatus } from '../../licenses/events.ts'
import { LICENSE_IN_EFFECT, UNREVOKED_LICENSE } from '../../licenses/rules.ts'
import { License, LicenseKey, licenseRows, Reissue } from '../../licenses/views.ts'
import { OfflineLeaseRequest } from '../../workflows/leases/offline-input.ts'
import { LEASE_FILE_SECRETS, issueOfflineLease } from '../../workflows/leases/offline-lease.ts'
import { readLicenseKey, reissueKey } from '../../workflows/subscriptions/license-keys.ts'

/** Without the reason of a revocation, which staff write for the back office. */
const OwnLicense = License.omit({ reason: true }).meta({ id: 'OwnLicense' })

/** A lease file cannot be revoked, so a customer who may leave soon gets a short one. */
const OFFLINE_DAYS_MAX = 31
const OwnOfflineLeaseRequest = OfflineLeaseRequest.extend({ days: z.int().min(1).max(OFFLINE_DAYS_MAX) })

const ownList = pagination({
  filters: { status: License.shape.effectiveStatus.optional(), subscriptionId: uuid.optional() },
  sort: ['issuedAt', 'expiresAt'],
  created: 'issuedAt',
})

const ownRows = (read: ReadDatabase, customerId: string, now: Date) =>
  licenseRows(read, now).where('customerId', '=', customerId)

/** @throws Rejection 404, the same for unknown ids and for other customers' licenses */
export const ownLicense = async (
  read: ReadDatabase,
  { customerId, id, now }: { customerId: string; id: string; now: Date },
) => found(await ownRows(read, customerId, now).where('id', '=', id).executeTakeFirst())

/** Generated for each request: lease files are not stored. */
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
    does: 'List my licenses. `status` is the effective status, which depends on commands and on the time.',
    access: customer,
    query: ownList.query,
    reply: listReply(OwnLicense),
    handle: ({ read, caller, query, now }) =>
      ownList.list(ownRows(read, customerOf(caller).customerId, now), query, {
        status: (some, status: EffectiveStatus) => some.where(effectiveStatusAt(now), '=', status),
      }),
  }),

  route('GET /api/shop/licenses/:id', {
    does: 'Read one of my licenses.',
    access: customer,
    reply: OwnLicense,
    handle: ({ read, caller, params: { id }, now }) =>
      ownLicense(read, { customerId: customerOf(caller).customerId, id, now }),
  }),

  route('GET /api/shop/licenses/:id/key', {
    does: 'Read the signed key of my license. Needs a proof of identity from the last five minutes. The read is recorded first.',
    access: customer,
    reply: LicenseKey,
    stepUp: true,
    async handle(call) {
      const { read, caller, params, now } = call
      const { customerId } = customerOf(caller)
      const { id, subscriptionId } = await ownLicense(read, { customerId, id: params.id, now })
      await enforceLimit(call, KEY_READ_LIMIT, customerId)
      return readLicenseKey(call.run, { licenseId: id, subscriptionId })
    },
  }),

  route('POST /api/shop/licenses/:id/offline-activation', {
    does: 'Create a lease file for a machine without a network: at most 31 days, 20 times a day. Needs a recent proof of identity.',
    access: customer,
    from: inState(OwnLicense, LICENSE_IN_EFFECT),
    body: OwnOfflineLeaseRequest,
    reply: LeaseFile,
    stepUp: true,
    shownOnce: LEASE_FILE_SECRETS,
    showAgain: leaseFileOf,
    handle: async (call) => answer(await leaseFileOf(call), 200, { 'Cache-Control': 'no-store' }),
  }),

  route('POST /api/shop/licenses/:id/rotate', {
    does: 'Replace the key of my license. Needs a proof of identity from the last five minutes; at most five times a day.',
    access: customer,
    from: inState(OwnLicense, UNREVOKED_LICENSE),
    body: Reissue,
    reply: z.object({ license: OwnLicense, licenseKey: z.string() }),
    shownOnce: ['licenseKey'],
    stepUp: true,
    async handle(call) {
      const { read, caller, params, body, now } = call
      const { customerId } = customerOf(caller)
      const { id } = await ownLicense(read, { customerId, id: params.id, now })
      await enforceLimit(call, KEY_ROTATION_LIMIT, customerId)
      return reissueKey(call, id, body.mode)
    },
  }),
]
