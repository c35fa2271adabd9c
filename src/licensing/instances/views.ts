import { z } from 'zod'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { instanceTable, instancesAt } from '#projections/licensing/instances'
import type { InstanceRow } from '#projections/licensing/instances'
import { INSTANCE_FLAGS } from './events.ts'

const instant = z.iso.datetime()

export const STATUSES = ['ACTIVE', 'STALE', 'DEACTIVATED'] as const

export const Instance = z
  .object({
    id: z.uuid(),
    /** The present license, or the last one. */
    licenseId: z.uuid(),
    status: z.enum(STATUSES),
    /** Like hostname and ip: ERASED if the customer was erased. */
    name: z.string(),
    hostname: z.string(),
    version: z.string(),
    os: z.string(),
    arch: z.string(),
    /** The address of the last activation or change. */
    ip: z.string().nullable(),
    keyThumbprint: z.string(),
    activatedAt: instant,
    lastHeartbeatAt: instant.nullable(),
    nextHeartbeatDueAt: instant.nullable(),
    deactivatedAt: instant.nullable(),
    deactivatedBy: z.object({ type: z.string(), id: z.string() }).nullable(),
    flags: z.array(z.enum(INSTANCE_FLAGS)),
  })
  .meta({ id: 'Instance' })

/** All instances of a customer's subscriptions, oldest first. */
export async function instancesOf(
  { read, vault }: { readonly read: ReadDatabase; readonly vault: Vault },
  customerId: string,
  now: Date,
): Promise<InstanceRow[]> {
  const all = instancesAt(read, now).where('customerId', '=', customerId).orderBy('activatedAt').orderBy('id')
  return instanceTable.open(vault, await all.execute())
}
