/** The audit trail's queries for the licensing service. */
import type { ReadDatabase } from '#kernel/projections/read-database'
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
  const staff =
    staffIds.length === 0 ? [] : await staffTable.queryIn(read).selectAll().where('id', 'in', staffIds).execute()
  const tokens =
    tokenIds.length === 0
      ? []
      : await machineTokenTable.queryIn(read).select(['id', 'name']).where('id', 'in', tokenIds).execute()
  const customers =
    customerIds.length === 0
      ? []
      : await customerTable.queryIn(read).selectAll().where('id', 'in', customerIds).execute()
  const licenseIds = idsOf('LICENSE')
  const licenses =
    licenseIds.length === 0
      ? []
      : await licenseTable.queryIn(read).select(['id', 'keyId']).where('id', 'in', licenseIds).execute()
  const people = [...(await staffTable.open(vault, staff)), ...(await customerTable.open(vault, customers))]
  return new Map([
    ...people.map(({ id, email }) => [id, email] as const),
    ...tokens.map(({ id, name }) => [id, name] as const),
    ...licenses.map(({ id, keyId }) => [id, keyId] as const),
  ])
}
