import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { requirePermission } from '#kernel/http/gate'
import { listReply, pagination } from '#kernel/http/pagination'
import { requiring } from '#kernel/http/requirement'
import { answer, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import { exactlyOneOf } from '#kernel/lib/given-fields'
import { found, reject } from '#kernel/lib/rejection'
import { timestamp, isStorableMoment } from '#kernel/lib/timestamps'
import { uuid, uuidv7 } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { sql } from '#kernel/projections/read-model'
import type { Columns, ReadModel } from '#kernel/projections/read-model'
import { bulkTable } from '#projections/licensing/bulk'
import { customerTable } from '#projections/licensing/customers'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { staff } from '../access/access.ts'
import { CUSTOMER_STATUSES } from '../customers/events.ts'
import { EFFECTIVE_STATUSES } from '../licenses/events.ts'
import { SUBSCRIPTION_STATUSES } from '../subscriptions/events.ts'
import { bulk } from './decider.ts'
import { BULK_ACTIONS } from './events.ts'
import type { BulkAction } from './events.ts'
import { addItems, problemsOf, progressOf } from './items.ts'
import { BULK_PERMISSIONS } from './permissions.ts'

const ITEMS_MAX = 10_000
const IDS_MAX = 2_000
const SAMPLE = 20

const text = z.string().min(1).max(100).optional()
const Filter = z.strictObject({
  status: z.enum([...new Set([...CUSTOMER_STATUSES, ...EFFECTIVE_STATUSES, ...SUBSCRIPTION_STATUSES])]).optional(),
  planSlug: text,
  customerId: uuid.optional(),
  expiresBefore: timestamp.optional(),
  createdAfter: timestamp.optional(),
  createdBefore: timestamp.optional(),
})
type Filter = z.output<typeof Filter>

/** The one action that takes `expiresAt`. */
const EXTENSION = 'licenses.extend' satisfies BulkAction

const BulkRequest = exactlyOneOf(
  z.strictObject({
    action: z.enum(BULK_ACTIONS).meta({ 'x-permissions': BULK_PERMISSIONS }),
    ids: z.array(uuid).min(1).max(IDS_MAX).optional(),
    filter: Filter.optional().describe('Instead of ids: every target that matches all of it now, at most 10,000.'),
    reason: reasonSchema(500).nullable().default(null),
    expiresAt: z.iso
      .datetime({ offset: true })
      .refine(isStorableMoment, 'must be a time in the years 1 to 9999 in UTC')
      .optional()
      .meta({ description: `Only for ${EXTENSION}.`, 'x-with': { action: [EXTENSION] } }),
    dryRun: z.boolean().default(false).describe('Only count the targets and list the first of them.'),
  }),
  ['ids', 'filter'],
  'Give either ids or a filter, not both',
)
type BulkRequest = z.output<typeof BulkRequest>

const Bulk = z
  .object({
    id: z.uuid(),
    action: z.enum(BULK_ACTIONS),
    status: z.enum(['RUNNING', 'COMPLETED']),
    total: z.int(),
    done: z.int(),
    skipped: z.int(),
    failed: z.int(),
    reason: z.string().nullable(),
    requestedBy: z.string(),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
    /** The first hundred items that were skipped or failed. */
    problems: z.array(z.object({ target: z.uuid(), status: z.enum(['SKIPPED', 'FAILED']), message: z.string() })),
  })
  .meta({ id: 'Bulk' })

const ListedBulk = Bulk.omit({ problems: true })

const bulkList = pagination({
  filters: { action: z.enum(BULK_ACTIONS).optional(), status: Bulk.shape.status.optional() },
  sort: ['createdAt'],
})

const DryRun = z.object({ action: z.enum(BULK_ACTIONS), total: z.int(), sample: z.array(z.uuid()) })

type Condition = (value: unknown) => RawBuilder<boolean>

interface Target {
  readonly table: Pick<ReadModel<Columns, { readonly id: string }>, 'name' | 'as'>
  /** The conditions of the filter parameters that it takes. */
  readonly filters: (now: Date) => { readonly [Name in keyof Filter]?: Condition }
}

const TARGETS: Readonly<Record<string, Target>> = {
  customers: {
    table: customerTable,
    filters: () => ({
      status: same(customerTable.ref('status')),
      createdAfter: after(customerTable.ref('createdAt')),
      createdBefore: before(customerTable.ref('createdAt')),
    }),
  },
  subscriptions: {
    table: subscriptionTable,
    filters: () => ({
      status: same(subscriptionTable.ref('status')),
      planSlug: same(subscriptionTable.ref('planSlug')),
      customerId: same(subscriptionTable.ref('customerId')),
      createdAfter: after(subscriptionTable.ref('createdAt')),
      createdBefore: before(subscriptionTable.ref('createdAt')),
    }),
  },
  licenses: {
    table: licenseTable,
    filters: (now) => ({
      status: same(effectiveStatusAt(now)),
      planSlug: same(licenseTable.ref('planSlug')),
      customerId: same(licenseTable.ref('customerId')),
      expiresBefore: before(licenseTable.ref('expiresAt')),
      createdAfter: after(licenseTable.ref('issuedAt')),
      createdBefore: before(licenseTable.ref('issuedAt')),
    }),
  },
}

function same(column: RawBuilder<unknown>): Condition {
  return (value) => sql<boolean>`${column} = ${value}`
}
function after(column: RawBuilder<unknown>): Condition {
  return (value) => sql<boolean>`${column} > ${value}`
}
function before(column: RawBuilder<unknown>): Condition {
  return (value) => sql<boolean>`${column} < ${value}`
}

/** @throws Rejection 400 for a filter that the action does not have, or too many targets */
async function targetsOf(read: ReadDatabase, { action, ids, filter }: BulkRequest, now: Date): Promise<string[]> {
  if (ids) return [...new Set(ids)]
  const { table, filters } = TARGETS[action.split('.')[0]!]!
  const conditions = filters(now)
  const all = Object.entries(filter!).flatMap(([name, value]) => {
    const condition = conditions[name as keyof Filter]
    if (!condition) reject('invalid', `${action} does not accept the filter ${name}: remove it`)
    return value === undefined ? [] : [condition(value)]
  })
  const found = await read
    .selectFrom(table.as(table.name))
    .select('id')
    .where((is) => is.and(all))
    .orderBy('id')
    .limit(ITEMS_MAX + 1)
    .execute()
  if (found.length > ITEMS_MAX)
    reject('invalid', `More than ${ITEMS_MAX} targets match: narrow the filter`, 'TOO_MANY_ITEMS')
  return found.map(({ id }) => id)
}

function refuseIncomplete({ action, reason, expiresAt }: BulkRequest): void {
  const needsReason = action === 'licenses.suspend' || action === 'licenses.revoke' || action === 'subscriptions.cancel'
  if (needsReason && reason === null) reject('invalid', `${action} needs a reason: send one`)
  if ((action === EXTENSION) !== (expiresAt !== undefined))
    reject('invalid', `Send expiresAt with ${EXTENSION} and with no other action`)
}

/** The counts are recorded when a bulk action is complete; until then they are counted. */
async function withProgress<Row extends { readonly id: string; readonly status: string }>(
  telemetry: HandlerContext['telemetry'],
  row: Row,
): Promise<Row> {
  return row.status === 'RUNNING' ? { ...row, ...(await progressOf(telemetry, row.id)) } : row
}

export const bulkRoutes = [
  route('POST /api/admin/bulk', {
    does: 'Start one action on many targets, by ids or by a filter. Needs the action’s permission. A dry run only counts them.',
    access: staff(),
    status: [202, 200],
    body: BulkRequest,
    reply: z.union([Bulk, DryRun]),
    guard: requiring(
      'the permission of the action',
      ({ caller, body }: HandlerContext<unknown, unknown, z.output<typeof BulkRequest>>) =>
        requirePermission(caller, BULK_PERMISSIONS[body.action]),
    ),
    async handle({ run, read, telemetry, body, caller, now }) {
      const { action, reason, dryRun } = body
      refuseIncomplete(body)
      const targets = await targetsOf(read, body, now)
      if (dryRun) return answer({ action, total: targets.length, sample: targets.slice(0, SAMPLE) }, 200)
      const bulkId = uuidv7()
      const total = targets.length
      const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt).toISOString()
      await addItems(telemetry, bulkId, targets, now)
      const at = await run(async (unit) => {
        await unit.decide(bulk, bulkId, 'RequestBulk', { bulkId, action, total, reason, expiresAt })
        return unit.at.toISOString()
      })
      const nothingYet = { done: 0, skipped: 0, failed: 0, completedAt: null, problems: [] }
      const status = 'RUNNING' as const
      const requestedBy = caller.actor.id
      return answer({ id: bulkId, action, status, total, reason, requestedBy, createdAt: at, ...nothingYet }, 202)
    },
  }),

  route('GET /api/admin/bulk', {
    does: 'List the bulk actions whose permission I have, newest first.',
    access: staff(),
    query: bulkList.query,
    reply: listReply(ListedBulk),
    async handle({ read, telemetry, query, caller }) {
      const mine = BULK_ACTIONS.filter((action) => caller.can(BULK_PERMISSIONS[action]))
      const rows = bulkTable
        .queryIn(read)
        .selectAll()
        .where(sql<boolean>`action = ANY (${mine})`)
      const page = await bulkList.list(rows, query)
      return { ...page, items: await Promise.all(page.items.map((row) => withProgress(telemetry, row))) }
    },
  }),

  route('GET /api/admin/bulk/:id', {
    does: 'Read the progress of a bulk action and its problems. Needs the permission of the action.',
    access: staff(),
    params: z.object({ id: uuid }),
    reply: Bulk,
    async handle({ read, telemetry, params: { id }, caller }) {
      const row = found(await findRow(read, bulkTable, { id }))
      if (!caller.can(BULK_PERMISSIONS[row.action])) found(undefined)
      return { ...(await withProgress(telemetry, row)), problems: await problemsOf(telemetry, id) }
    },
  }),
]
