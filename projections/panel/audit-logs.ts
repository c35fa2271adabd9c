/** Queries of the panel on the audit trail. */
import type { HandlerContext } from '#kernel/http/route'
import { readRows } from '#kernel/resource/read-row'
import type { AuditRow } from '#projections/audit-trail'
import { apiKeyTable } from './api-keys.ts'
import { userTable } from './users.ts'

type EntryParties = Pick<AuditRow, 'actorType' | 'actorId' | 'subjectType' | 'subjectId'>

/** Labels of actors and subjects by id: an account's address, an API key's name. Erased accounts are missing. */
export async function labelsIn(
  call: Pick<HandlerContext, 'read' | 'vault'>,
  rows: readonly EntryParties[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (actor: string, subject: string) => [
    ...new Set([
      ...rows.filter(({ actorType }) => actorType === actor).map(({ actorId }) => actorId),
      ...rows.filter(({ subjectType }) => subjectType === subject).map(({ subjectId }) => subjectId),
    ]),
  ]
  const [userIds, keyIds] = [idsOf('USER', 'user'), idsOf('API_KEY', 'apiKey')]
  const [users, keys] = [await readRows(call, userTable, userIds), await readRows(call, apiKeyTable, keyIds)]
  return new Map([
    ...users.map(({ id, email }) => [id, email] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ])
}
