/** The audit trail's queries for the panel. */
import type { Kysely } from 'kysely'
import type { Vault } from '#kernel/vault'
import type { AuditRow } from '#projections/audit-trail'
import { apiKeyTable } from './api-keys.ts'
import { userTable } from './users.ts'

type Acting = Pick<AuditRow, 'actorType' | 'actorId'>

/** What people call the actors of some entries: an account's address, an API key's name. By actor id; who is erased is missing. */
export async function actorLabels(
  read: Kysely<any>,
  vault: Vault,
  rows: readonly Acting[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (type: string) => [...new Set(rows.filter((row) => row.actorType === type).map((row) => row.actorId))]
  const [userIds, keyIds] = [idsOf('USER'), idsOf('API_KEY')]
  const users = userIds.length === 0 ? [] : await userTable.in(read).selectAll().where('id', 'in', userIds).execute()
  const keys = keyIds.length === 0 ? [] : await apiKeyTable.in(read).selectAll().where('id', 'in', keyIds).execute()
  return new Map([
    ...(await userTable.open(vault, users)).map(({ id, email }) => [id, email] as const),
    ...(await apiKeyTable.open(vault, keys)).map(({ id, name }) => [id, name] as const),
  ])
}
