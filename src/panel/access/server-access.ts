/** Access rules for routes with a server in their path. They let sessions in, and no keys. */
import { requiring } from '#kernel/http/requirement'
import type { Access, AccessRule, Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { projectMemberTable, projectTeamTable } from '#projections/panel/projects'
import { serverAccessTable } from '#projections/panel/servers'
import type { ServerAccessRow, ServerRow } from '#projections/panel/servers'
import { findServerWithRules } from '#projections/panel/servers/rules'
import { teamMemberTable } from '#projections/panel/teams'
import type { ServerLevel } from '../servers/access/events.ts'
import { levelOf, projectsNamedBy } from '../servers/access/rules.ts'
import type { AccessRule as ServerRule, ServerReach } from '../servers/access/rules.ts'
import { session } from './access.ts'
import { actingUserIdOf, platformReach, rightsIn } from './project-access.ts'
import { canDeploy } from './rights.ts'

const VIEW = 'servers:view'
const MANAGE = 'servers:manage'

/** A server as the caller sees it. */
export interface ServerView {
  /** Its columns are sealed. */
  readonly server: ServerRow
  /** Undefined: the caller may not use the server. */
  readonly level: ServerLevel | undefined
  /** Whether it has no access rule. */
  readonly isOpen: boolean
}

const ownTeams = (read: ReadDatabase, userId: string | null) =>
  teamMemberTable.queryIn(read).select('teamId').where('userId', '=', userId)

const teamIdsOf = async (read: ReadDatabase, userId: string): Promise<string[]> =>
  (await ownTeams(read, userId).execute()).map(({ teamId }) => teamId)

async function deployingIn(read: ReadDatabase, caller: Caller, projectIds: readonly string[]): Promise<Set<string>> {
  const rights = await Promise.all(projectIds.map((id) => rightsIn(read, caller, id)))
  return new Set(projectIds.filter((_id, nth) => canDeploy(rights[nth]!)))
}

/** @param rules those that the reach is asked for */
async function reachOf(read: ReadDatabase, caller: Caller, rules: readonly ServerRule[]): Promise<ServerReach> {
  const [isManager, userId] = [caller.can(MANAGE), actingUserIdOf(caller)]
  if (isManager || rules.length === 0) return { isManager, userId, teamIds: [], projectIds: new Set() }
  const [teamIds, projectIds] = await Promise.all([
    userId === undefined ? [] : teamIdsOf(read, userId),
    deployingIn(read, caller, projectsNamedBy(rules)),
  ])
  return { isManager, userId, teamIds, projectIds }
}

/** @returns undefined if the server does not exist, or the caller may neither view nor use it */
export async function viewServer(read: ReadDatabase, caller: Caller, id: string): Promise<ServerView | undefined> {
  const row = await findServerWithRules(read, { id })
  if (!row) return undefined
  const { rules, ...server } = row
  const level = levelOf(rules ?? [], await reachOf(read, caller, rules ?? []))
  return level !== undefined || caller.can(VIEW) ? { server, level, isOpen: rules === null } : undefined
}

/** Rules that may be about the caller, of all servers. */
function rulesAbout(read: ReadDatabase, caller: Caller) {
  const userId = actingUserIdOf(caller) ?? null
  const rules = serverAccessTable.queryIn(read).selectAll().where('isGone', '=', false)
  const projects = projectMemberTable.queryIn(read).select('projectId').where('userId', '=', userId)
  const byTeams = projectTeamTable.queryIn(read).select('projectId').where('teamId', 'in', ownTeams(read, userId))
  const isEverywhere = platformReach(caller) === 'ADMIN'
  return rules.where((is) =>
    is.or([
      is('userId', '=', userId),
      is('teamId', 'in', ownTeams(read, userId)),
      isEverywhere ? is('projectId', 'is not', null) : is('projectId', 'in', projects),
      is('projectId', 'in', byTeams),
    ]),
  )
}

/** What rules give to the caller, by the id of the server. Undefined: the caller manages all servers. */
export async function ruledLevels(
  read: ReadDatabase,
  caller: Caller,
): Promise<ReadonlyMap<string, ServerLevel> | undefined> {
  if (caller.can(MANAGE)) return undefined
  const rules: ServerAccessRow[] = await rulesAbout(read, caller).execute()
  const reach = await reachOf(read, caller, rules)
  const byServer = Map.groupBy(rules, ({ serverId }) => serverId)
  return new Map(
    [...byServer].flatMap(([serverId, own]): [string, ServerLevel][] => {
      const level = levelOf(own, reach)
      return level === undefined ? [] : [[serverId, level]]
    }),
  )
}

type Question = (view: ServerView, caller: Caller) => boolean

const mayView: Question = ({ level }, caller) => level === 'MANAGE' || caller.can(VIEW)
const mayManage: Question = ({ level }) => level === 'MANAGE'

/** Whether all of a server is shown to the caller. Others that may use it see less. */
export const seesAll = mayView

interface ServerRight {
  readonly words: string
  readonly asks: readonly string[]
  readonly permission: string
  /** Default: all that see the server may. */
  readonly question?: Question
}

/**
 * Answers 404 to a caller that does not see the server, as for a server that does not exist.
 * @param param of the path, which has the id of the server
 */
const onServer = (
  { words, asks, permission, question = () => true }: ServerRight,
  param: 'id' | 'serverId' = 'id',
): Access<ServerView> => {
  const rule: AccessRule<ServerView> = async ({ read, caller, params }) => {
    const view = found(await viewServer(read, caller, (params as Readonly<Record<string, string>>)[param]!))
    if (!question(view, caller))
      reject('forbidden', `Missing permission ${permission}, or MANAGE of this server`, 'PERMISSION_MISSING')
    return view
  }
  return { ...session, rule: requiring(words, rule, asks) }
}

const viewing: ServerRight = {
  words: `the permission \`${VIEW}\`, or MANAGE of the server`,
  asks: [VIEW, 'server:MANAGE'],
  permission: VIEW,
  question: mayView,
}
const managing: ServerRight = {
  words: `the permission \`${MANAGE}\`, or MANAGE of the server`,
  asks: [MANAGE, 'server:MANAGE'],
  permission: MANAGE,
  question: mayManage,
}

export const serverUser = onServer({
  words: `the permission \`${VIEW}\`, or access to the server`,
  asks: [VIEW, 'server:USE', 'server:MANAGE'],
  permission: VIEW,
})
export const serverViewer = onServer(viewing)
export const serverManager = onServer(managing)
export const engineViewer = onServer(viewing, 'serverId')
export const engineManager = onServer(managing, 'serverId')
