/** Access rules for routes with a team in their path. */
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRule } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { teamMemberTable, teamTable } from '#projections/panel/teams'
import { session } from './access.ts'
import { userCallerOf } from './user-caller.ts'

export async function isInTeam(read: ReadDatabase, teamId: string, userId: string): Promise<boolean> {
  return (await findRow(read, teamMemberTable, { teamId, userId })) !== undefined
}

/** Answers 404 to a caller outside the team, as for a team that does not exist. */
const ruleInTeam =
  (mustOwn: boolean): AccessRule =>
  async ({ read, caller, params }) => {
    const [{ userId }, { id }] = [userCallerOf(caller), params as { readonly id: string }]
    const { ownerId } = found(await findRow(read, teamTable, { id }))
    if (!(await isInTeam(read, id, userId))) found(undefined)
    if (mustOwn && ownerId !== userId) reject('forbidden', 'Only the owner of the team may do this', 'ROLE_MISSING')
  }

export const inTeam: Access = { ...session, rule: requiring('membership of the team', ruleInTeam(false), ['team']) }
export const teamOwner: Access = {
  ...session,
  rule: requiring('ownership of the team', ruleInTeam(true), ['team-role:OWNER']),
}
