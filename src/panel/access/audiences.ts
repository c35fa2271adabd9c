/**
 * Who sees the events of a stream in the change feed. A caller receives an event if it could read the same data with
 * a request at that time. Each section declares one audience for each of its streams, in `visibleTo`.
 */
import type { EventType } from '#kernel/events/event'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { FeedAudience } from '#kernel/resource/change-feed'
import { userTable } from '#projections/panel/users'
import { projectEvents } from '../projects/events.ts'
import { serverEvents } from '../servers/events.ts'
import type { PlatformPermission, ProjectPermission } from './permissions.ts'
import { platformReach } from './project-access.ts'
import { canSeeEnvironment, hasPermission } from './rights.ts'
import type { Rights } from './rights.ts'
import { seesAll, viewServer } from './server-access.ts'
import { isInTeam } from './team-access.ts'
import type { UserCaller } from './user-caller.ts'

/** A caller of the change feed, with its current rights. */
export interface FeedViewer {
  readonly caller: UserCaller
  readonly read: ReadDatabase
  rightsIn(projectId: string): Promise<Rights>
}

export type Audience = FeedAudience<FeedViewer>

export const noAccount: Audience = () => false

/** The account that owns the stream. */
export const streamOwner: Audience = ({ caller }, { key }) => caller.userId === key

export const holdersOf =
  (permission: PlatformPermission): Audience =>
  ({ caller }) =>
    caller.can(permission)

export const superadmins: Audience = ({ caller }) => caller.role === 'SUPERADMIN'

export const eitherOf =
  (one: Audience, other: Audience): Audience =>
  async (viewer, happened) =>
    (await one(viewer, happened)) || other(viewer, happened)

/** Only events that change the account list; the use of a second factor, for example, is not one. */
export const accountListViewers: Audience = ({ caller }, { type }) =>
  caller.can('users:view') && userTable.isFedBy(type.type)

/** Project events that need the permission members:manage. */
const OF_MANAGERS: readonly EventType[] = [
  projectEvents.ProjectMemberGrantsChanged,
  projectEvents.ProjectTeamAdded,
  projectEvents.ProjectTeamRemoved,
]

export const projectViewers: Audience = async ({ caller, rightsIn }, { key, type }) => {
  // The project has no members any more. Former members receive an event in their membership streams.
  if (type === projectEvents.ProjectDeleted) return platformReach(caller) !== undefined
  const rights = await rightsIn(key)
  return OF_MANAGERS.includes(type) ? hasPermission(rights, 'members:manage') : rights.length > 0
}

/** For a stream of a project: the caller's assignments must include the environment that the event names. */
export const environmentViewers: Audience = async ({ rightsIn }, { key, data: { environmentId } }) => {
  const rights = await rightsIn(key)
  return typeof environmentId === 'string' ? canSeeEnvironment(rights, environmentId) : rights.length > 0
}

/** For a stream of an environment, which its events name with the project. */
const inEnvironmentWith =
  (permission: ProjectPermission): Audience =>
  async ({ rightsIn }, { data: { projectId, environmentId } }) =>
    typeof projectId === 'string' &&
    typeof environmentId === 'string' &&
    hasPermission(await rightsIn(projectId), permission, environmentId)

/** Of an application that was moved away from where they see it. */
const formerViewers: Audience = async ({ rightsIn }, { data: { fromProjectId, fromEnvironmentId } }) =>
  typeof fromProjectId === 'string' &&
  typeof fromEnvironmentId === 'string' &&
  hasPermission(await rightsIn(fromProjectId), 'apps:view', fromEnvironmentId)

export const applicationViewers = eitherOf(inEnvironmentWith('apps:view'), formerViewers)
export const variableViewers = inEnvironmentWith('apps:env')
export const deploymentViewers = inEnvironmentWith('deployments:view')

export const teamMembers: Audience = ({ caller, read }, { key }) => isInTeam(read, key, caller.userId)

/** Server events that change what a caller sees that may only use the server. */
const OF_SERVER_USERS: readonly EventType[] = [
  serverEvents.ServerAdded,
  serverEvents.ServerChanged,
  serverEvents.ServerRegistered,
  serverEvents.ServerWentOffline,
  serverEvents.ServerCameBack,
  serverEvents.ServerReset,
]

export const serverViewers: Audience = async ({ caller, read }, { key, type }) => {
  // The server has no rules any more. It is gone from the lists of its users with their next request.
  if (type === serverEvents.ServerRemoved) return caller.can('servers:view')
  const view = await viewServer(read, caller, key)
  return view !== undefined && (seesAll(view, caller) || OF_SERVER_USERS.includes(type))
}

export const serverRuleViewers: Audience = async ({ caller, read }, { key }) => {
  const view = await viewServer(read, caller, key)
  return view !== undefined && seesAll(view, caller)
}

/** A cheap check before rights are read: whether the account can see events of this stream at all. */
export const canConcern = (userId: string, audience: Audience, key: string): boolean =>
  audience !== noAccount && (audience !== streamOwner || key === userId)
