import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { pagination } from '#kernel/http/pagination'
import { answer, route, textReply } from '#kernel/http/route'
import type { HandlerContext, Caller } from '#kernel/http/route'
import { csv } from '#kernel/lib/csv'
import { reject } from '#kernel/lib/rejection'
import { timestamp } from '#kernel/lib/timestamps'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { ReadModel } from '#kernel/projections/read-model'
import { patientRead } from '#kernel/projections/wide-reads'
import { customerTable } from '#projections/licensing/customers'
import { featureTable } from '#projections/licensing/features'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { planTable } from '#projections/licensing/plans'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { staff } from '../access/access.ts'
import type { Permission } from '../access/permissions.ts'
import { recordExport } from '../audit/audited-read.ts'

const ROWS = 100

type Rows = SelectQueryBuilder<any, any, any>

interface ExportResource {
  readonly permission: Permission
  readonly model: ReadModel
  /** The sort column: rows are read oldest first. */
  readonly by: string
  /** The columns of the export, in order. */
  readonly columns: readonly string[]
  readonly rows?: (rows: Rows, now: Date) => Rows
}

const splitWords = (words: string): readonly string[] => words.split(' ')

const RESOURCES = {
  customers: {
    permission: 'customers:view',
    model: customerTable,
    by: 'createdAt',
    columns: ['id', 'email', 'name', 'company', 'status', 'createdAt'],
  },
  subscriptions: {
    permission: 'subscriptions:view',
    model: subscriptionTable,
    by: 'createdAt',
    columns: splitWords(
      'id customerId planSlug planVersion status seats billingCycle currentPeriodStart currentPeriodEnd ' +
        'trialEndsAt cancelAtPeriodEnd cancelledAt maxActivations reference licenseId createdAt',
    ),
  },
  licenses: {
    permission: 'licenses:view',
    model: licenseTable,
    by: 'issuedAt',
    columns: splitWords(
      'id keyId kid seq status effectiveStatus subscriptionId customerId planSlug seats maxActivations ' +
        'issuedAt expiresAt graceEndsAt suspendedAt revokedAt reason replacedBy',
    ),
    rows: (rows, now) => rows.select(effectiveStatusAt(now).as('effectiveStatus')),
  },
  plans: {
    permission: 'plans:view',
    model: planTable,
    by: 'createdAt',
    columns: splitWords(
      'id slug name active public version currency priceMonthly priceYearly free trialDays maxActivations maxSeats ' +
        'graceDays offlineDays heartbeatSeconds reclaimStaleAfterDays features createdAt',
    ),
  },
  features: {
    permission: 'features:view',
    model: featureTable,
    by: 'createdAt',
    columns: ['id', 'key', 'name', 'type', 'archived', 'createdAt'],
  },
} as const satisfies Record<string, ExportResource>

type Resource = keyof typeof RESOURCES
const names = Object.keys(RESOURCES) as [Resource, ...Resource[]]

const ExportQuery = z.strictObject({
  format: z.enum(['ndjson', 'csv']).default('ndjson'),
  createdAfter: timestamp.optional(),
  createdBefore: timestamp.optional(),
})

type Row = Readonly<Record<string, unknown>>

const FORMATS = {
  ndjson: {
    type: 'application/x-ndjson',
    head: (_columns: readonly string[]) => '',
    piece: (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: (columns: readonly string[]) => csv([columns]),
    piece: (rows: readonly Row[]) => csv(rows.map((row) => Object.values(row))),
  },
}

/**
 * Oldest first, one page at a time and only on demand, so that memory does not depend on the
 * length.
 */
async function* exportLines(
  { read, vault, now }: Pick<HandlerContext, 'read' | 'vault' | 'now'>,
  resource: Resource,
  { format, ...ask }: z.output<typeof ExportQuery>,
): AsyncIterable<string> {
  const { model, by, columns, rows: more }: ExportResource = RESOURCES[resource]
  const walk = pagination({ filters: {}, sort: [by], created: by })
  const all = exportRows(read, model, (rows) => more?.(rows, now) ?? rows)
  yield FORMATS[format].head(columns)
  let cursor: string | null = null
  do {
    const query = walk.query.parse({ ...ask, sort: by, limit: ROWS, ...(cursor === null ? {} : { cursor }) })
    const page = await patientRead(() => walk.list(all, query))
    const opened = (await model.open(vault, page.items)) as Row[]
    yield FORMATS[format].piece(opened.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))))
    cursor = 'nextCursor' in page ? page.nextCursor : null
  } while (cursor !== null)
}

const exportRows = (read: ReadDatabase, model: ReadModel, more: (rows: Rows) => Rows): Rows =>
  more(model.queryIn(read).selectAll())

function requirePermission({ can }: Caller, permission: Permission): void {
  if (!can(permission)) reject('forbidden', `Missing permission ${permission}`, 'PERMISSION_MISSING')
}

export const exportRoutes = [
  route('GET /api/admin/exports/:resource', {
    does: 'Export all customers, subscriptions, licenses, plans or features, oldest first, as NDJSON or CSV. Each export is recorded first.',
    access: staff(),
    params: z.object({ resource: z.enum(names) }),
    query: ExportQuery,
    reply: textReply('application/x-ndjson', 'text/csv; charset=utf-8'),
    async handle(call) {
      const { resource } = call.params
      const { format } = call.query
      requirePermission(call.caller, RESOURCES[resource].permission)
      await recordExport(call.run, { resource, format })
      return answer(exportLines(call, resource, call.query), 200, {
        'Content-Type': FORMATS[format].type,
        'Content-Disposition': `attachment; filename="${resource}.${format}"`,
      })
    },
  }),
]
