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
import { mailIdleKeys, noteIdleKeys } from './api-keys/reactions.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { auditLogRoutes } from './audit-logs/routes.ts'
import { userSessions } from './auth/decider.ts'
import { userLinkRequestEvents, userLoginEvents, userSessionEvents } from './auth/events.ts'
import { eraseLinkRequests, createRequestedLinks, userLinks, userNotices } from './auth/reactions.ts'
import { authRoutes } from './auth/routes.ts'
import { sseTokens } from './auth/sse-token/decider.ts'
import { sseTokenEvents } from './auth/sse-token/events.ts'
import { config } from './config/decider.ts'
import { configEvents } from './config/events.ts'
import { deleteLastUses } from './config/reactions.ts'
import { configRoutes } from './config/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { healthRoutes } from './health/routes.ts'
import { panelLicense } from './license/decider.ts'
import { panelLicenseEvents } from './license/events.ts'
import { licenseHeartbeats, mailGraceReminder, remindOfGrace } from './license/reactions.ts'
import { licenseRoutes } from './license/routes.ts'
import { notifications } from './notifications/decider.ts'
import { notificationEvents } from './notifications/events.ts'
import {
  expireNotifications,
  notifyAccounts,
  notifyProjectMembers,
  notifyNewDevices,
  notifyDeletions,
  notifyKeyChanges,
  notifyLicenseChanges,
  notifyTeamMembers,
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
import { eraseProjectInvitees, eraseProjectKeys, joinProjectsOnVerification } from './projects/reactions.ts'
import { projectRoleRoutes } from './projects/roles/routes.ts'
import { projectMemberships, projectRoster } from './projects/roster/decider.ts'
import { projectMembershipEvents, projectRosterEvents } from './projects/roster/events.ts'
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
import { teamMemberships, teams } from './teams/decider.ts'
import { teamEvents, teamMembershipEvents } from './teams/events.ts'
import { eraseTeamInvitees, eraseTeamKeys, joinTeamsOnVerification } from './teams/reactions.ts'
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
    streams: [userSessionEvents, userLoginEvents, userLinkRequestEvents, sseTokenEvents],
    deciders: [userSessions, sseTokens],
    readModels: [userSessionTable],
    routes: authRoutes,
    reactions: [createRequestedLinks, userLinks, userNotices],
    timers: [eraseLinkRequests],
  },
  {
    name: 'api-keys',
    streams: [apiKeyEvents],
    deciders: [apiKeys],
    readModels: [apiKeyTable],
    routes: apiKeyRoutes(() => sections.flatMap(({ routes }) => routes)),
    reactions: [mailIdleKeys],
    timers: [noteIdleKeys],
  },
  {
    name: 'license',
    streams: [panelLicenseEvents],
    deciders: [panelLicense],
    readModels: [],
    routes: licenseRoutes,
    reactions: [mailGraceReminder],
    timers: [licenseHeartbeats, remindOfGrace],
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
    timers: [deleteLastUses],
  },
  { name: 'settings', streams: [settingEvents], deciders: [], readModels: [settingTable], routes: settingRoutes },
  {
    name: 'notifications',
    streams: [notificationEvents],
    deciders: [notifications],
    readModels: [notificationTable],
    routes: notificationRoutes,
    reactions: [
      notifyAccounts,
      notifyNewDevices,
      notifyKeyChanges,
      notifyProjectMembers,
      notifyTeamMembers,
      notifyDeletions,
      notifyLicenseChanges,
    ],
    timers: [expireNotifications],
  },
  { name: 'events', streams: [], deciders: [], readModels: [], routes: eventRoutes },
  { name: 'overview', streams: [], deciders: [], readModels: [], routes: overviewRoutes },
  { name: 'health', streams: [], deciders: [], readModels: [], routes: healthRoutes },
  {
    name: 'projects',
    streams: [projectEvents, projectEnvironmentEvents, projectRosterEvents, projectMembershipEvents],
    deciders: [projects, projectEnvironments, projectRoster, projectMemberships],
    readModels: [
      projectTable,
      projectMemberTable,
      projectRoleTable,
      projectTeamTable,
      projectEnvironmentTable,
      projectVariableTable,
    ],
    routes: [...projectRoutes, ...memberRoutes, ...projectRoleRoutes, ...environmentRoutes, ...projectTeamRoutes],
    reactions: [joinProjectsOnVerification, eraseProjectInvitees, eraseProjectKeys],
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
    streams: [teamEvents, teamMembershipEvents],
    deciders: [teams, teamMemberships],
    readModels: [teamTable, teamMemberTable],
    routes: teamRoutes,
    reactions: [joinTeamsOnVerification, eraseTeamInvitees, eraseTeamKeys],
  },
]
