/**
 * A customer is an account that holds subscriptions. All personal data is sealed with the
 * customer's own key.
 */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { ProvisioningCompleted } from '../provisioning/events.ts'

export const CUSTOMER_STATUSES = ['ACTIVE', 'SUSPENDED', 'ERASED'] as const

const customerId = z.uuid()
/**
 * HMAC of the normalised address, for the unique constraint of one account per address. Sealed, so
 * that after an erasure guesses cannot be tested against it.
 */
const emailKey = sealed(z.string())

/** The vault subject whose key is destroyed when the customer is erased. */
export const customerSubject = (customerId: string): string => `customer/${customerId}`

/** The customer's key, and the key that seals the addresses of failed sign-ins to the account. */
export const erasedSubjects = (customerId: string): string[] => [customerSubject(customerId), `anonymous/${customerId}`]

interface Addressed {
  readonly customerId: string
  readonly emailKey: string
}
const sealedFor = ({ customerId }: Addressed): string => customerSubject(customerId)
const emailConstraint = ({ emailKey }: Addressed) => [{ scope: 'customerEmail', key: emailKey }]

const nameFields = { name: sealed(z.string().nullable()), company: sealed(z.string().nullable()) }

export const CustomerRegistered = event(
  'CustomerRegistered',
  'customerId',
  {
    customerId,
    email: sealed(z.string()),
    emailKey,
    ...nameFields,
  },
  ({ customerId }) => `registered customer ${customerId}`,
  { sealedFor, takes: emailConstraint },
)

export const CustomerChanged = event(
  'CustomerChanged',
  'customerId',
  { customerId, ...nameFields },
  ({ customerId }) => `changed the name or company of customer ${customerId}`,
  { sealedFor: ({ customerId }) => customerSubject(customerId) },
)

/** Sold in any way other than provisioning, which has its own audit entry. */
export const CustomerSubscribed = event(
  'CustomerSubscribed',
  'customerId',
  { customerId, subscriptionId: z.uuid() },
  ({ customerId, subscriptionId }) => `sold subscription ${subscriptionId} to customer ${customerId}`,
)

const statusChangeFields = { customerId, reason: z.string().nullable() }

/**
 * Until the customer is activated again, all licenses are suspended and no sale is possible. The
 * reason is stored in plain text, so it must not contain personal data.
 */
export const CustomerSuspended = event(
  'CustomerSuspended',
  'customerId',
  statusChangeFields,
  ({ customerId, reason }) => `suspended customer ${customerId}${reason === null ? '' : ` (${reason})`}`,
  { strict: true },
)

export const CustomerActivated = event(
  'CustomerActivated',
  'customerId',
  statusChangeFields,
  ({ customerId, reason }) => `activated customer ${customerId}${reason === null ? '' : ` (${reason})`}`,
)

/**
 * The key is destroyed after this event; sealed fields then read ERASED for ever. The address
 * becomes free for a new account.
 */
export const CustomerErased = event(
  'CustomerErased',
  'customerId',
  { customerId, emailKey },
  ({ customerId }) => `erased customer ${customerId}`,
  { sealedFor, releases: emailConstraint, strict: true },
)

export const CustomerExported = event(
  'CustomerExported',
  'customerId',
  { customerId },
  ({ customerId }) => `exported everything about customer ${customerId}`,
)

/**
 * One stream per customer: an erased customer cannot be sold anything, and erasing ends every
 * subscription. So each sale appends an event here and conflicts with a concurrent erasure. The
 * address is a unique constraint.
 */
export const customerEvents = stream('customer', [
  CustomerRegistered,
  CustomerChanged,
  ProvisioningCompleted,
  CustomerSubscribed,
  CustomerSuspended,
  CustomerActivated,
  CustomerErased,
])

/** A separate stream: reads guard no rule, and the customer's stream must stay short. */
export const customerExports = stream('customerExports', [CustomerExported])
