import { z } from 'zod'
import { inState } from '#kernel/http/in-state'
import { listReply, pagination } from '#kernel/http/pagination'
import { answer, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import { exactlyOneOf } from '#kernel/lib/given-fields'
import { found } from '#kernel/lib/rejection'
import { timestamp as comparable } from '#kernel/lib/timestamps'
import { uuid } from '#kernel/lib/uuid'
import { sql } from '#kernel/projections/read-model'
import { effectiveStatusAt } from '#projections/licensing/licenses'
import { LeaseFile } from '../../license-client/offline.ts'
import { staff, staffOrToken } from '../access/access.ts'
import { HistoryReply, historyQuery, recordHistory } from '../audit/record-history.ts'
import { customers, requireActiveCustomer } from '../customers/decider.ts'
import { currentSigningKey } from '../signing-keys/signing-key.ts'
import { subscriptions } from '../subscriptions/decider.ts'
import { OfflineLeaseRequest } from '../workflows/leases/offline-input.ts'
import { LEASE_FILE_SECRETS, issueOfflineLease } from '../workflows/leases/offline-lease.ts'
import { decideSubscription } from '../workflows/subscriptions/decide.ts'
import { issueLicense, planBySlug } from '../workflows/subscriptions/issue-license.ts'
import {
  NOT_STORED,
  decideLicense,
  loadLicenseAndReply,
  readLicenseKey,
  reissueKey,
  replyWithKey,
  subscriptionOf,
} from '../workflows/subscriptions/license-keys.ts'
import type { EffectiveStatus } from './events.ts'
import { ACTIVE_LICENSE, LICENSE_IN_EFFECT, SUSPENDED_LICENSE, UNREVOKED_LICENSE } from './rules.ts'
import { License, LicenseAndKey, LicenseKey, Reissue, licenseRows } from './views.ts'

const anyOffset = z.iso.datetime({ offset: true }).describe('In the future, at most ten years ahead.')

const NewLicense = z.strictObject({
  subscriptionId: uuid,
  expiresAt: anyOffset.optional(),
  maxActivations: z.int().min(1).max(1_000_000).optional(),
})

const Reason = z.strictObject({
  reason: reasonSchema(500).describe('Stored in plain text in the audit trail. Do not put personal data in it.'),
})

const DAYS_MAX = 3_650

const Extension = exactlyOneOf(
  z.strictObject({
    expiresAt: anyOffset.optional(),
    days: z
      .int()
      .min(1)
      .max(DAYS_MAX)
      .optional()
      .describe('Counted from the present end, or from now if the license has ended.'),
  }),
  ['expiresAt', 'days'],
  'must have either expiresAt or days',
)

const licenseList = pagination({
  filters: {
    status: License.shape.effectiveStatus.optional(),
    keyId: z.string().max(64).optional(),
    customerId: uuid.optional(),
    subscriptionId: uuid.optional(),
    expiresBefore: comparable.optional(),
  },
  sort: ['issuedAt', 'expiresAt'],
  created: 'issuedAt',
})

/** Narrows by the indexed customer, because the subscription of a license is not indexed. */
const isOfCustomer = (subscriptionId: string) =>
  sql<boolean>`customer_id = (SELECT sold.customer_id FROM read.subscriptions AS sold WHERE sold.id = ${subscriptionId})`

/** Generated for each request: lease files are not stored. */
async function leaseFileOf(
  call: HandlerContext<{ id: string }, unknown, z.output<typeof OfflineLeaseRequest>>,
): Promise<LeaseFile> {
  const subscriptionId = await subscriptionOf(call.read, call.params.id)
  return issueOfflineLease(call, { subscriptionId, licenseId: call.params.id, ...call.body })
}

export const licenseRoutes = [
  route('GET /api/admin/licenses', {
    does: 'List licenses. `status` is the effective status, which depends on commands and on the time.',
    access: staffOrToken('licenses:view'),
    query: licenseList.query,
    reply: listReply(License),
    handle: async ({ read, query, now }) => {
      return licenseList.list(licenseRows(read, now), query, {
        status: (some, status: EffectiveStatus) => some.where(effectiveStatusAt(now), '=', status),
        subscriptionId: (some, id: string) => some.where('subscriptionId', '=', id).where(isOfCustomer(id)),
        expiresBefore: (some, end: string) => some.where('expiresAt', '<', end),
      })
    },
  }),

  route('GET /api/admin/licenses/:id', {
    does: 'Read a license.',
    access: staffOrToken('licenses:view'),
    reply: License,
    handle: async ({ read, params, now }) =>
      found(await licenseRows(read, now).where('id', '=', params.id).executeTakeFirst()),
  }),

  route('GET /api/admin/licenses/:id/key', {
    does: 'Read the signed license key. Every read is recorded in the audit trail before the key is returned.',
    access: staffOrToken('licenses:view'),
    reply: LicenseKey,
    handle: async ({ run, read, params }) => {
      const subscriptionId = await subscriptionOf(read, params.id)
      return readLicenseKey(run, { licenseId: params.id, subscriptionId })
    },
  }),

  route('POST /api/admin/licenses', {
    does: 'Issue a license for a subscription and revoke the previous one. The cap is the plan’s, or the subscription’s own if higher.',
    access: staffOrToken('licenses:manage'),
    status: 201,
    body: NewLicense,
    reply: z.object({ license: License, licenseKey: z.string() }),
    shownOnce: ['licenseKey'],
    handle: async ({ run, body, baseUrl }) => {
      const { signedWith, ...issued } = await run(async (unit) => {
        const { planSlug, customerId } = found(await unit.load(subscriptions, body.subscriptionId))
        const plan = await planBySlug(unit, planSlug)
        const { license, signedWith: key } = await issueLicense(unit, { ...body, plan, iss: baseUrl })
        requireActiveCustomer(await unit.look(customers, customerId))
        return { signedWith: key, ...(await loadLicenseAndReply(unit, body.subscriptionId, license.id)) }
      })
      return replyWithKey(issued, signedWith, 201)
    },
  }),

  route('POST /api/admin/licenses/:id/offline-lease', {
    does: 'Create a lease file from the request of a panel without a network. It takes an activation slot and cannot be revoked early.',
    access: staff('licenses:manage'),
    from: inState(License, LICENSE_IN_EFFECT),
    body: OfflineLeaseRequest,
    reply: LeaseFile,
    shownOnce: LEASE_FILE_SECRETS,
    showAgain: leaseFileOf,
    handle: async (call) => answer(await leaseFileOf(call), 200, NOT_STORED),
  }),

  route('POST /api/admin/licenses/:id/revoke', {
    does: 'Revoke a license permanently. The reason is stored in plain text in the audit trail: do not put personal data in it.',
    access: staffOrToken('licenses:manage'),
    from: inState(License, UNREVOKED_LICENSE),
    body: Reason,
    reply: License,
    handle: async ({ run, read, params: { id: licenseId }, body }) => {
      const revoked = await decideLicense({ run, read }, licenseId, (unit, subscriptionId) =>
        decideSubscription(unit, subscriptionId, 'RevokeLicense', { licenseId, ...body }),
      )
      return revoked.shown
    },
  }),

  route('POST /api/admin/licenses/:id/suspend', {
    does: 'Suspend a license until it is resumed. Machines learn this at their next heartbeat and keep their slots. Its end does not move.',
    access: staffOrToken('licenses:manage'),
    from: inState(License, ACTIVE_LICENSE),
    body: Reason,
    reply: License,
    handle: async ({ run, read, params: { id: licenseId }, body }) => {
      const suspended = await decideLicense({ run, read }, licenseId, (unit, subscriptionId) =>
        decideSubscription(unit, subscriptionId, 'SuspendLicense', { licenseId, ...body }),
      )
      return suspended.shown
    },
  }),

  route('POST /api/admin/licenses/:id/resume', {
    does: 'Resume a suspended license with the same key. Machines keep their activations.',
    access: staffOrToken('licenses:manage'),
    from: inState(License, SUSPENDED_LICENSE),
    reply: LicenseAndKey,
    shownOnce: ['licenseKey'],
    handle: async ({ run, read, params: { id: licenseId } }) => {
      const resumed = await decideLicense({ run, read }, licenseId, (unit, subscriptionId) =>
        decideSubscription(unit, subscriptionId, 'ResumeLicense', { licenseId }),
      )
      return { license: resumed.shown }
    },
  }),

  route('POST /api/admin/licenses/:id/extend', {
    does: 'Extend a license, also an expired one. The key id stays; machines get the newly signed key at their next heartbeat.',
    access: staffOrToken('licenses:manage'),
    from: inState(License, UNREVOKED_LICENSE),
    body: Extension,
    reply: LicenseAndKey,
    shownOnce: ['licenseKey'],
    handle: async ({ run, read, params: { id: licenseId }, body }) => {
      const { result, ...extended } = await decideLicense({ run, read }, licenseId, async (unit, subscriptionId) => {
        const signedWith = await currentSigningKey(unit)
        await decideSubscription(unit, subscriptionId, 'ExtendLicense', { licenseId, ...body, kid: signedWith.kid })
        return signedWith
      })
      return replyWithKey(extended, result)
    },
  }),

  route('POST /api/admin/licenses/:id/reissue', {
    does: 'Replace a license’s key and secret. The rights of the license stay unchanged.',
    access: staffOrToken('licenses:manage'),
    from: inState(License, UNREVOKED_LICENSE),
    body: Reissue,
    reply: LicenseAndKey,
    shownOnce: ['licenseKey'],
    handle: (call) => reissueKey(call, call.params.id, call.body.mode),
  }),

  route('GET /api/admin/licenses/:id/history', {
    does: 'List the events of a license, newest first, reads of its key included.',
    access: staff('licenses:view'),
    query: historyQuery,
    reply: HistoryReply,
    handle: async (call) => {
      await subscriptionOf(call.read, call.params.id)
      return recordHistory(call)
    },
  }),
]
