/** The ways into a team: what a route asks of its caller about the team that its path names. */
import type { Access, AccessRule } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { teamMemberTable, teamTable } from '#projections/panel/teams'
import { session } from './access.ts'
import { userCallerOf } from './user-caller.ts'

/** Whoever is not in the team is told what he is told of one that does not exist. */
const ruleInTeam =
  (mustOwn: boolean): AccessRule =>
  async ({ read, caller, params }) => {
    const [{ userId }, { id }] = [userCallerOf(caller), params as { readonly id: string }]
    const { ownerId } = found(await teamTable.queryIn(read).select('ownerId').where('id', '=', id).executeTakeFirst())
    const own = teamMemberTable.queryIn(read).select('id').where('teamId', '=', id).where('userId', '=', userId)
    found(await own.executeTakeFirst())
    if (mustOwn && ownerId !== userId) reject('forbidden', 'Only for the owner of the team', 'ROLE_MISSING')
  }

export const inTeam: Access = { ...session, rule: ruleInTeam(false) }
export const teamOwner: Access = { ...session, rule: ruleInTeam(true) }
