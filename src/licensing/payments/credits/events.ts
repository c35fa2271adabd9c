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
    /** The payment record of type CREDIT. */
    paymentId: z.uuid(),
    customerId: z.uuid(),
    /** The subscription that the credit was given for; null: granted by staff. */
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

/** The payment that used the credit was cancelled. */
export const CreditReturned = event(
  'CreditReturned',
  'paymentId',
  { paymentId: z.uuid(), customerId: z.uuid(), amount, currency },
  ({ amount, currency, paymentId }) => `returned ${amount} ${currency} of credit from payment ${paymentId}`,
)

/** One stream per customer, so that concurrent charges never make the credit negative. */
export const creditEvents = stream('credit', [CreditGranted, CreditSpent, CreditReturned])
