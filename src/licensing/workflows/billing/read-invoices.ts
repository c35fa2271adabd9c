/** Reads invoices: those of one customer, or of all for staff. */
import { z } from 'zod'
import { pagination } from '#kernel/http/pagination'
import { answer } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { invoiceTable } from '#projections/licensing/payments'
import type { InvoiceRow } from '#projections/licensing/payments'
import { invoicePdf } from '../../adapters/invoice-pdf.ts'
import { minorUnits } from '../../payments/events.ts'
import { INVOICE_KINDS } from '../../payments/invoices/events.ts'

export const Invoice = z
  .object({
    id: z.uuid(),
    number: z.string(),
    kind: z.enum(INVOICE_KINDS),
    subscriptionId: z.uuid(),
    currency: z.string(),
    lines: z.array(z.object({ label: z.string(), amount: minorUnits })),
    credited: minorUnits,
    total: minorUnits,
    issuedAt: z.iso.datetime(),
    /** null: it was paid when it was issued. */
    dueAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Invoice' })

/** For the route's `query` and for `invoicesOf`. */
export const invoiceList = pagination({ filters: {}, sort: ['issuedAt'], created: 'issuedAt' })

interface InvoiceReader {
  readonly read: ReadDatabase
  readonly vault: Vault
}

/** Newest first. */
export const invoicesOf = (
  { read }: Pick<InvoiceReader, 'read'>,
  customerId: string,
  query: z.output<typeof invoiceList.query>,
) => invoiceList.list(invoiceTable.queryIn(read).selectAll().where('customerId', '=', customerId), query)

/** All of them, oldest first. */
export const allInvoicesOf = (read: ReadDatabase, customerId: string): Promise<InvoiceRow[]> =>
  invoiceTable
    .queryIn(read)
    .selectAll()
    .where('customerId', '=', customerId)
    .orderBy('issuedAt')
    .orderBy('id')
    .execute()

interface WantedInvoice {
  readonly id: string
  /** Absent: of any customer. */
  readonly customerId?: string
}

/** @throws Rejection 404, the same for an unknown invoice and for another customer's */
export async function invoicePdfOf(
  { read, vault }: InvoiceReader,
  { id, customerId }: WantedInvoice,
): Promise<{ number: string; pdf: Buffer }> {
  const invoices = invoiceTable.queryIn(read).selectAll().where('id', '=', id)
  const own = customerId === undefined ? invoices : invoices.where('customerId', '=', customerId)
  const row = found(await own.executeTakeFirst())
  const [invoice] = await invoiceTable.open(vault, [row])
  return { number: row.number, pdf: await invoicePdf(invoice!) }
}

/** As a file to save. @throws as `invoicePdfOf` */
export async function invoiceFile(reader: InvoiceReader, wanted: WantedInvoice) {
  const { number, pdf } = await invoicePdfOf(reader, wanted)
  const disposition = `attachment; filename="invoice-${number}.pdf"`
  return answer(pdf, 200, { 'Cache-Control': 'no-store', 'Content-Disposition': disposition })
}
