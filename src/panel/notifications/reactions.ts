/** Notifies accounts of events, and of their own actions only where an attacker could take them. */
import { eventTypesIn } from '#kernel/events/event'
import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { findRow } from '#kernel/projections/lookup'
import { notificationTable } from '#projections/panel/notifications'
import { projectMemberTable } from '#projections/panel/projects'
import { teamMemberTable } from '#projections/panel/teams'
import { isNotificationWanted } from '#projections/panel/users'
import { accountsWith } from '../access/account-rights.ts'
import { apiKeyEvents } from '../api-keys/events.ts'
import { userSessionEvents } from '../auth/events.ts'
import { configuration, effectiveRetention } from '../config/effective-config.ts'
import { gitProviderEvents } from '../git-providers/events.ts'
import { panelLicenseEvents } from '../license/events.ts'
import { projectEvents } from '../projects/events.ts'
import { teamEvents } from '../teams/events.ts'
import { users } from '../users/decider.ts'
import { userEvents } from '../users/events.ts'
import { activeKeysOf } from '../workflows/api-keys.ts'
import { notifications } from './decider.ts'
import { notify, toNotification } from './notify.ts'
import type { Notice } from './notify.ts'

const ACCOUNT = {
  UserPasswordChanged: ['PASSWORD', 'Your password was changed'],
  UserPasswordReset: ['PASSWORD', 'Your password was set by a one-time link or on the host'],
  UserTotpEnabled: ['SECOND_FACTOR', 'Your second factor was enabled'],
  UserTotpDisabled: ['SECOND_FACTOR', 'Your second factor was disabled'],
  UserTotpReset: ['SECOND_FACTOR', 'Your second factor was taken away'],
} as const

export const notifyAccounts = reaction('notify-accounts', {
  on: eventTypesIn(userEvents, ACCOUNT),
  async run({ type, data: { userId }, id: causeId }, work) {
    const [kind, title] = ACCOUNT[type]
    const left = type === 'UserPasswordReset' ? (await work.run((unit) => activeKeysOf(unit, userId))).length : 0
    const more = left === 0 ? '' : `; ${left} of your API keys work on, revoke those that you do not know`
    await notify(work, { userId, causeId, kind, title: title + more })
  },
})

/** User agents contain versions, which change every few weeks. */
const withoutVersions = (userAgent: string): string => userAgent.replaceAll(/[\d._]+/g, '')

export const notifyNewDevices = reaction('notify-devices', {
  on: [userSessionEvents.UserSessionStarted],
  async run({ data: { userId, userAgent }, id: causeId }, work) {
    const deviceKey = await work.vault.hmac('pepper', `device/${userId}/${withoutVersions(userAgent ?? '')}`)
    const notice: Notice = { userId, causeId, kind: 'NEW_DEVICE', title: 'Somebody signed in with a new device' }
    const wanted = await isNotificationWanted(work.read, notice)
    await work.run(async (unit) => {
      if ((await unit.look(users, userId)) === undefined) return
      const told = wanted ? toNotification(unit, notice) : undefined
      await unit.decide(notifications, userId, 'NoteDevice', { userId, deviceKey, notice: told })
    })
  },
})

const KEYS = {
  ApiKeyMinted: 'An API key was made for you',
  ApiKeyRevoked: 'An API key of yours was revoked',
  ApiKeyDeleted: 'An API key of yours was deleted',
  ApiKeyIdleNoted: 'An API key of yours has not been used for 90 days',
} as const

export const notifyKeyChanges = reaction('notify-keys', {
  on: eventTypesIn(apiKeyEvents, KEYS),
  async run({ type, data: { ownerId, apiKeyId }, id: causeId, actor }, work) {
    if (ownerId === null || ownerId === actor.id) return
    await notify(work, { userId: ownerId, causeId, kind: 'API_KEY', title: KEYS[type], apiKeyId })
  },
})

const MEMBERSHIP = {
  ProjectMemberAdded: 'You were added to a project',
  ProjectMemberJoined: 'You are a member of a project that you were invited to',
  ProjectMemberRoleChanged: 'Your role in a project was changed',
  ProjectMemberRemoved: 'You were removed from a project',
  ProjectOwnershipTransferred: 'A project was handed over to you',
} as const

/** The account that holds the membership now. */
async function userOfMember({ read }: JobContext, memberId: string): Promise<string | null> {
  const row = await findRow(read, projectMemberTable, { id: memberId })
  return row?.userId ?? null
}

export const notifyProjectMembers = reaction('notify-members', {
  on: eventTypesIn(projectEvents, MEMBERSHIP),
  async run({ type, data, id: causeId, actor }, work) {
    const userId = 'userId' in data ? data.userId : await userOfMember(work, data.memberId)
    if (userId === null || userId === actor.id) return
    await notify(work, { userId, causeId, kind: 'MEMBERSHIP', title: MEMBERSHIP[type], projectId: data.projectId })
  },
})

const TEAM = {
  TeamMemberAdded: 'You were added to a team',
  TeamMemberJoined: 'You are in a team that you were invited to',
  TeamMemberRemoved: 'You were removed from a team',
} as const

export const notifyTeamMembers = reaction('notify-team-members', {
  on: eventTypesIn(teamEvents, TEAM),
  async run({ type, data: { userId, teamId }, id: causeId, actor }, work) {
    if (userId === null || userId === actor.id) return
    await notify(work, { userId, causeId, kind: 'MEMBERSHIP', title: TEAM[type], teamId })
  },
})

/** Accounts that had access to the project through one of these teams. */
async function membersOfTeams({ read }: JobContext, teamIds: readonly string[]): Promise<string[]> {
  if (teamIds.length === 0) return []
  const rows = await teamMemberTable.queryIn(read).select('userId').where('teamId', 'in', teamIds).execute()
  return rows.flatMap(({ userId }) => userId ?? [])
}

/** Deletion removes all memberships, so the former members can learn of it only through a notification. */
export const notifyDeletions = reaction('notify-ends', {
  on: [projectEvents.ProjectDeleted, teamEvents.TeamDeleted],
  async run({ type, data, id: causeId, actor }, work) {
    const what = type === 'ProjectDeleted' ? 'project' : 'team'
    const place = 'projectId' in data ? { projectId: data.projectId } : { teamId: data.teamId }
    const byTeams = 'teamIds' in data ? await membersOfTeams(work, data.teamIds) : []
    const told = { causeId, kind: 'MEMBERSHIP', title: `A ${what} that you were in was deleted`, ...place } as const
    for (const userId of new Set([...data.userIds, ...byTeams]))
      if (userId !== actor.id) await notify(work, { userId, ...told })
  },
})

export const notifyLicenseChanges = reaction('notify-license', {
  on: [panelLicenseEvents.LicenseStateChanged, panelLicenseEvents.LicenseGraceReminded],
  async run({ data, id: causeId }, work) {
    const title =
      'state' in data
        ? `The panel’s license is ${data.state}`
        : `The grace of the panel’s license ends within ${data.days === 1 ? 'a day' : `${data.days} days`}`
    for (const userId of await accountsWith(work.read, 'license:view'))
      await notify(work, { userId, causeId, kind: 'LICENSE', title })
  },
})

export const notifyProviderOwners = reaction('notify-git-providers', {
  on: [gitProviderEvents.GitProviderRefused],
  async run({ data: { ownerId: userId, projectId }, id: causeId }, work) {
    const title = 'A git provider of yours refuses to renew its token: connect it again'
    await notify(work, { userId, causeId, kind: 'GIT_PROVIDER', title, projectId })
  },
})

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Only the read model forgets them; the events stay. */
export const expireNotifications = recurringJob(
  'forget-notifications',
  HOUR_MS,
  async ({ service, read, run, now, signal }) => {
    const { notificationDays } = effectiveRetention(await service(configuration).decided())
    const before = new Date(now.getTime() - notificationDays * DAY_MS)
    const old = notificationTable
      .queryIn(read)
      .select('userId')
      .distinct()
      .where('createdAt', '<', before.toISOString())
    for (const { userId } of await old.execute()) {
      const expire = () => run((unit) => unit.decide(notifications, userId, 'ExpireNotifications', { userId, before }))
      while ((await expire()).length > 0) signal.throwIfAborted()
    }
  },
)
