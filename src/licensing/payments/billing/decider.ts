import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { SubscriptionBillingSet, billingEvents } from './events.ts'

export type Billing = DataOf<typeof SubscriptionBillingSet>

export const billings = decider(billingEvents, {
  initial: undefined as Billing | undefined,
  evolve: { SubscriptionBillingSet: (_before, billing): Billing => billing },
  commands: {
    SetBilling: (state, ask: Billing) =>
      state?.methodRef === ask.methodRef && state.customerRef === ask.customerRef ? [] : [SubscriptionBillingSet(ask)],
  },
})
