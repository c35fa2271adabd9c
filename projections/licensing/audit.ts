/** The audit trail's queries for the licensing service. */
import type { ReadDatabase } from '#kernel/projections/read-database'
import { readRows } from '#kernel/resource/read-row'
import type { Vault } from '#kernel/vault/vault'
import type { AuditRow } from '#projections/audit-trail'
import { customerTable } from './customers.ts'
import { licenseTable } from './licenses.ts'
import { machineTokenTable } from './machine-tokens.ts'
import { staffTable } from './staff.ts'

type ActorColumns = Pick<AuditRow, 'actorType' | 'actorId'>

/**
 * Readable names of actors, by actor id: an address (staff, customers), a token's name or a
 * license's key id. Unknown actors are missing.
 */
export async function actorLabels(
  read: ReadDatabase,
  vault: Vault,
  rows: readonly ActorColumns[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (type: string) => [...new Set(rows.filter((row) => row.actorType === type).map((row) => row.actorId))]
  const [staffIds, tokenIds, customerIds] = [idsOf('STAFF'), idsOf('TOKEN'), idsOf('CUSTOMER')]
  const staff = await readRows({ read, vault }, staffTable, staffIds)
  const tokens = await readRows({ read, vault }, machineTokenTable, tokenIds)
  const customers = await readRows({ read, vault }, customerTable, customerIds)
  const licenseIds = idsOf('LICENSE')
  const licenses =
    licenseIds.length === 0
      ? []
      : await licenseTable.queryIn(read).select(['id', 'keyId']).where('id', 'in', licenseIds).execute()
  return new Map([
    ...[...staff, ...customers].map(({ id, email }) => [id, email] as const),
    ...tokens.map(({ id, name }) => [id, name] as const),
    ...licenses.map(({ id, keyId }) => [id, keyId] as const),
  ])
}
