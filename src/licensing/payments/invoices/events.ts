/**
 * Invoices outlive the customer: tax law has them kept for ten years and more (§ 147 AO, § 14b UStG), and Article 17(3)(b) GDPR
 * lets them be kept. So whom one was made out to is sealed with a key of the invoice's own, which erasing the customer leaves.
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

/** One stream a year: its numbers have no gaps, because one is given in the append that issues its invoice. */
export const invoiceNumberEvents = stream('invoices', [InvoiceNumbered])

export const InvoiceIssued = event(
  'InvoiceIssued',
  'invoiceId',
  {
    invoiceId: z.uuid(),
    number: z.string(),
    kind: z.enum(INVOICE_KINDS),
    /** Of the invoice that a credit note belongs to. */
    corrects: z.string().nullable(),
    customerId: z.uuid(),
    subscriptionId: z.uuid(),
    paymentId: z.uuid(),
    currency,
    /** They add up to what was sold; of a credit note, to what was given back. */
    lines,
    /** What the customer's credit has paid of it. */
    credited: z.int(),
    /** To be paid, or given back. */
    total: z.int(),
    /** As the operator had named himself on that day. */
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

/** An invoice never changes; what its payment became is the payment's. */
export const invoiceEvents = stream('invoice', [InvoiceIssued])
