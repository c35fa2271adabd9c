import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { answer, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import { timestamp as comparable } from '#kernel/lib/timestamps'
import { pagination, listReply } from '#kernel/http/pagination'
import { reasonSchema } from '#kernel/lib/display-text'
import { found } from '#kernel/lib/rejection'
import { auditTrail } from '#projections/audit-trail'
import type { AuditRow } from '#projections/audit-trail'
import { sql } from '#kernel/projections/read-model'
import { activeInstances } from '#projections/licensing/instances'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import type { LicenseRow } from '#projections/licensing/licenses'
import { LeaseFile, OFFLINE_REQUEST_CHARACTERS_MAX } from '../../license-client/offline.ts'
import { auditedRead } from '../audit/audited-read.ts'
import { requireActiveCustomer, customers } from '../customers/decider.ts'
import { decideSubscription } from '../workflows/subscriptions/decide.ts'
import { staff, staffOrToken } from '../access/access.ts'
import { issueLicense, newKeyIdAndSecret, planBySlug } from '../workflows/subscriptions/issue-license.ts'
import { recordKeyRead } from './record-key-read.ts'
import { mintLicenseToken } from './license-token.ts'
import { LEASE_FILE_SECRETS, OFFLINE_DAYS_MAX, issueOfflineLease } from '../workflows/leases/offline-lease.ts'
import { currentSigningKey } from '../signing-keys/signing-key.ts'
import type { SigningKey } from '../signing-keys/decider.ts'
import { countTakenSlots } from '../instances/slots.ts'
import { subscriptions } from '../subscriptions/decider.ts'
import { licenseIn } from '../subscriptions/license-rules.ts'
import { isLicenseHeld } from '../subscriptions/term-rules.ts'
import { effectiveStatus } from './rules.ts'
import type { License as LicenseState } from './rules.ts'
import { EFFECTIVE_STATUSES, REISSUE_MODES } from './events.ts'
import type { EffectiveStatus } from './events.ts'

const instant = z.iso.datetime()
const anyOffset = z.iso.datetime({ offset: true })

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

const Reason = z.strictObject({
  reason: reasonSchema(500).describe('Kept in clear in the audit trail, so it should name nobody.'),
})

const DAYS_MAX = 3_650
const Extension = z
  .strictObject({
    expiresAt: anyOffset.optional(),
    days: z.int().min(1).max(DAYS_MAX).optional().describe('After its present end, or after now where it has ended.'),
  })
  .refine(
    ({ expiresAt, days }) => (expiresAt === undefined) !== (days === undefined),
    'must hold either expiresAt or days',
  )

export const Reissue = z.strictObject({
  mode: z
    .enum(REISSUE_MODES)
    .describe(
      'leaked: the old key and those before it are dead at once; routine: for 72 hours it still leads a panel to the new one.',
    ),
})

export const LicenseAndKey = z.object({ license: License, licenseKey: z.string().optional() })

/** Without names and addresses of those who acted. */
const Entry = z.object({
  position: z.int(),
  at: instant,
  actor: z.object({ type: z.string(), id: z.string() }),
  action: z.string(),
  sentence: z.string(),
  meta: z.record(z.string(), z.json()),
})

export const OfflineLeaseRequest = z.strictObject({
  /** The text that the panel shows. */
  request: z.string().trim().min(1).max(OFFLINE_REQUEST_CHARACTERS_MAX),
  days: z.int().min(1).max(OFFLINE_DAYS_MAX),
})

const licenseList = pagination({
  filters: {
    status: License.shape.effectiveStatus.optional(),
    keyId: z.string().max(64).optional(),
    customerId: uuid.optional(),
    expiresBefore: comparable.optional(),
  },
  sort: ['issuedAt', 'expiresAt'],
  created: 'issuedAt',
})

const NOT_STORED = { 'Cache-Control': 'no-store' }

const toLicenseReply = (
  { oldKeys: _old, ...license }: LicenseState,
  { at, isHeld, activeInstances }: { at: Date; isHeld: boolean; activeInstances: number },
) => ({ ...license, activeInstances, effectiveStatus: effectiveStatus(license, at, isHeld) })

const historyList = pagination({ filters: {}, sort: ['position'], tie: 'position', created: 'at' })

interface LicenseAndReply {
  readonly license: LicenseState
  readonly shown: z.input<typeof License>
}

/** As a unit's decisions have left it. */
async function loadLicenseAndReply(
  unit: UnitOfWork,
  subscriptionId: string,
  licenseId: string,
): Promise<LicenseAndReply> {
  const subscription = (await unit.load(subscriptions, subscriptionId))!
  const license = licenseIn(subscription, licenseId)
  const customer = await unit.look(customers, license.customerId)
  const isHeld = isLicenseHeld(subscription) || customer?.status === 'SUSPENDED'
  const activeInstances = license.status === 'REVOKED' ? 0 : await countTakenSlots(unit, subscriptionId)
  return { license, shown: toLicenseReply(license, { at: unit.at, isHeld, activeInstances }) }
}

/** Decides about a license in the stream that it lives in. @throws Rejection 404 */
async function decideLicense<Result>(
  { run, read }: Pick<HandlerContext, 'run' | 'read'>,
  licenseId: string,
  decide: (unit: UnitOfWork, subscriptionId: string) => Promise<Result>,
): Promise<LicenseAndReply & { readonly result: Result }> {
  const subscriptionId = await subscriptionOf(read, licenseId)
  return run(async (unit) => {
    const result = await decide(unit, subscriptionId)
    return { result, ...(await loadLicenseAndReply(unit, subscriptionId, licenseId)) }
  })
}

const replyWithKey = async ({ license, shown: answered }: LicenseAndReply, signedWith: SigningKey, status = 200) =>
  answer({ license: answered, licenseKey: await mintLicenseToken(license, signedWith) }, status, NOT_STORED)

export type LicenseReplyRow = LicenseRow & {
  readonly effectiveStatus: EffectiveStatus
  readonly activeInstances: number
}

/** With what is left of each at the moment, and how many machines it runs on. */
export const licenseRows = (read: Kysely<any>, now: Date) =>
  licenseTable
    .queryIn(read)
    .selectAll()
    .select([effectiveStatusAt(now).as('effectiveStatus'), activeInstances.as('activeInstances')])

/** All that a customer was ever given, oldest first. */
export async function licensesOf(
  read: Kysely<any>,
  customerId: string,
  now: Date,
): Promise<z.output<typeof License>[]> {
  return licenseRows(read, now).where('customerId', '=', customerId).orderBy('issuedAt').orderBy('id').execute()
}

/** The stream that a license lives in. @throws Rejection 404 */
async function subscriptionOf(read: Kysely<any>, licenseId: string): Promise<string> {
  const row = await licenseTable.queryIn(read).select('subscriptionId').where('id', '=', licenseId).executeTakeFirst()
  return found(row).subscriptionId
}

/** Made anew whenever it is asked for: nothing of a lease file is kept. */
async function leaseFileOf(
  call: HandlerContext<{ id: string }, unknown, z.output<typeof OfflineLeaseRequest>>,
): Promise<LeaseFile> {
  const subscriptionId = await subscriptionOf(call.read, call.params.id)
  return issueOfflineLease(call, { subscriptionId, licenseId: call.params.id, ...call.body })
}

export const licenseRoutes = [
  route('GET /api/admin/licenses', {
    does: 'List licenses. `status` is the effective one: what commands and the time made of the license.',
    access: staffOrToken('licenses:view'),
    query: licenseList.query,
    reply: listReply(License),
    handle: async ({ read, query, now }) => {
      return licenseList.list<LicenseReplyRow>(licenseRows(read, now), query, {
        status: (some, status: EffectiveStatus) => some.where(effectiveStatusAt(now), '=', status),
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
    does: 'Read the signed license key. Every read is recorded in the audit trail before the key is answered.',
    access: staffOrToken('licenses:view'),
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
    does: 'Answer the request that a panel without a network shows with a lease file for it. The panel takes an activation slot, as if it had called. The lease lasts as many days as asked, but not longer than the license and its grace; until then nothing takes it back.',
    access: staff('licenses:manage'),
    body: OfflineLeaseRequest,
    reply: LeaseFile,
    shownOnce: LEASE_FILE_SECRETS,
    showAgain: leaseFileOf,
    handle: async (call) => answer(await leaseFileOf(call), 200, NOT_STORED),
  }),

  route('POST /api/admin/licenses/:id/revoke', {
    does: 'Revoke a license for good. The reason is kept in clear in the audit trail, so it should name nobody.',
    access: staffOrToken('licenses:manage'),
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
    does: 'Suspend a license until it is resumed: machines learn of it with their next heartbeat and keep their slots. Its time goes on.',
    access: staffOrToken('licenses:manage'),
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
    does: 'Resume a suspended license; no machine has to be activated again. Its key is the one that it had.',
    access: staffOrToken('licenses:manage'),
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
    does: 'Let a license last longer, also one that has expired. Its key id stays; the key is signed anew, and machines get it with their next heartbeat.',
    access: staffOrToken('licenses:manage'),
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
    does: 'Give a license another key, with another secret. What it grants stays as it was.',
    access: staffOrToken('licenses:manage'),
    body: Reissue,
    reply: LicenseAndKey,
    shownOnce: ['licenseKey'],
    handle: (call) => reissueKey(call, call.params.id, call.body.mode),
  }),

  route('GET /api/admin/licenses/:id/history', {
    does: 'What happened to a license, newest first, reads of its key included.',
    access: staff('licenses:view'),
    query: historyList.query,
    reply: listReply(Entry),
    handle: async ({ read, params: { id }, query }) => {
      await subscriptionOf(read, id)
      const about = auditTrail
        .queryIn(read)
        .selectAll()
        .where(sql<boolean>`ids && ARRAY[${id}]::text[]`)
      const own = about.where('subjectId', '=', id)
      const page = await historyList.list<AuditRow>(own, query)
      return { ...page, items: page.items.map(entryOf) }
    },
  }),
]

/** Answers the new key. @throws Rejection 404, or 409 for a license that is revoked */
export async function reissueKey(
  call: Pick<HandlerContext, 'run' | 'read'>,
  licenseId: string,
  mode: z.output<typeof Reissue>['mode'],
) {
  const { result, ...after } = await decideLicense(call, licenseId, async (unit, subscriptionId) => {
    const signedWith = await currentSigningKey(unit)
    const ask = { licenseId, mode, ...newKeyIdAndSecret(), kid: signedWith.kid }
    await decideSubscription(unit, subscriptionId, 'ReissueLicense', ask)
    return signedWith
  })
  return replyWithKey(after, result)
}

/** Recorded in the audit trail before it is answered. */
export async function readLicenseKey(
  run: HandlerContext['run'],
  { licenseId, subscriptionId }: { licenseId: string; subscriptionId: string },
) {
  const { license, signedWith } = await auditedRead(run, (unit) => readKey(unit, subscriptionId, licenseId))
  const { keyId, expiresAt } = license
  const licenseKey = await mintLicenseToken(license, signedWith)
  return answer({ keyId, licenseKey, expiresAt }, 200, NOT_STORED)
}
const entryOf = ({ position, at, actorType, actorId, action, sentence, details }: AuditRow) => ({
  position,
  at,
  actor: { type: actorType, id: actorId },
  action,
  sentence,
  meta: details,
})

const readKey = async (unit: UnitOfWork, subscriptionId: string, licenseId: string) =>
  recordKeyRead(unit, licenseIn(found(await unit.look(subscriptions, subscriptionId)), licenseId))
