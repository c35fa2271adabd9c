import { z } from 'zod'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { activeInstances } from '#projections/licensing/instances'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { EFFECTIVE_STATUSES, REISSUE_MODES } from './events.ts'

export const instant = z.iso.datetime()

export const License = z
  .object({
    id: z.uuid(),
    keyId: z.string(),
    kid: z.string(),
    seq: z.int(),
    status: z.enum(['ACTIVE', 'SUSPENDED', 'REVOKED']),
    effectiveStatus: z.enum(EFFECTIVE_STATUSES),
    subscriptionId: z.uuid(),
    customerId: z.uuid(),
    planSlug: z.string(),
    seats: z.int(),
    maxActivations: z.int(),
    activeInstances: z.int(),
    issuedAt: instant,
    expiresAt: instant,
    graceEndsAt: instant,
    suspendedAt: instant.nullable(),
    revokedAt: instant.nullable(),
    reason: z.string().nullable(),
    replacedBy: z.uuid().nullable(),
  })
  .meta({ id: 'License' })

export const LicenseKey = z.object({ keyId: z.string(), licenseKey: z.string(), expiresAt: instant })

export const Reissue = z.strictObject({
  mode: z
    .enum(REISSUE_MODES)
    .describe(
      'leaked: the old key and all earlier ones are refused at once; routine: for 72 hours the old key leads a panel to the new one.',
    ),
})

export const LicenseAndKey = z
  .object({ license: License, licenseKey: z.string().optional() })
  .meta({ id: 'LicenseAndKey' })

/** With the effective status and the number of machines of each license. */
export const licenseRows = (read: ReadDatabase, now: Date) =>
  licenseTable
    .queryIn(read)
    .selectAll()
    .select([effectiveStatusAt(now).as('effectiveStatus'), activeInstances.as('activeInstances')])

/** All licenses of a customer, oldest first. */
export async function licensesOf(
  read: ReadDatabase,
  customerId: string,
  now: Date,
): Promise<z.output<typeof License>[]> {
  return licenseRows(read, now).where('customerId', '=', customerId).orderBy('issuedAt').orderBy('id').execute()
}
