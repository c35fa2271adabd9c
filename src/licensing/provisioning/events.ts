import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

/** Says in one entry what the events beside it say in three, and, in the customer's stream, what he has been sold. */
export const ProvisioningCompleted = event(
  'ProvisioningCompleted',
  'subscriptionId',
  {
    subscriptionId: z.uuid(),
    customerId: z.uuid(),
    licenseId: z.uuid(),
    /** False: an account of this address was there before, and was left as it was. */
    customerCreated: z.boolean(),
    /** null: nothing was asked. */
    maxActivationsAsked: z.int().nullable(),
    maxActivations: z.int(),
  },
  ({ subscriptionId, licenseId }) => `provisioned subscription ${subscriptionId} with license ${licenseId}`,
)

export const ProvisioningReplayed = event(
  'ProvisioningReplayed',
  'subscriptionId',
  {
    subscriptionId: z.uuid(),
    customerId: z.uuid(),
    licenseId: z.uuid(),
    /** True: something else was asked than the first time. The answer is the same. */
    requestMismatch: z.boolean(),
  },
  ({ subscriptionId, licenseId }) => `asked again for subscription ${subscriptionId} and got license ${licenseId}`,
)

/** One stream a subscription, apart from its own and from the customer's: a client that retries for ever must not lengthen what rules are decided on. */
export const provisioningReplays = stream('provisioningReplays', [ProvisioningReplayed])
