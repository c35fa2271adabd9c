import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { customerSubject } from '../../customers/events.ts'
import { AMOUNT_MAX, currency } from '../events.ts'

const amount = z.int().min(1).max(AMOUNT_MAX)
const sealedFor = ({ customerId }: { customerId: string }): string => customerSubject(customerId)

export const CreditGranted = event(
  'CreditGranted',
  'paymentId',
  {
    /** Of the record of type CREDIT. */
    paymentId: z.uuid(),
    customerId: z.uuid(),
    /** What it is given back for; null: staff granted it. */
    subscriptionId: z.uuid().nullable(),
    amount,
    currency,
    reason: sealed(z.string()),
  },
  ({ amount, currency, customerId }) => `granted customer ${customerId} a credit of ${amount} ${currency}`,
  { sealedFor },
)

export const CreditSpent = event(
  'CreditSpent',
  'paymentId',
  { paymentId: z.uuid(), customerId: z.uuid(), amount, currency },
  ({ amount, currency, paymentId }) => `spent ${amount} ${currency} of credit on payment ${paymentId}`,
)

/** The payment that it was spent on was cancelled. */
export const CreditReturned = event(
  'CreditReturned',
  'paymentId',
  { paymentId: z.uuid(), customerId: z.uuid(), amount, currency },
  ({ amount, currency, paymentId }) => `returned ${amount} ${currency} of credit from payment ${paymentId}`,
)

/** One stream a customer: his credit never falls below nothing, whatever is charged at once. */
export const creditEvents = stream('credit', [CreditGranted, CreditSpent, CreditReturned])
