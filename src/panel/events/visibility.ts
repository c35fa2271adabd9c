/**
 * Visibility of events in the change feed. A caller receives an event if it could read the same data
 * with a request at that time. Every stream of the panel must be listed; an unlisted stream is visible
 * to no caller.
 */
import type { EventType, Stream } from '#kernel/events/event'
import type { JsonObject } from '#kernel/events/store-port'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { teamMemberTable } from '#projections/panel/teams'
import { userTable } from '#projections/panel/users'
import type { PlatformPermission } from '../access/permissions.ts'
import { platformReach } from '../access/project-access.ts'
import { hasPermission, canSeeEnvironment } from '../access/rights.ts'
import type { Rights } from '../access/rights.ts'
import type { UserCaller } from '../access/user-caller.ts'
import { apiKeyEvents } from '../api-keys/events.ts'
import { userLinkRequestEvents, userLoginEvents, userSessionEvents } from '../auth/events.ts'
import { sseTokenEvents } from '../auth/sse-token/events.ts'
import { configEvents } from '../config/events.ts'
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

/** A caller of the change feed, with its current rights. */
export interface FeedViewer {
  readonly caller: UserCaller
  readonly read: ReadDatabase
  rightsIn(projectId: string): Promise<Rights>
}

export interface FeedEvent {
  /** Key of the stream `project-<key>`; empty for a stream of the installation. */
  readonly key: string
  readonly type: EventType
  readonly data: JsonObject
}

type Audience = (listener: FeedViewer, happened: FeedEvent) => boolean | Promise<boolean>

const nobody: Audience = () => false

/** Visible to the account that owns the stream. */
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

/** Only events that change the account list; the use of a second factor, for example, is not one. */
const accountListViewers: Audience = ({ caller }, { type }) => caller.can('users:view') && userTable.isFedBy(type.type)

/** Project events that need the permission members:manage. */
const OF_MANAGERS: readonly EventType[] = [ProjectMemberGrantsChanged, ProjectTeamAdded, ProjectTeamRemoved]

const projectViewers: Audience = async ({ caller, rightsIn }, { key, type }) => {
  // The project has no members any more. Its former members receive an event in their own
  // membership streams.
  if (type === ProjectDeleted) return platformReach(caller) !== undefined
  const rights = await rightsIn(key)
  return OF_MANAGERS.includes(type) ? hasPermission(rights, 'members:manage') : rights.length > 0
}

/** Visible if the caller's assignments include the environment. */
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

/**
 * A cheap check before the rights of the caller are read: whether the account can see events of this
 * stream at all.
 */
export function canConcern(userId: string, stream: Stream | undefined, key: string): boolean {
  const audience = stream && audiences.get(stream)
  if (audience === undefined || audience === nobody) return false
  return audience !== self || key === userId
}
