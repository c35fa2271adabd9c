import { z } from 'zod'
import { answer } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { countRows } from '#kernel/projections/count-rows'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { sql } from '#kernel/projections/read-model'
import { wideRead } from '#kernel/projections/wide-reads'
import type { Vault } from '#kernel/vault/vault'
import { auditTrail } from '#projections/audit-trail'
import type { AuditRow } from '#projections/audit-trail'
import { customerTable } from '#projections/licensing/customers'
import type { CustomerRow } from '#projections/licensing/customers'
import { auditedRead } from '../audit/audited-read.ts'
import { CUSTOMER_STATUSES, CustomerExported, customerExports } from '../customers/events.ts'
import { Instance, instancesOf } from '../instances/views.ts'
import { License, licensesOf } from '../licenses/views.ts'
import { PaymentWithRefunds, paymentsOf } from '../payments/views.ts'
import { Subscription, subscriptionsOf } from '../subscriptions/views.ts'
import { Invoice, allInvoicesOf } from './billing/read-invoices.ts'

export const Customer = z
  .object({
    id: z.uuid(),
    /** ERASED, like name and company, if the customer was erased. */
    email: z.string(),
    name: z.string().nullable(),
    company: z.string().nullable(),
    status: z.enum(CUSTOMER_STATUSES),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Customer' })

/** Without addresses and names of the actors, which are other people's data. */
const Entry = z.object({
  position: z.int(),
  at: z.iso.datetime(),
  actor: z.object({ type: z.string(), id: z.string() }),
  action: z.string(),
  subject: z.object({ type: z.string(), id: z.string() }),
  sentence: z.string(),
  meta: z.record(z.string(), z.json()),
})

export const CustomerExport = z.object({
  exportedAt: z.iso.datetime(),
  customer: Customer,
  subscriptions: z.array(Subscription),
  licenses: z.array(License),
  instances: z.array(Instance),
  payments: z.array(PaymentWithRefunds),
  invoices: z.array(Invoice),
  /** Newest first, limited: `auditTotal` is the full number. */
  audit: z.array(Entry),
  auditTotal: z.int(),
})

/** More entries come only from a machine that repeats a request endlessly. */
const AUDIT_ENTRIES_MAX = 10_000

/** @throws Rejection 404 */
export async function readCustomer(
  { read, vault }: { read: ReadDatabase; vault: Vault },
  id: string,
): Promise<CustomerRow> {
  const row = found(await findRow(read, customerTable, { id }))
  const [customer] = await customerTable.open(vault, [row])
  return customer!
}

/**
 * Everything stored about a customer. The export is recorded before it is returned.
 * @throws Rejection 404
 */
export async function exportCustomer(
  { run, read, vault, now }: Pick<HandlerContext, 'run' | 'read' | 'vault' | 'now'>,
  id: string,
) {
  const customer = await readCustomer({ read, vault }, id)
  const [sold, licenses, instances] = await Promise.all([
    subscriptionsOf({ read, vault, now }, id),
    licensesOf(read, id, now),
    instancesOf({ read, vault }, id, now),
  ])
  const [payments, invoices] = await Promise.all([paymentsOf(read, id), allInvoicesOf(read, id)])
  const trail = await entriesAbout(read, [id, ...[...sold, ...licenses, ...instances].map((each) => each.id)])
  await auditedRead(run, async (unit) => unit.appendEvent(customerExports, id, CustomerExported({ customerId: id })))
  const kept = { customer, subscriptions: sold, licenses, instances, payments, invoices, ...trail }
  const bundle = { exportedAt: now.toISOString(), ...kept }
  return answer(bundle, 200, {
    'Cache-Control': 'no-store',
    'Content-Disposition': `attachment; filename="customer-${id}.json"`,
  })
}

async function entriesAbout(read: ReadDatabase, ids: readonly string[]) {
  const about = auditTrail.queryIn(read).where(sql<boolean>`ids && ${sql.val(ids)}::text[]`)
  const [auditTotal, rows] = await wideRead(async (): Promise<[number, AuditRow[]]> => [
    await countRows(about),
    await about.selectAll().orderBy('position', 'desc').limit(AUDIT_ENTRIES_MAX).execute(),
  ])
  const audit = rows.map(({ actorType, actorId, subjectType, subjectId, details, ...entry }) => ({
    ...entry,
    actor: { type: actorType, id: actorId },
    subject: { type: subjectType, id: subjectId },
    meta: details,
  }))
  return { audit, auditTotal }
}
