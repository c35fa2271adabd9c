/** The panel: one line per heading of the catalog. */
import type { Section } from '#kernel/resource/section'
import { auditTrail } from '#projections/audit-trail'
import { apiKeyTable } from '#projections/panel/api-keys'
import { userSessionTable } from '#projections/panel/auth'
import { notificationTable } from '#projections/panel/notifications'
import {
  projectEnvironmentTable,
  projectMemberTable,
  projectRoleTable,
  projectTable,
  projectTeamTable,
  projectVariableTable,
} from '#projections/panel/projects'
import { adminRoleTable } from '#projections/panel/roles'
import { settingTable } from '#projections/panel/settings'
import { teamMemberTable, teamTable } from '#projections/panel/teams'
import { erasedUserTable, userPreferenceTable, userTable } from '#projections/panel/users'
import { apiKeys } from './api-keys/decider.ts'
import { apiKeyEvents } from './api-keys/events.ts'
import { mailingOfIdleKeys, notingIdleKeys } from './api-keys/reactions.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { auditLogRoutes } from './audit-logs/routes.ts'
import { userSessions } from './auth/decider.ts'
import { userLinkAskEvents, userLoginEvents, userSessionEvents } from './auth/events.ts'
import { forgettingLinkAsks, userLinkAsks, userLinks, userNotices } from './auth/reactions.ts'
import { authRoutes } from './auth/routes.ts'
import { sseTokens } from './auth/sse-token/decider.ts'
import { sseTokenEvents } from './auth/sse-token/events.ts'
import { config } from './config/decider.ts'
import { configEvents } from './config/events.ts'
import { forgettingLastUses } from './config/reactions.ts'
import { configRoutes } from './config/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { panelLicense } from './license/decider.ts'
import { panelLicenseEvents } from './license/events.ts'
import { keepingLicense, mailingOfGrace, remindingOfGrace } from './license/reactions.ts'
import { licenseRoutes } from './license/routes.ts'
import { notifications } from './notifications/decider.ts'
import { notificationEvents } from './notifications/events.ts'
import {
  forgettingNotifications,
  notifyingAccounts,
  notifyingMembers,
  notifyingOfDevices,
  notifyingOfEnds,
  notifyingOfKeys,
  notifyingOfLicense,
  notifyingTeamMembers,
} from './notifications/reactions.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { permissionRoutes } from './permissions/routes.ts'
import { projects } from './projects/decider.ts'
import { projectEnvironments } from './projects/environments/decider.ts'
import { projectEnvironmentEvents } from './projects/environments/events.ts'
import { environmentRoutes } from './projects/environments/routes.ts'
import { projectEvents } from './projects/events.ts'
import { memberRoutes } from './projects/members/routes.ts'
import { forgettingInvitees, forgettingProjects, joiningProjects } from './projects/reactions.ts'
import { projectRoleRoutes } from './projects/roles/routes.ts'
import { memberships, projectRoster } from './projects/roster/decider.ts'
import { membershipEvents, projectRosterEvents } from './projects/roster/events.ts'
import { projectRoutes } from './projects/routes.ts'
import { projectTeamRoutes } from './projects/teams/routes.ts'
import { projectQuotas, quotaDefaults, userQuotas } from './quotas/decider.ts'
import { projectQuotaEvents, quotaDefaultEvents, userQuotaEvents } from './quotas/events.ts'
import { quotaRoutes } from './quotas/routes.ts'
import { adminRoles } from './roles/decider.ts'
import { adminRoleEvents } from './roles/events.ts'
import { adminRoleRoutes } from './roles/routes.ts'
import { settingEvents } from './settings/events.ts'
import { settingRoutes } from './settings/routes.ts'
import { teamPlaces, teams } from './teams/decider.ts'
import { teamEvents, teamPlaceEvents } from './teams/events.ts'
import { forgettingTeamInvitees, forgettingTeams, joiningTeams } from './teams/reactions.ts'
import { teamRoutes } from './teams/routes.ts'
import { userRoster, users } from './users/decider.ts'
import { userEvents, userPreferenceEvents, userRosterEvents } from './users/events.ts'
import { userRoutes } from './users/routes.ts'

export const sections: readonly Section[] = [
  {
    name: 'users',
    streams: [userEvents, userRosterEvents, userPreferenceEvents],
    deciders: [users, userRoster],
    readModels: [userTable, erasedUserTable, userPreferenceTable],
    routes: userRoutes,
  },
  {
    name: 'auth',
    streams: [userSessionEvents, userLoginEvents, userLinkAskEvents, sseTokenEvents],
    deciders: [userSessions, sseTokens],
    readModels: [userSessionTable],
    routes: authRoutes,
    reactions: [userLinkAsks, userLinks, userNotices],
    timers: [forgettingLinkAsks],
  },
  {
    name: 'api-keys',
    streams: [apiKeyEvents],
    deciders: [apiKeys],
    readModels: [apiKeyTable],
    routes: apiKeyRoutes(() => sections.flatMap(({ routes }) => routes)),
    reactions: [mailingOfIdleKeys],
    timers: [notingIdleKeys],
  },
  {
    name: 'license',
    streams: [panelLicenseEvents],
    deciders: [panelLicense],
    readModels: [],
    routes: licenseRoutes,
    reactions: [mailingOfGrace],
    timers: [keepingLicense, remindingOfGrace],
  },
  {
    name: 'roles',
    streams: [adminRoleEvents],
    deciders: [adminRoles],
    readModels: [adminRoleTable],
    routes: adminRoleRoutes,
  },
  {
    name: 'permissions',
    streams: [],
    deciders: [],
    readModels: [],
    routes: permissionRoutes(() => sections.flatMap(({ routes }) => routes)),
  },
  { name: 'audit-logs', streams: [], deciders: [], readModels: [auditTrail], routes: auditLogRoutes },
  {
    name: 'config',
    streams: [configEvents],
    deciders: [config],
    readModels: [],
    routes: configRoutes,
    timers: [forgettingLastUses],
  },
  { name: 'settings', streams: [settingEvents], deciders: [], readModels: [settingTable], routes: settingRoutes },
  {
    name: 'notifications',
    streams: [notificationEvents],
    deciders: [notifications],
    readModels: [notificationTable],
    routes: notificationRoutes,
    reactions: [
      notifyingAccounts,
      notifyingOfDevices,
      notifyingOfKeys,
      notifyingMembers,
      notifyingTeamMembers,
      notifyingOfEnds,
      notifyingOfLicense,
    ],
    timers: [forgettingNotifications],
  },
  { name: 'events', streams: [], deciders: [], readModels: [], routes: eventRoutes },
  { name: 'overview', streams: [], deciders: [], readModels: [], routes: overviewRoutes },
  { name: 'health', streams: [], deciders: [], readModels: [], routes: healthRoutes },
  {
    name: 'projects',
    streams: [projectEvents, projectEnvironmentEvents, projectRosterEvents, membershipEvents],
    deciders: [projects, projectEnvironments, projectRoster, memberships],
    readModels: [
      projectTable,
      projectMemberTable,
      projectRoleTable,
      projectTeamTable,
      projectEnvironmentTable,
      projectVariableTable,
    ],
    routes: [...projectRoutes, ...memberRoutes, ...projectRoleRoutes, ...environmentRoutes, ...projectTeamRoutes],
    reactions: [joiningProjects, forgettingInvitees, forgettingProjects],
  },
  {
    name: 'quotas',
    streams: [quotaDefaultEvents, userQuotaEvents, projectQuotaEvents],
    deciders: [quotaDefaults, userQuotas, projectQuotas],
    readModels: [],
    routes: quotaRoutes,
  },
  {
    name: 'teams',
    streams: [teamEvents, teamPlaceEvents],
    deciders: [teams, teamPlaces],
    readModels: [teamTable, teamMemberTable],
    routes: teamRoutes,
    reactions: [joiningTeams, forgettingTeamInvitees, forgettingTeams],
  },
]
