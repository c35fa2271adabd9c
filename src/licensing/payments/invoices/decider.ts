import { decider } from '#kernel/events/decider'
import { InvoiceNumbered, invoiceNumberEvents } from './events.ts'

const DIGITS = 6

/** `2026-000001` is the first number of its year. */
const numberOf = (year: number, nth: number): string => `${year}-${String(nth).padStart(DIGITS, '0')}`

export const invoiceNumbers = decider(invoiceNumberEvents, {
  initial: 0,
  evolve: { InvoiceNumbered: (given) => given + 1 },
  commands: {
    NumberInvoice: (given, { invoiceId, year }: { invoiceId: string; year: number }) => [
      InvoiceNumbered({ invoiceId, number: numberOf(year, given + 1) }),
    ],
  },
})
