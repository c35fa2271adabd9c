/**
 * Who hears of what in the change feed: whoever could read the same thing with a request of his own, at the moment in which it is
 * told. Every stream of the panel stands here, and one that does not is told to nobody.
 */
import type { Kysely } from 'kysely'
import type { EventType, Stream } from '#kernel/events/event'
import type { JsonObject } from '#kernel/events/store-port'
import { teamMemberTable } from '#projections/panel/teams'
import { userTable } from '#projections/panel/users'
import { apiKeyEvents } from '../api-keys/events.ts'
import { userLinkRequestEvents, userLoginEvents, userSessionEvents } from '../auth/events.ts'
import { sseTokenEvents } from '../auth/sse-token/events.ts'
import { configEvents } from '../config/events.ts'
import type { PlatformPermission } from '../access/permissions.ts'
import { platformReach } from '../access/project-access.ts'
import { hasPermission, canSeeEnvironment } from '../access/rights.ts'
import type { Rights } from '../access/rights.ts'
import type { UserCaller } from '../access/user-caller.ts'
import { panelLicenseEvents } from '../license/events.ts'
import { notificationEvents } from '../notifications/events.ts'
import { projectEnvironmentEvents } from '../projects/environments/events.ts'
import {
  ProjectDeleted,
  ProjectMemberGrantsChanged,
  ProjectTeamAdded,
  ProjectTeamRemoved,
  projectEvents,
} from '../projects/events.ts'
import { projectMembershipEvents, projectRosterEvents } from '../projects/roster/events.ts'
import { projectQuotas, quotaDefaults, userQuotas } from '../quotas/records.ts'
import { adminRoles } from '../roles/resource.ts'
import { settingEvents } from '../settings/events.ts'
import { teamEvents, teamMembershipEvents } from '../teams/events.ts'
import { userEvents, userPreferenceEvents, userRosterEvents } from '../users/events.ts'

/** Somebody who listens, as he is now. */
export interface FeedViewer {
  readonly caller: UserCaller
  readonly read: Kysely<any>
  rightsIn(projectId: string): Promise<Rights>
}

export interface FeedEvent {
  /** Of the stream: `project-<key>`; empty where there is one for the installation. */
  readonly key: string
  readonly type: EventType
  readonly data: JsonObject
}

type Audience = (listener: FeedViewer, happened: FeedEvent) => boolean | Promise<boolean>

const nobody: Audience = () => false

/** Whose stream it is. */
const self: Audience = ({ caller }, { key }) => caller.userId === key

const holding =
  (permission: PlatformPermission): Audience =>
  ({ caller }) =>
    caller.can(permission)

const either =
  (one: Audience, other: Audience): Audience =>
  async (listener, happened) =>
    (await one(listener, happened)) || other(listener, happened)

const superadmins: Audience = ({ caller }) => caller.role === 'SUPERADMIN'

/** Of an account what its list shows, and not when somebody uses his second factor. */
const accountListViewers: Audience = ({ caller }, { type }) => caller.can('users:view') && userTable.isFedBy(type.type)

/** Of these a member reads nothing without that permission. */
const OF_MANAGERS: readonly EventType[] = [ProjectMemberGrantsChanged, ProjectTeamAdded, ProjectTeamRemoved]

const projectViewers: Audience = async ({ caller, rightsIn }, { key, type }) => {
  // Nobody is in it any more; its members are told that they have left.
  if (type === ProjectDeleted) return platformReach(caller) !== undefined
  const rights = await rightsIn(key)
  return OF_MANAGERS.includes(type) ? hasPermission(rights, 'members:manage') : rights.length > 0
}

/** As far as his roles reach. */
const environmentViewers: Audience = async ({ rightsIn }, { key, data: { environmentId } }) => {
  const rights = await rightsIn(key)
  return typeof environmentId === 'string' ? canSeeEnvironment(rights, environmentId) : rights.length > 0
}

const teamMembers: Audience = async ({ caller, read }, { key }) => {
  const own = teamMemberTable.queryIn(read).select('id').where('teamId', '=', key).where('userId', '=', caller.userId)
  return (await own.executeTakeFirst()) !== undefined
}

export const audiences: ReadonlyMap<Stream, Audience> = new Map<Stream, Audience>([
  [userEvents, either(self, accountListViewers)],
  [userPreferenceEvents, self],
  [userSessionEvents, self],
  [userLoginEvents, self],
  [notificationEvents, self],
  [projectMembershipEvents, self],
  [teamMembershipEvents, self],
  [apiKeyEvents, either(self, holding('users:view'))],
  [projectEvents, projectViewers],
  [projectEnvironmentEvents, environmentViewers],
  [projectQuotas.stream, holding('quotas:view')],
  [userQuotas.stream, holding('quotas:view')],
  [quotaDefaults.stream, holding('quotas:view')],
  [teamEvents, either(holding('users:view'), teamMembers)],
  [adminRoles.stream, superadmins],
  [settingEvents, holding('settings:view')],
  [configEvents, holding('settings:view')],
  [panelLicenseEvents, holding('license:view')],
  [userRosterEvents, nobody],
  [projectRosterEvents, nobody],
  [userLinkRequestEvents, nobody],
  [sseTokenEvents, nobody],
])

/** Whether it can be anything to him at all, before anybody asks what he may see now. */
export function canConcern(userId: string, stream: Stream | undefined, key: string): boolean {
  const audience = stream && audiences.get(stream)
  if (audience === undefined || audience === nobody) return false
  return audience !== self || key === userId
}
