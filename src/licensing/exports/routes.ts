import type { AliasedRawBuilder } from 'kysely'
import { z } from 'zod'
import { requirePermission } from '#kernel/http/gate'
import { pagination } from '#kernel/http/pagination'
import { answer, route, textReply } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { csv } from '#kernel/lib/csv'
import { timestamp } from '#kernel/lib/timestamps'
import type { Columns, ReadModel } from '#kernel/projections/read-model'
import { patientRead } from '#kernel/projections/wide-reads'
import type { RowsOf } from '#kernel/resource/list-route'
import { customerTable } from '#projections/licensing/customers'
import { featureTable } from '#projections/licensing/features'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { planTable } from '#projections/licensing/plans'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { staff } from '../access/access.ts'
import type { Permission } from '../access/permissions.ts'
import { recordExport } from '../audit/audited-read.ts'

const ROWS = 100

type Row = Readonly<Record<string, unknown>>

interface Period {
  readonly createdAfter?: string | undefined
  readonly createdBefore?: string | undefined
}

interface ExportResource {
  readonly permission: Permission
  /** The columns of the export, in order. */
  readonly columns: readonly string[]
  /** One page of opened rows, oldest first. */
  page(
    call: Pick<HandlerContext, 'read' | 'vault' | 'now'>,
    asked: Period,
    cursor: string | null,
  ): Promise<{ rows: readonly object[]; next: string | null }>
}

interface ExportSpec<Column, By> {
  readonly permission: Permission
  /** The sort column. */
  readonly by: By
  readonly columns: readonly Column[]
  /** A column that the query computes. */
  readonly computed?: (now: Date) => AliasedRawBuilder<unknown, 'effectiveStatus'>
}

function exported<
  C extends Columns,
  Name extends string,
  Stored extends Readonly<Record<By | 'id', string>>,
  const By extends string,
>(
  model: ReadModel<C, Stored, Name>,
  { permission, by, columns, computed }: ExportSpec<keyof C | 'effectiveStatus', By>,
): ExportResource {
  const walk = pagination({ filters: {}, sort: [by], created: by })
  return {
    permission,
    columns: columns.map(String),
    async page({ read, vault, now }, asked, cursor) {
      const query = walk.query.parse({ ...asked, sort: by, limit: ROWS, ...(cursor === null ? {} : { cursor }) })
      const stored = model.queryIn(read).selectAll() as RowsOf<Name, Stored>
      const all: RowsOf<Name, Stored> = computed ? stored.select(computed(now)) : stored
      const page = await patientRead(() => walk.list(all, query))
      return { rows: await model.open(vault, page.items), next: 'nextCursor' in page ? page.nextCursor : null }
    },
  }
}

/** The words of a text, as the compiler sees them. */
type WordOf<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | WordOf<Rest> : Text
const words = <const Text extends string>(text: Text) => text.split(' ') as WordOf<Text>[]

const RESOURCES = {
  customers: exported(customerTable, {
    permission: 'customers:view',
    by: 'createdAt',
    columns: words('id email name company status createdAt'),
  }),
  subscriptions: exported(subscriptionTable, {
    permission: 'subscriptions:view',
    by: 'createdAt',
    columns: [
      ...words('id customerId planSlug planVersion status seats billingCycle currentPeriodStart currentPeriodEnd'),
      ...words('trialEndsAt cancelAtPeriodEnd cancelledAt maxActivations reference licenseId createdAt'),
    ],
  }),
  licenses: exported(licenseTable, {
    permission: 'licenses:view',
    by: 'issuedAt',
    columns: [
      ...words('id keyId kid seq status effectiveStatus subscriptionId customerId planSlug seats maxActivations'),
      ...words('issuedAt expiresAt graceEndsAt suspendedAt revokedAt reason replacedBy'),
    ],
    computed: (now) => effectiveStatusAt(now).as('effectiveStatus'),
  }),
  plans: exported(planTable, {
    permission: 'plans:view',
    by: 'createdAt',
    columns: [
      ...words('id slug name active public version currency priceMonthly priceYearly free trialDays maxActivations'),
      ...words('maxSeats graceDays offlineDays heartbeatSeconds reclaimStaleAfterDays features createdAt'),
    ],
  }),
  features: exported(featureTable, {
    permission: 'features:view',
    by: 'createdAt',
    columns: words('id key name type archived createdAt'),
  }),
} as const

type Resource = keyof typeof RESOURCES
const names = Object.keys(RESOURCES) as [Resource, ...Resource[]]

const ExportQuery = z.strictObject({
  format: z.enum(['ndjson', 'csv']).default('ndjson'),
  createdAfter: timestamp.optional(),
  createdBefore: timestamp.optional(),
})

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
  call: Pick<HandlerContext, 'read' | 'vault' | 'now'>,
  resource: Resource,
  { format, ...asked }: z.output<typeof ExportQuery>,
): AsyncIterable<string> {
  const { columns, page } = RESOURCES[resource]
  yield FORMATS[format].head(columns)
  let cursor: string | null = null
  do {
    const { rows, next } = await page(call, asked, cursor)
    const opened = rows as Row[]
    yield FORMATS[format].piece(opened.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))))
    cursor = next
  } while (cursor !== null)
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
