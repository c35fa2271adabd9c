import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { CustomerRegistered, customerEvents } from './events.ts'
import type { CUSTOMER_STATUSES } from './events.ts'

type Registered = DataOf<typeof CustomerRegistered>

export interface Customer extends Omit<Registered, 'customerId'> {
  readonly id: string
  readonly status: (typeof CUSTOMER_STATUSES)[number]
  readonly createdAt: string
}

export const customers = decider(customerEvents, {
  initial: undefined as Customer | undefined,
  evolve: {
    CustomerRegistered: (_none, { customerId, ...customer }, at): Customer => ({
      ...customer,
      id: customerId,
      status: 'ACTIVE',
      createdAt: at.toISOString(),
    }),
  },
  commands: {
    RegisterCustomer: (_none, ask: Registered) => [CustomerRegistered(ask)],
  },
})
