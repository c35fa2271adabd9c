import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import { ProvisioningCompleted } from '../provisioning/events.ts'
import {
  CustomerActivated,
  CustomerChanged,
  CustomerErased,
  CustomerRegistered,
  CustomerSubscribed,
  CustomerSuspended,
  customerEvents,
} from './events.ts'
import type { CUSTOMER_STATUSES } from './events.ts'

type CustomerRegisteredData = DataOf<typeof CustomerRegistered>
type ProvisioningCompletedData = DataOf<typeof ProvisioningCompleted>
type CustomerSubscribedData = DataOf<typeof CustomerSubscribed>

export interface Customer extends Omit<CustomerRegisteredData, 'customerId'> {
  readonly id: string
  readonly status: (typeof CUSTOMER_STATUSES)[number]
  readonly createdAt: string
  /** All subscriptions of the customer, oldest first. */
  readonly subscriptionIds: readonly string[]
}

export const ACTIVE_CUSTOMER = { status: ['ACTIVE'] } as const satisfies States<Customer>
export const UNERASED_CUSTOMER = { status: ['ACTIVE', 'SUSPENDED'] } as const satisfies States<Customer>

/**
 * The customer, if a sale is allowed.
 * @throws Rejection 404, or 409 for a suspended or erased customer
 */
export function requireActiveCustomer(state: Customer | undefined): Customer {
  const customer = found(state)
  const { status } = customer
  if (!fits(customer, ACTIVE_CUSTOMER))
    reject('conflict', `The customer is ${status.toLowerCase()}`, `CUSTOMER_${status}`)
  return customer
}

/** @throws Rejection 404, or 409 for an erased customer */
export function requireUnerasedCustomer(state: Customer | undefined): Customer {
  const customer = found(state)
  if (!fits(customer, UNERASED_CUSTOMER)) reject('conflict', 'The customer is erased', 'CUSTOMER_ERASED')
  return customer
}

const withSubscription = (customer: Customer | undefined, { subscriptionId }: CustomerSubscribedData): Customer => ({
  ...customer!,
  subscriptionIds: [...customer!.subscriptionIds, subscriptionId],
})

const NOTHING_LEFT = { email: 'ERASED', emailKey: 'ERASED', name: null, company: null }

export const customers = decider(customerEvents, {
  initial: undefined as Customer | undefined,
  evolve: {
    CustomerRegistered: (_none, { customerId, ...customer }, at): Customer => ({
      ...customer,
      id: customerId,
      status: 'ACTIVE',
      createdAt: at.toISOString(),
      subscriptionIds: [],
    }),
    CustomerChanged: (customer, { name, company }): Customer => ({ ...customer!, name, company }),
    ProvisioningCompleted: withSubscription,
    CustomerSubscribed: withSubscription,
    CustomerSuspended: (customer): Customer => ({ ...customer!, status: 'SUSPENDED' }),
    CustomerActivated: (customer): Customer => ({ ...customer!, status: 'ACTIVE' }),
    CustomerErased: (customer): Customer => ({ ...customer!, ...NOTHING_LEFT, status: 'ERASED' }),
  },
  commands: {
    RegisterCustomer: (_none, ask: CustomerRegisteredData) => [CustomerRegistered(ask)],
    /** Absent fields stay unchanged. */
    ChangeCustomer: (state, ask: { name?: string | null | undefined; company?: string | null | undefined }) => {
      const { id: customerId, name: oldName, company: oldCompany } = requireActiveCustomer(state)
      const { name = oldName, company = oldCompany } = ask
      return name === oldName && company === oldCompany ? [] : [CustomerChanged({ customerId, name, company })]
    },
    CompleteProvisioning: (state, ask: ProvisioningCompletedData) => {
      requireActiveCustomer(state)
      return [ProvisioningCompleted(ask)]
    },
    SubscribeCustomer: (state, ask: CustomerSubscribedData) => {
      requireActiveCustomer(state)
      return [CustomerSubscribed(ask)]
    },
    SetCustomerStatus: (state, ask: { status: 'ACTIVE' | 'SUSPENDED'; reason: string | null }) => {
      const { id: customerId, status } = requireUnerasedCustomer(state)
      if (status === ask.status) return []
      const { reason } = ask
      return [
        ask.status === 'SUSPENDED'
          ? CustomerSuspended({ customerId, reason })
          : CustomerActivated({ customerId, reason }),
      ]
    },
    /**
     * @param ask the HMAC of the address that the caller confirmed; an erased customer has no
     * address left to compare
     */
    EraseCustomer: (state, ask: Pick<CustomerRegisteredData, 'emailKey'>) => {
      const customer = found(state)
      const { id: customerId, emailKey } = customer
      if (!fits(customer, UNERASED_CUSTOMER)) return []
      if (emailKey !== ask.emailKey)
        reject('invalid', 'confirmEmail is not the address of this customer', 'CONFIRMATION_WRONG')
      return [CustomerErased({ customerId, emailKey })]
    },
  },
})
