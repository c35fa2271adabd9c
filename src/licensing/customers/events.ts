/** A customer is an account that holds subscriptions. Everything personal about him is sealed with his own key. */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { ProvisioningCompleted } from '../provisioning/events.ts'

export const CUSTOMER_STATUSES = ['ACTIVE', 'SUSPENDED', 'ERASED'] as const

const customerId = z.uuid()
/** HMAC of the normalised address: one account an address. Sealed like the address: once he is erased, even a guess cannot be tried. */
const emailKey = sealed(z.string())

/** Whose key it is that goes when he is erased. */
export const customerSubject = (customerId: string): string => `customer/${customerId}`

/** With his own goes the one that seals the addresses of strangers who tried to sign in as him. */
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

/** What he is called, by himself. */
export const CustomerChanged = event(
  'CustomerChanged',
  'customerId',
  { customerId, ...nameFields },
  ({ customerId }) => `changed the name or company of customer ${customerId}`,
  { sealedFor: ({ customerId }) => customerSubject(customerId) },
)

/** Sold to him otherwise than by provisioning, which has an entry of its own. */
export const CustomerSubscribed = event(
  'CustomerSubscribed',
  'customerId',
  { customerId, subscriptionId: z.uuid() },
  ({ customerId, subscriptionId }) => `sold subscription ${subscriptionId} to customer ${customerId}`,
)

const statusChangeFields = { customerId, reason: z.string().nullable() }

/** Until he is activated again none of his licenses counts, and nothing is sold to him. The reason is kept in clear, so it names nobody. */
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

/** His key is destroyed after it, and what is sealed with it reads ERASED for ever. His address is anybody's again. */
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
 * One stream a customer: nothing is sold to who is erased, and to erase one is to end all that he was sold. So what he is sold
 * stands in here, and whoever sells to him takes his turn. His address is a claim.
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

/** Apart from the customer's stream, which must stay short: reads guard no rule. */
export const customerExports = stream('customerExports', [CustomerExported])
