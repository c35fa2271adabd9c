/**
 * Invoices outlive the customer: tax law requires keeping them for ten years and more (§ 147 AO, §
 * 14b UStG), and Article 17(3)(b) GDPR allows it. The recipient is therefore sealed with a key of
 * the invoice, which the erasure of the customer keeps.
 */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { currency, lines } from '../events.ts'

export const INVOICE_KINDS = ['INVOICE', 'CREDIT_NOTE'] as const

export const invoiceSubject = (invoiceId: string): string => `invoice/${invoiceId}`

export const InvoiceNumbered = event(
  'InvoiceNumbered',
  'invoiceId',
  { invoiceId: z.uuid(), number: z.string() },
  ({ invoiceId, number }) => `numbered invoice ${invoiceId} ${number}`,
)

/**
 * One stream per year. Its numbers have no gaps, because a number is assigned in the append that
 * issues its invoice.
 */
export const invoiceNumberEvents = stream('invoices', [InvoiceNumbered])

export const InvoiceIssued = event(
  'InvoiceIssued',
  'invoiceId',
  {
    invoiceId: z.uuid(),
    number: z.string(),
    kind: z.enum(INVOICE_KINDS),
    /** For a credit note: the number of the corrected invoice. */
    corrects: z.string().nullable(),
    customerId: z.uuid(),
    subscriptionId: z.uuid(),
    paymentId: z.uuid(),
    currency,
    /** They add up to the sale; in a credit note, to the refund. */
    lines,
    /** What the customer's credit has paid. */
    credited: z.int(),
    /** The amount to pay or to return. */
    total: z.int(),
    /** The operator's details on the day of the invoice. */
    seller: z.string(),
    buyerName: sealed(z.string().nullable()),
    buyerCompany: sealed(z.string().nullable()),
    buyerEmail: sealed(z.string()),
    issuedAt: z.iso.datetime(),
    /** null: it was paid when it was issued. */
    dueAt: z.iso.datetime().nullable(),
  },
  ({ number, paymentId }) => `issued invoice ${number} for payment ${paymentId}`,
  { sealedFor: ({ invoiceId }) => invoiceSubject(invoiceId) },
)

/** An invoice never changes; the state of its payment is in the payment's stream. */
export const invoiceEvents = stream('invoice', [InvoiceIssued])
