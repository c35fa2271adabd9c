import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

/** The provider's own ids, which are not personal data outside the provider. */
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

/**
 * One stream per subscription: the means of payment for automatic charges. Separate from the
 * subscription's stream, whose rules do not need it.
 */
export const billingEvents = stream('billing', [SubscriptionBillingSet])
