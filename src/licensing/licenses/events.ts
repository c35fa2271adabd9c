/** What happens to a license without changing it. What changes it stands in its subscription's stream. */
import { z } from 'zod'
import { event, stream } from '#kernel/event'

export const LicenseKeyRead = event(
  'LicenseKeyRead',
  'licenseId',
  { licenseId: z.uuid(), subscriptionId: z.uuid(), customerId: z.uuid(), keyId: z.string() },
  ({ licenseId }) => `read the key of license ${licenseId}`,
)

/** Apart from the subscription's stream, which must stay short: reads guard no rule and may be many. */
export const licenseReads = stream('licenseReads', [LicenseKeyRead])
