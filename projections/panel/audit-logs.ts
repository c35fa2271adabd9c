/** Queries of the panel on the audit trail. */
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import type { AuditRow } from '#projections/audit-trail'
import { apiKeyTable } from './api-keys.ts'
import { userTable } from './users.ts'

type EntryParties = Pick<AuditRow, 'actorType' | 'actorId' | 'subjectType' | 'subjectId'>

/**
 * Readable labels of actors and subjects by id: the e-mail address of an account, the name of an API
 * key. Erased accounts are missing.
 */
export async function labelsIn(
  read: ReadDatabase,
  vault: Vault,
  rows: readonly EntryParties[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (actor: string, subject: string) => [
    ...new Set([
      ...rows.filter(({ actorType }) => actorType === actor).map(({ actorId }) => actorId),
      ...rows.filter(({ subjectType }) => subjectType === subject).map(({ subjectId }) => subjectId),
    ]),
  ]
  const [userIds, keyIds] = [idsOf('USER', 'user'), idsOf('API_KEY', 'apiKey')]
  const users =
    userIds.length === 0 ? [] : await userTable.queryIn(read).selectAll().where('id', 'in', userIds).execute()
  const keys =
    keyIds.length === 0 ? [] : await apiKeyTable.queryIn(read).selectAll().where('id', 'in', keyIds).execute()
  return new Map([
    ...(await userTable.open(vault, users)).map(({ id, email }) => [id, email] as const),
    ...(await apiKeyTable.open(vault, keys)).map(({ id, name }) => [id, name] as const),
  ])
}
