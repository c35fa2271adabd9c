import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

/** One audit entry for the three events beside it; in the customer's stream it also records the sale. */
export const ProvisioningCompleted = event(
  'ProvisioningCompleted',
  'subscriptionId',
  {
    subscriptionId: z.uuid(),
    customerId: z.uuid(),
    licenseId: z.uuid(),
    /** False: an account with this address existed and was left unchanged. */
    customerCreated: z.boolean(),
    /** null: none was requested. */
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
    /** True: the request differs from the first one. The reply is the same. */
    requestMismatch: z.boolean(),
  },
  ({ subscriptionId, licenseId }) => `asked again for subscription ${subscriptionId} and got license ${licenseId}`,
)

/**
 * One stream per subscription, separate from the streams that rules use: a client that retries for
 * ever must not lengthen those.
 */
export const provisioningReplays = stream('provisioningReplays', [ProvisioningReplayed])
