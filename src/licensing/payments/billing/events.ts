import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

/** The provider's own ids: they say nothing about a person to anybody else. */
export const SubscriptionBillingSet = event(
  'SubscriptionBillingSet',
  'subscriptionId',
  {
    subscriptionId: z.uuid(),
    customerId: z.uuid(),
    provider: z.string(),
    customerRef: z.string(),
    methodRef: z.string(),
  },
  ({ subscriptionId, provider }) => `subscription ${subscriptionId} is charged by ${provider} from now on`,
)

/** One stream a subscription: by what it is charged when the customer is not there. Apart from its own, whose rules do not ask. */
export const billingEvents = stream('billing', [SubscriptionBillingSet])
