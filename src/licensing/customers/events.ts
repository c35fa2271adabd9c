/** A customer is an account that holds subscriptions. Everything personal about him is sealed with his own key. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/event'

export const CUSTOMER_STATUSES = ['ACTIVE', 'SUSPENDED', 'ERASED'] as const

export const CustomerRegistered = event(
  'CustomerRegistered',
  'customerId',
  {
    customerId: z.uuid(),
    email: sealed(z.string()),
    /** HMAC of the normalised address: one account an address, and yet no address in the log. */
    emailKey: internal(z.string()),
    name: sealed(z.string().nullable()),
    company: sealed(z.string().nullable()),
  },
  ({ customerId }) => `registered customer ${customerId}`,
  {
    sealedFor: ({ customerId }) => `customer/${customerId}`,
    takes: ({ emailKey }) => [{ scope: 'customerEmail', key: emailKey }],
  },
)

/** One stream a customer: no rule spans two customers, and the address is a claim. */
export const customerEvents = stream('customer', [CustomerRegistered])
