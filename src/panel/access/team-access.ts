/** Access rules for routes with a team in their path. */
import type { Kysely } from 'kysely'
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRule } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { teamMemberTable, teamTable } from '#projections/panel/teams'
import { session } from './access.ts'
import { userCallerOf } from './user-caller.ts'

export async function isInTeam(read: Kysely<any>, teamId: string, userId: string): Promise<boolean> {
  const own = teamMemberTable.queryIn(read).select('id').where('teamId', '=', teamId).where('userId', '=', userId)
  return (await own.executeTakeFirst()) !== undefined
}

/** Answers 404 to a caller outside the team, as for a team that does not exist. */
const ruleInTeam =
  (mustOwn: boolean): AccessRule =>
  async ({ read, caller, params }) => {
    const [{ userId }, { id }] = [userCallerOf(caller), params as { readonly id: string }]
    const { ownerId } = found(await teamTable.queryIn(read).select('ownerId').where('id', '=', id).executeTakeFirst())
    if (!(await isInTeam(read, id, userId))) found(undefined)
    if (mustOwn && ownerId !== userId) reject('forbidden', 'Only the owner of the team may do this', 'ROLE_MISSING')
  }

export const inTeam: Access = { ...session, rule: requiring('membership of the team', ruleInTeam(false)) }
export const teamOwner: Access = { ...session, rule: requiring('ownership of the team', ruleInTeam(true)) }
