/** Issues invoices: numbers without gaps, and the recipient sealed apart from the customer's key. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { customers } from '../../customers/decider.ts'
import { payments } from '../../payments/decider.ts'
import type { Payment, Refund } from '../../payments/decider.ts'
import { invoiceNumbers } from '../../payments/invoices/decider.ts'
import { InvoiceIssued, invoiceEvents } from '../../payments/invoices/events.ts'

const DAY_MS = 86_400_000
/**
 * § 286 (3) BGB: a debtor is in default thirty days after the invoice without a reminder; invoices
 * ask for half of that.
 */
const DUE_DAYS = 14

export interface Seller {
  /** One line per entry. */
  readonly seller: readonly string[]
  /** Printed if the seller has not configured any details. */
  readonly baseUrl: string
}

/**
 * For a payment that was paid or is due within two weeks. Repeating it changes nothing; a total of
 * zero has no invoice.
 */
export async function invoicePayment(unit: UnitOfWork, paymentId: string, by: Seller): Promise<void> {
  const payment = (await unit.load(payments, paymentId))!
  if (payment.invoiceNumber !== null || payment.amount + payment.credited === 0) return
  const dueAt = payment.status === 'PAID' ? null : new Date(unit.at.getTime() + DUE_DAYS * DAY_MS).toISOString()
  const { lines, credited, amount: total } = payment
  const { invoiceId, number } = await issue(unit, payment, by, { kind: 'INVOICE', lines, credited, total, dueAt })
  await unit.decide(payments, paymentId, 'InvoicePayment', { invoiceId, invoiceNumber: number })
}

/** @returns the number of the credit note */
export async function issueCreditNote(unit: UnitOfWork, payment: Payment, amount: number, by: Seller): Promise<string> {
  const lines = [{ label: `Given back of invoice ${payment.invoiceNumber ?? '–'}`, amount }]
  const note = { kind: 'CREDIT_NOTE', lines, credited: 0, total: amount, dueAt: null } as const
  return (await issue(unit, payment, by, note)).number
}

/**
 * Reverses the credit note of a refund that failed later.
 * @returns the number of the new invoice
 */
export async function withdrawCreditNote(
  unit: UnitOfWork,
  payment: Payment,
  { amount, creditNote }: Pick<Refund, 'amount' | 'creditNote'>,
  by: Seller,
): Promise<string> {
  const lines = [{ label: `Not given back: credit note ${creditNote ?? '–'}`, amount }]
  return (await issue(unit, payment, by, { kind: 'INVOICE', lines, credited: 0, total: amount, dueAt: null })).number
}

type Content = Pick<Parameters<typeof InvoiceIssued>[0], 'kind' | 'credited' | 'total' | 'dueAt'> & {
  readonly lines: Payment['lines']
}

async function issue(unit: UnitOfWork, payment: Payment, { seller, baseUrl }: Seller, content: Content) {
  const invoiceId = unit.newId()
  const year = unit.at.getUTCFullYear()
  const [numbered] = await unit.decide(invoiceNumbers, String(year), 'NumberInvoice', { invoiceId, year })
  const { number } = numbered!.data
  const buyer = (await unit.look(customers, payment.customerId))!
  const issued = InvoiceIssued({
    ...content,
    invoiceId,
    number,
    corrects: content.kind === 'CREDIT_NOTE' ? payment.invoiceNumber : null,
    customerId: payment.customerId,
    subscriptionId: payment.subscriptionId,
    paymentId: payment.id,
    currency: payment.currency,
    seller: seller.length === 0 ? baseUrl : seller.join('\n'),
    buyerName: buyer.name,
    buyerCompany: buyer.company,
    buyerEmail: buyer.email,
    issuedAt: unit.at.toISOString(),
  })
  unit.appendEvent(invoiceEvents, invoiceId, issued)
  return { invoiceId, number }
}
