/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

/** Without the schemas of query and body: for what a bundle loads before it shows a form. */

import { operation } from '../operation.ts'

export const getUsers: typeof import('./users.ts').getUsers = /*#__PURE__*/ operation('GET /api/users', {
  openTo: ['user'],
  permission: 'users:view',
  walk: 'page',
})

export const getUsersMe: typeof import('./users.ts').getUsersMe = /*#__PURE__*/ operation('GET /api/users/me', {
  openTo: ['user'],
})

export const patchUsersMe: typeof import('./users.ts').patchUsersMe = /*#__PURE__*/ operation('PATCH /api/users/me', {
  openTo: ['user'],
})

export const getUsersMeNotificationPreferences: typeof import('./users.ts').getUsersMeNotificationPreferences =
  /*#__PURE__*/ operation('GET /api/users/me/notification-preferences', { openTo: ['user'] })

export const putUsersMeNotificationPreferences: typeof import('./users.ts').putUsersMeNotificationPreferences =
  /*#__PURE__*/ operation('PUT /api/users/me/notification-preferences', { openTo: ['user'] })

export const getUsersById: typeof import('./users.ts').getUsersById = /*#__PURE__*/ operation('GET /api/users/{id}', {
  openTo: ['user'],
  permission: 'users:view',
})

export const patchUsersById: typeof import('./users.ts').patchUsersById = /*#__PURE__*/ operation(
  'PATCH /api/users/{id}',
  { openTo: ['user'], permission: 'users:manage' },
)

export const deleteUsersById: typeof import('./users.ts').deleteUsersById = /*#__PURE__*/ operation(
  'DELETE /api/users/{id}',
  { openTo: ['user'], permission: 'users:manage' },
)

export const getUsersByIdAvatar: typeof import('./users.ts').getUsersByIdAvatar = /*#__PURE__*/ operation(
  'GET /api/users/{id}/avatar',
  { openTo: ['user'], answers: 'stream' },
)

export const getAdminUsers: typeof import('./users.ts').getAdminUsers = /*#__PURE__*/ operation(
  'GET /api/admin/users',
  { openTo: ['user'], permission: 'users:view', walk: 'page' },
)

export const postAdminUsers: typeof import('./users.ts').postAdminUsers = /*#__PURE__*/ operation(
  'POST /api/admin/users',
  { openTo: ['user'], permission: 'users:manage', shownOnce: ['link'], limited: true },
)

export const getAdminUsersById: typeof import('./users.ts').getAdminUsersById = /*#__PURE__*/ operation(
  'GET /api/admin/users/{id}',
  { openTo: ['user'], permission: 'users:view' },
)

export const deleteAdminUsersById: typeof import('./users.ts').deleteAdminUsersById = /*#__PURE__*/ operation(
  'DELETE /api/admin/users/{id}',
  { openTo: ['user'], permission: 'users:manage' },
)

export const patchAdminUsersByIdProfile: typeof import('./users.ts').patchAdminUsersByIdProfile =
  /*#__PURE__*/ operation('PATCH /api/admin/users/{id}/profile', { openTo: ['user'], permission: 'users:manage' })

export const patchAdminUsersByIdRole: typeof import('./users.ts').patchAdminUsersByIdRole = /*#__PURE__*/ operation(
  'PATCH /api/admin/users/{id}/role',
  { openTo: ['user'], permission: 'users:manage' },
)

export const patchAdminUsersByIdStatus: typeof import('./users.ts').patchAdminUsersByIdStatus = /*#__PURE__*/ operation(
  'PATCH /api/admin/users/{id}/status',
  { openTo: ['user'], permission: 'users:manage' },
)

export const patchAdminUsersByIdAdminPermissions: typeof import('./users.ts').patchAdminUsersByIdAdminPermissions =
  /*#__PURE__*/ operation('PATCH /api/admin/users/{id}/admin-permissions', {
    openTo: ['user'],
    asks: ['role:SUPERADMIN'],
    from: { role: ['ADMIN'] },
  })

export const patchAdminUsersByIdAdminRole: typeof import('./users.ts').patchAdminUsersByIdAdminRole =
  /*#__PURE__*/ operation('PATCH /api/admin/users/{id}/admin-role', {
    openTo: ['user'],
    asks: ['role:SUPERADMIN'],
    from: { role: ['ADMIN'] },
  })

export const postAdminUsersByIdAvatar: typeof import('./users.ts').postAdminUsersByIdAvatar = /*#__PURE__*/ operation(
  'POST /api/admin/users/{id}/avatar',
  { openTo: ['user'], permission: 'users:manage', sends: 'bytes' },
)

export const deleteAdminUsersByIdAvatar: typeof import('./users.ts').deleteAdminUsersByIdAvatar =
  /*#__PURE__*/ operation('DELETE /api/admin/users/{id}/avatar', { openTo: ['user'], permission: 'users:manage' })

export const postAdminUsersByIdResetPassword: typeof import('./users.ts').postAdminUsersByIdResetPassword =
  /*#__PURE__*/ operation('POST /api/admin/users/{id}/reset-password', {
    openTo: ['user'],
    permission: 'users:manage',
    shownOnce: ['link'],
  })

export const postAuthLogin: typeof import('./auth.ts').postAuthLogin = /*#__PURE__*/ operation('POST /api/auth/login', {
  openTo: [],
})

export const postAuthRefresh: typeof import('./auth.ts').postAuthRefresh = /*#__PURE__*/ operation(
  'POST /api/auth/refresh',
  { openTo: [], shownOnce: ['accessToken', 'refreshToken'] },
)

export const postAuthLogout: typeof import('./auth.ts').postAuthLogout = /*#__PURE__*/ operation(
  'POST /api/auth/logout',
  { openTo: [] },
)

export const postAuthChangePassword: typeof import('./auth.ts').postAuthChangePassword = /*#__PURE__*/ operation(
  'POST /api/auth/change-password',
  { openTo: ['user'] },
)

export const getAuthMe: typeof import('./auth.ts').getAuthMe = /*#__PURE__*/ operation('GET /api/auth/me', {
  openTo: ['user'],
})

export const postAuthProfileAvatar: typeof import('./auth.ts').postAuthProfileAvatar = /*#__PURE__*/ operation(
  'POST /api/auth/profile/avatar',
  { openTo: ['user'], sends: 'bytes' },
)

export const deleteAuthProfileAvatar: typeof import('./auth.ts').deleteAuthProfileAvatar = /*#__PURE__*/ operation(
  'DELETE /api/auth/profile/avatar',
  { openTo: ['user'] },
)

export const patchAuthProfile: typeof import('./auth.ts').patchAuthProfile = /*#__PURE__*/ operation(
  'PATCH /api/auth/profile',
  { openTo: ['user'] },
)

export const getAuthMeOnboarding: typeof import('./auth.ts').getAuthMeOnboarding = /*#__PURE__*/ operation(
  'GET /api/auth/me/onboarding',
  { openTo: ['user'] },
)

export const postAuthMeOnboardingComplete: typeof import('./auth.ts').postAuthMeOnboardingComplete =
  /*#__PURE__*/ operation('POST /api/auth/me/onboarding/complete', { openTo: ['user'] })

export const getAuthSetupStatus: typeof import('./auth.ts').getAuthSetupStatus = /*#__PURE__*/ operation(
  'GET /api/auth/setup-status',
  { openTo: [] },
)

export const postAuthRegister: typeof import('./auth.ts').postAuthRegister = /*#__PURE__*/ operation(
  'POST /api/auth/register',
  { openTo: [], limited: true },
)

export const postAuthVerifyEmail: typeof import('./auth.ts').postAuthVerifyEmail = /*#__PURE__*/ operation(
  'POST /api/auth/verify-email',
  { openTo: [] },
)

export const postAuthResendVerification: typeof import('./auth.ts').postAuthResendVerification =
  /*#__PURE__*/ operation('POST /api/auth/resend-verification', { openTo: [] })

export const postAuthForgotPassword: typeof import('./auth.ts').postAuthForgotPassword = /*#__PURE__*/ operation(
  'POST /api/auth/forgot-password',
  { openTo: [] },
)

export const postAuthResetPassword: typeof import('./auth.ts').postAuthResetPassword = /*#__PURE__*/ operation(
  'POST /api/auth/reset-password',
  { openTo: [] },
)

export const postAuth2faSetup: typeof import('./auth.ts').postAuth2faSetup = /*#__PURE__*/ operation(
  'POST /api/auth/2fa/setup',
  { openTo: ['user'], shownOnce: ['secret', 'otpauthUrl'] },
)

export const postAuth2faEnable: typeof import('./auth.ts').postAuth2faEnable = /*#__PURE__*/ operation(
  'POST /api/auth/2fa/enable',
  { openTo: ['user'], shownOnce: ['backupCodes'] },
)

export const postAuth2faDisable: typeof import('./auth.ts').postAuth2faDisable = /*#__PURE__*/ operation(
  'POST /api/auth/2fa/disable',
  { openTo: ['user'] },
)

export const getAuthSessions: typeof import('./auth.ts').getAuthSessions = /*#__PURE__*/ operation(
  'GET /api/auth/sessions',
  { openTo: ['user'], walk: 'page' },
)

export const deleteAuthSessions: typeof import('./auth.ts').deleteAuthSessions = /*#__PURE__*/ operation(
  'DELETE /api/auth/sessions',
  { openTo: ['user'] },
)

export const deleteAuthSessionsById: typeof import('./auth.ts').deleteAuthSessionsById = /*#__PURE__*/ operation(
  'DELETE /api/auth/sessions/{id}',
  { openTo: ['user'] },
)

export const postAuthSseToken: typeof import('./auth.ts').postAuthSseToken = /*#__PURE__*/ operation(
  'POST /api/auth/sse-token',
  { openTo: ['user'], shownOnce: ['sseToken'] },
)

export const getApiKeys: typeof import('./api-keys.ts').getApiKeys = /*#__PURE__*/ operation('GET /api/api-keys', {
  openTo: ['user'],
  walk: 'page',
})

export const postApiKeys: typeof import('./api-keys.ts').postApiKeys = /*#__PURE__*/ operation('POST /api/api-keys', {
  openTo: ['user'],
  shownOnce: ['secret'],
})

export const getApiKeysScopes: typeof import('./api-keys.ts').getApiKeysScopes = /*#__PURE__*/ operation(
  'GET /api/api-keys/scopes',
  { openTo: ['user'] },
)

export const postApiKeysByIdRevoke: typeof import('./api-keys.ts').postApiKeysByIdRevoke = /*#__PURE__*/ operation(
  'POST /api/api-keys/{id}/revoke',
  { openTo: ['user'], from: { status: ['ACTIVE', 'EXPIRED'] } },
)

export const deleteApiKeysById: typeof import('./api-keys.ts').deleteApiKeysById = /*#__PURE__*/ operation(
  'DELETE /api/api-keys/{id}',
  { openTo: ['user'] },
)

export const getAdminApiKeys: typeof import('./api-keys.ts').getAdminApiKeys = /*#__PURE__*/ operation(
  'GET /api/admin/api-keys',
  { openTo: ['user'], permission: 'users:view', walk: 'page' },
)

export const postAdminApiKeysByIdRevoke: typeof import('./api-keys.ts').postAdminApiKeysByIdRevoke =
  /*#__PURE__*/ operation('POST /api/admin/api-keys/{id}/revoke', {
    openTo: ['user'],
    permission: 'users:manage',
    from: { status: ['ACTIVE', 'EXPIRED'] },
  })

export const deleteAdminApiKeysById: typeof import('./api-keys.ts').deleteAdminApiKeysById = /*#__PURE__*/ operation(
  'DELETE /api/admin/api-keys/{id}',
  { openTo: ['user'], permission: 'users:manage' },
)

export const getAdminLicense: typeof import('./license.ts').getAdminLicense = /*#__PURE__*/ operation(
  'GET /api/admin/license',
  { openTo: ['user'], permission: 'license:view' },
)

export const postAdminLicense: typeof import('./license.ts').postAdminLicense = /*#__PURE__*/ operation(
  'POST /api/admin/license',
  { openTo: ['user'], permission: 'license:manage' },
)

export const postAdminLicenseRemove: typeof import('./license.ts').postAdminLicenseRemove = /*#__PURE__*/ operation(
  'POST /api/admin/license/remove',
  { openTo: ['user'], permission: 'license:manage', from: { keyId: 'set' } },
)

export const postAdminLicenseRevalidate: typeof import('./license.ts').postAdminLicenseRevalidate =
  /*#__PURE__*/ operation('POST /api/admin/license/revalidate', {
    openTo: ['user'],
    permission: 'license:manage',
    from: { keyId: 'set' },
  })

export const getAdminRoles: typeof import('./roles.ts').getAdminRoles = /*#__PURE__*/ operation(
  'GET /api/admin/roles',
  { openTo: ['user'], asks: ['role:SUPERADMIN'], walk: 'page' },
)

export const postAdminRoles: typeof import('./roles.ts').postAdminRoles = /*#__PURE__*/ operation(
  'POST /api/admin/roles',
  { openTo: ['user'], asks: ['role:SUPERADMIN'] },
)

export const patchAdminRolesByRoleId: typeof import('./roles.ts').patchAdminRolesByRoleId = /*#__PURE__*/ operation(
  'PATCH /api/admin/roles/{roleId}',
  { openTo: ['user'], asks: ['role:SUPERADMIN'] },
)

export const deleteAdminRolesByRoleId: typeof import('./roles.ts').deleteAdminRolesByRoleId = /*#__PURE__*/ operation(
  'DELETE /api/admin/roles/{roleId}',
  { openTo: ['user'], asks: ['role:SUPERADMIN'] },
)

export const getAdminPermissionsCatalog: typeof import('./permissions.ts').getAdminPermissionsCatalog =
  /*#__PURE__*/ operation('GET /api/admin/permissions/catalog', {
    openTo: ['user'],
    asks: ['role:ADMIN', 'role:SUPERADMIN'],
  })

export const getAdminPermissionsMe: typeof import('./permissions.ts').getAdminPermissionsMe = /*#__PURE__*/ operation(
  'GET /api/admin/permissions/me',
  { openTo: ['user'] },
)

export const getAdminAuditLogs: typeof import('./audit-logs.ts').getAdminAuditLogs = /*#__PURE__*/ operation(
  'GET /api/admin/audit-logs',
  { openTo: ['user'], permission: 'audit:view', walk: 'before' },
)

export const getAdminAuditLogsActions: typeof import('./audit-logs.ts').getAdminAuditLogsActions =
  /*#__PURE__*/ operation('GET /api/admin/audit-logs/actions', { openTo: ['user'], permission: 'audit:view' })

export const getAdminConfig: typeof import('./config.ts').getAdminConfig = /*#__PURE__*/ operation(
  'GET /api/admin/config',
  { openTo: ['user'], permission: 'settings:view' },
)

export const patchAdminConfig: typeof import('./config.ts').patchAdminConfig = /*#__PURE__*/ operation(
  'PATCH /api/admin/config',
  { openTo: ['user'], permission: 'settings:manage' },
)

export const postAdminConfigTestSmtp: typeof import('./config.ts').postAdminConfigTestSmtp = /*#__PURE__*/ operation(
  'POST /api/admin/config/test-smtp',
  { openTo: ['user'], permission: 'settings:manage' },
)

export const getAdminSettings: typeof import('./settings.ts').getAdminSettings = /*#__PURE__*/ operation(
  'GET /api/admin/settings',
  { openTo: ['user'], permission: 'settings:view' },
)

export const patchAdminSettingsByKey: typeof import('./settings.ts').patchAdminSettingsByKey = /*#__PURE__*/ operation(
  'PATCH /api/admin/settings/{key}',
  { openTo: ['user'], permission: 'settings:manage' },
)

export const getSettingsPublic: typeof import('./settings.ts').getSettingsPublic = /*#__PURE__*/ operation(
  'GET /api/settings/public',
  { openTo: [] },
)

export const getNotifications: typeof import('./notifications.ts').getNotifications = /*#__PURE__*/ operation(
  'GET /api/notifications',
  { openTo: ['user'], walk: 'page' },
)

export const deleteNotifications: typeof import('./notifications.ts').deleteNotifications = /*#__PURE__*/ operation(
  'DELETE /api/notifications',
  { openTo: ['user'] },
)

export const getNotificationsUnreadCount: typeof import('./notifications.ts').getNotificationsUnreadCount =
  /*#__PURE__*/ operation('GET /api/notifications/unread-count', { openTo: ['user'] })

export const postNotificationsReadAll: typeof import('./notifications.ts').postNotificationsReadAll =
  /*#__PURE__*/ operation('POST /api/notifications/read-all', { openTo: ['user'] })

export const postNotificationsByIdRead: typeof import('./notifications.ts').postNotificationsByIdRead =
  /*#__PURE__*/ operation('POST /api/notifications/{id}/read', { openTo: ['user'] })

export const deleteNotificationsById: typeof import('./notifications.ts').deleteNotificationsById =
  /*#__PURE__*/ operation('DELETE /api/notifications/{id}', { openTo: ['user'] })

export const getEventsStream: typeof import('./events.ts').getEventsStream = /*#__PURE__*/ operation(
  'GET /api/events/stream',
  { openTo: ['user'], answers: 'stream' },
)

export const getAdminOverview: typeof import('./overview.ts').getAdminOverview = /*#__PURE__*/ operation(
  'GET /api/admin/overview',
  { openTo: ['user'], permission: 'system:view' },
)

export const getAdminHealth: typeof import('./health.ts').getAdminHealth = /*#__PURE__*/ operation(
  'GET /api/admin/health',
  { openTo: ['user'], permission: 'system:view' },
)

export const getHealth: typeof import('./health.ts').getHealth = /*#__PURE__*/ operation('GET /api/health', {
  openTo: [],
})

export const getHealthReady: typeof import('./health.ts').getHealthReady = /*#__PURE__*/ operation(
  'GET /api/health/ready',
  { openTo: [] },
)

export const getProjects: typeof import('./projects.ts').getProjects = /*#__PURE__*/ operation('GET /api/projects', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:view',
  walk: 'page',
})

export const postProjects: typeof import('./projects.ts').postProjects = /*#__PURE__*/ operation('POST /api/projects', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:manage',
  limited: true,
})

export const getProjectsRbacCatalog: typeof import('./projects.ts').getProjectsRbacCatalog = /*#__PURE__*/ operation(
  'GET /api/projects/rbac-catalog',
  { openTo: ['user', 'key'], scope: 'platform:projects:view' },
)

export const getAdminProjects: typeof import('./projects.ts').getAdminProjects = /*#__PURE__*/ operation(
  'GET /api/admin/projects',
  { openTo: ['user'], permission: 'projects:view', walk: 'page' },
)

export const getProjectsById: typeof import('./projects.ts').getProjectsById = /*#__PURE__*/ operation(
  'GET /api/projects/{id}',
  { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] },
)

export const patchProjectsById: typeof import('./projects.ts').patchProjectsById = /*#__PURE__*/ operation(
  'PATCH /api/projects/{id}',
  { openTo: ['user', 'key'], scope: 'platform:projects:manage', asks: ['project:settings:manage'] },
)

export const deleteProjectsById: typeof import('./projects.ts').deleteProjectsById = /*#__PURE__*/ operation(
  'DELETE /api/projects/{id}',
  { openTo: ['user'], asks: ['project-role:OWNER'] },
)

export const postProjectsByIdClaimOwnership: typeof import('./projects.ts').postProjectsByIdClaimOwnership =
  /*#__PURE__*/ operation('POST /api/projects/{id}/claim-ownership', {
    openTo: ['user'],
    permission: 'projects:manage',
    from: { ownerId: [null] },
  })

export const postProjectsByIdTransferOwnership: typeof import('./projects.ts').postProjectsByIdTransferOwnership =
  /*#__PURE__*/ operation('POST /api/projects/{id}/transfer-ownership', {
    openTo: ['user'],
    asks: ['project-role:OWNER'],
  })

export const getProjectsByIdMyPermissions: typeof import('./projects.ts').getProjectsByIdMyPermissions =
  /*#__PURE__*/ operation('GET /api/projects/{id}/my-permissions', { openTo: ['user'], asks: ['project'] })

export const getProjectsByIdMyRole: typeof import('./projects.ts').getProjectsByIdMyRole = /*#__PURE__*/ operation(
  'GET /api/projects/{id}/my-role',
  { openTo: ['user'], asks: ['project'] },
)

export const getProjectsByIdUsage: typeof import('./projects.ts').getProjectsByIdUsage = /*#__PURE__*/ operation(
  'GET /api/projects/{id}/usage',
  { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] },
)

export const getProjectsByIdMembers: typeof import('./projects.ts').getProjectsByIdMembers = /*#__PURE__*/ operation(
  'GET /api/projects/{id}/members',
  { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'], walk: 'page' },
)

export const postProjectsByIdMembers: typeof import('./projects.ts').postProjectsByIdMembers = /*#__PURE__*/ operation(
  'POST /api/projects/{id}/members',
  { openTo: ['user'], asks: ['project:members:manage'] },
)

export const patchProjectsByIdMembersByMemberId: typeof import('./projects.ts').patchProjectsByIdMembersByMemberId =
  /*#__PURE__*/ operation('PATCH /api/projects/{id}/members/{memberId}', {
    openTo: ['user'],
    asks: ['project:members:manage'],
    from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
  })

export const deleteProjectsByIdMembersByMemberId: typeof import('./projects.ts').deleteProjectsByIdMembersByMemberId =
  /*#__PURE__*/ operation('DELETE /api/projects/{id}/members/{memberId}', {
    openTo: ['user'],
    asks: ['project:members:manage'],
    from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
  })

export const deleteProjectsByIdMembersMe: typeof import('./projects.ts').deleteProjectsByIdMembersMe =
  /*#__PURE__*/ operation('DELETE /api/projects/{id}/members/me', { openTo: ['user'], asks: ['project-membership'] })

export const patchProjectsByIdMembersByMemberIdCustomRole: typeof import('./projects.ts').patchProjectsByIdMembersByMemberIdCustomRole =
  /*#__PURE__*/ operation('PATCH /api/projects/{id}/members/{memberId}/custom-role', {
    openTo: ['user'],
    asks: ['project-role:ADMIN', 'project-role:OWNER'],
    from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
  })

export const getProjectsByIdMembersByMemberIdGrants: typeof import('./projects.ts').getProjectsByIdMembersByMemberIdGrants =
  /*#__PURE__*/ operation('GET /api/projects/{id}/members/{memberId}/grants', {
    openTo: ['user'],
    asks: ['project-membership:own', 'project:members:manage'],
  })

export const putProjectsByIdMembersByMemberIdGrants: typeof import('./projects.ts').putProjectsByIdMembersByMemberIdGrants =
  /*#__PURE__*/ operation('PUT /api/projects/{id}/members/{memberId}/grants', {
    openTo: ['user'],
    asks: ['project-role:ADMIN', 'project-role:OWNER'],
    from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
  })

export const getProjectsByIdRoles: typeof import('./projects.ts').getProjectsByIdRoles = /*#__PURE__*/ operation(
  'GET /api/projects/{id}/roles',
  { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'], walk: 'page' },
)

export const postProjectsByIdRoles: typeof import('./projects.ts').postProjectsByIdRoles = /*#__PURE__*/ operation(
  'POST /api/projects/{id}/roles',
  { openTo: ['user'], asks: ['project-role:ADMIN', 'project-role:OWNER'] },
)

export const patchProjectsByIdRolesByRoleId: typeof import('./projects.ts').patchProjectsByIdRolesByRoleId =
  /*#__PURE__*/ operation('PATCH /api/projects/{id}/roles/{roleId}', {
    openTo: ['user'],
    asks: ['project-role:ADMIN', 'project-role:OWNER'],
  })

export const deleteProjectsByIdRolesByRoleId: typeof import('./projects.ts').deleteProjectsByIdRolesByRoleId =
  /*#__PURE__*/ operation('DELETE /api/projects/{id}/roles/{roleId}', {
    openTo: ['user'],
    asks: ['project-role:ADMIN', 'project-role:OWNER'],
  })

export const getProjectsByIdRolesByRoleIdGrants: typeof import('./projects.ts').getProjectsByIdRolesByRoleIdGrants =
  /*#__PURE__*/ operation('GET /api/projects/{id}/roles/{roleId}/grants', { openTo: ['user'], asks: ['project'] })

export const putProjectsByIdRolesByRoleIdGrants: typeof import('./projects.ts').putProjectsByIdRolesByRoleIdGrants =
  /*#__PURE__*/ operation('PUT /api/projects/{id}/roles/{roleId}/grants', {
    openTo: ['user'],
    asks: ['project-role:ADMIN', 'project-role:OWNER'],
  })

export const getProjectsByIdEnvironments: typeof import('./projects.ts').getProjectsByIdEnvironments =
  /*#__PURE__*/ operation('GET /api/projects/{id}/environments', { openTo: ['user'], asks: ['project'], walk: 'page' })

export const postProjectsByIdEnvironments: typeof import('./projects.ts').postProjectsByIdEnvironments =
  /*#__PURE__*/ operation('POST /api/projects/{id}/environments', {
    openTo: ['user'],
    asks: ['project:environments:manage'],
  })

export const patchProjectsByIdEnvironmentsByEnvId: typeof import('./projects.ts').patchProjectsByIdEnvironmentsByEnvId =
  /*#__PURE__*/ operation('PATCH /api/projects/{id}/environments/{envId}', {
    openTo: ['user'],
    asks: ['environment:environments:manage'],
  })

export const deleteProjectsByIdEnvironmentsByEnvId: typeof import('./projects.ts').deleteProjectsByIdEnvironmentsByEnvId =
  /*#__PURE__*/ operation('DELETE /api/projects/{id}/environments/{envId}', {
    openTo: ['user'],
    asks: ['environment:environments:manage'],
  })

export const getProjectsByIdSharedEnv: typeof import('./projects.ts').getProjectsByIdSharedEnv =
  /*#__PURE__*/ operation('GET /api/projects/{id}/shared-env', { openTo: ['user'], asks: ['project'], walk: 'page' })

export const putProjectsByIdSharedEnv: typeof import('./projects.ts').putProjectsByIdSharedEnv =
  /*#__PURE__*/ operation('PUT /api/projects/{id}/shared-env', {
    openTo: ['user'],
    asks: ['environment:apps:env'],
    shownOnce: ['value'],
  })

export const deleteProjectsByIdSharedEnvByRowId: typeof import('./projects.ts').deleteProjectsByIdSharedEnvByRowId =
  /*#__PURE__*/ operation('DELETE /api/projects/{id}/shared-env/{rowId}', {
    openTo: ['user'],
    asks: ['environment:apps:env'],
  })

export const getProjectsByIdSharedEnvStale: typeof import('./projects.ts').getProjectsByIdSharedEnvStale =
  /*#__PURE__*/ operation('GET /api/projects/{id}/shared-env/stale', {
    openTo: ['user'],
    asks: ['environment:apps:view'],
  })

export const getProjectsByIdUsageHistory: typeof import('./projects.ts').getProjectsByIdUsageHistory =
  /*#__PURE__*/ operation('GET /api/projects/{id}/usage/history', {
    openTo: ['user', 'key'],
    scope: 'platform:projects:view',
    asks: ['project'],
  })

export const postProjectsByIdEnvironmentsByEnvIdPromoteToByDstEnvId: typeof import('./projects.ts').postProjectsByIdEnvironmentsByEnvIdPromoteToByDstEnvId =
  /*#__PURE__*/ operation('POST /api/projects/{id}/environments/{envId}/promote-to/{dstEnvId}', {
    openTo: ['user'],
    asks: ['environment:apps:view', 'environment:apps:deploy'],
    limited: true,
  })

export const postProjectsByIdDuplicate: typeof import('./projects.ts').postProjectsByIdDuplicate =
  /*#__PURE__*/ operation('POST /api/projects/{id}/duplicate', {
    openTo: ['user'],
    asks: ['project-role:ADMIN', 'project-role:OWNER'],
    limited: true,
  })

export const getProjectsByIdTeams: typeof import('./projects.ts').getProjectsByIdTeams = /*#__PURE__*/ operation(
  'GET /api/projects/{id}/teams',
  { openTo: ['user'], asks: ['project:members:manage'], walk: 'page' },
)

export const postProjectsByIdTeams: typeof import('./projects.ts').postProjectsByIdTeams = /*#__PURE__*/ operation(
  'POST /api/projects/{id}/teams',
  { openTo: ['user'], asks: ['project:members:manage'] },
)

export const deleteProjectsByIdTeamsByTeamId: typeof import('./projects.ts').deleteProjectsByIdTeamsByTeamId =
  /*#__PURE__*/ operation('DELETE /api/projects/{id}/teams/{teamId}', {
    openTo: ['user'],
    asks: ['project:members:manage'],
  })

export const getProjectsByIdResourceQuota: typeof import('./projects.ts').getProjectsByIdResourceQuota =
  /*#__PURE__*/ operation('GET /api/projects/{id}/resource-quota', { openTo: ['user'], permission: 'quotas:view' })

export const patchProjectsByIdResourceQuota: typeof import('./projects.ts').patchProjectsByIdResourceQuota =
  /*#__PURE__*/ operation('PATCH /api/projects/{id}/resource-quota', { openTo: ['user'], permission: 'quotas:manage' })

export const patchProjectsByIdQuota: typeof import('./projects.ts').patchProjectsByIdQuota = /*#__PURE__*/ operation(
  'PATCH /api/projects/{id}/quota',
  { openTo: ['user'], permission: 'quotas:manage', asks: ['role:ADMIN', 'role:SUPERADMIN'] },
)

export const getProjectsByIdMesh: typeof import('./projects.ts').getProjectsByIdMesh = /*#__PURE__*/ operation(
  'GET /api/projects/{id}/mesh',
  { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] },
)

export const getAdminQuotasDefaults: typeof import('./quotas.ts').getAdminQuotasDefaults = /*#__PURE__*/ operation(
  'GET /api/admin/quotas/defaults',
  { openTo: ['user'], permission: 'quotas:view' },
)

export const patchAdminQuotasDefaults: typeof import('./quotas.ts').patchAdminQuotasDefaults = /*#__PURE__*/ operation(
  'PATCH /api/admin/quotas/defaults',
  { openTo: ['user'], permission: 'quotas:manage' },
)

export const getAdminQuotasUsersById: typeof import('./quotas.ts').getAdminQuotasUsersById = /*#__PURE__*/ operation(
  'GET /api/admin/quotas/users/{id}',
  { openTo: ['user'], permission: 'quotas:view' },
)

export const patchAdminQuotasUsersById: typeof import('./quotas.ts').patchAdminQuotasUsersById =
  /*#__PURE__*/ operation('PATCH /api/admin/quotas/users/{id}', { openTo: ['user'], permission: 'quotas:manage' })

export const getAdminQuotasServersById: typeof import('./quotas.ts').getAdminQuotasServersById =
  /*#__PURE__*/ operation('GET /api/admin/quotas/servers/{id}', { openTo: ['user'], permission: 'quotas:view' })

export const patchAdminQuotasServersById: typeof import('./quotas.ts').patchAdminQuotasServersById =
  /*#__PURE__*/ operation('PATCH /api/admin/quotas/servers/{id}', { openTo: ['user'], permission: 'quotas:manage' })

export const getTeams: typeof import('./teams.ts').getTeams = /*#__PURE__*/ operation('GET /api/teams', {
  openTo: ['user'],
  walk: 'page',
})

export const postTeams: typeof import('./teams.ts').postTeams = /*#__PURE__*/ operation('POST /api/teams', {
  openTo: ['user'],
})

export const getTeamsById: typeof import('./teams.ts').getTeamsById = /*#__PURE__*/ operation('GET /api/teams/{id}', {
  openTo: ['user'],
  asks: ['team'],
})

export const patchTeamsById: typeof import('./teams.ts').patchTeamsById = /*#__PURE__*/ operation(
  'PATCH /api/teams/{id}',
  { openTo: ['user'], asks: ['team-role:OWNER'] },
)

export const deleteTeamsById: typeof import('./teams.ts').deleteTeamsById = /*#__PURE__*/ operation(
  'DELETE /api/teams/{id}',
  { openTo: ['user'], asks: ['team-role:OWNER'] },
)

export const postTeamsByIdMembers: typeof import('./teams.ts').postTeamsByIdMembers = /*#__PURE__*/ operation(
  'POST /api/teams/{id}/members',
  { openTo: ['user'], asks: ['team-role:OWNER'] },
)

export const deleteTeamsByIdMembersByMemberUserId: typeof import('./teams.ts').deleteTeamsByIdMembersByMemberUserId =
  /*#__PURE__*/ operation('DELETE /api/teams/{id}/members/{memberUserId}', {
    openTo: ['user'],
    asks: ['team-role:OWNER'],
  })

export const getAdminTeams: typeof import('./teams.ts').getAdminTeams = /*#__PURE__*/ operation(
  'GET /api/admin/teams',
  { openTo: ['user'], permission: 'users:view', walk: 'page' },
)

export const getAdminTeamsById: typeof import('./teams.ts').getAdminTeamsById = /*#__PURE__*/ operation(
  'GET /api/admin/teams/{id}',
  { openTo: ['user'], permission: 'users:view' },
)

export const patchAdminTeamsById: typeof import('./teams.ts').patchAdminTeamsById = /*#__PURE__*/ operation(
  'PATCH /api/admin/teams/{id}',
  { openTo: ['user'], permission: 'users:manage' },
)

export const deleteAdminTeamsById: typeof import('./teams.ts').deleteAdminTeamsById = /*#__PURE__*/ operation(
  'DELETE /api/admin/teams/{id}',
  { openTo: ['user'], permission: 'users:manage' },
)

export const postAdminTeamsByIdMembers: typeof import('./teams.ts').postAdminTeamsByIdMembers = /*#__PURE__*/ operation(
  'POST /api/admin/teams/{id}/members',
  { openTo: ['user'], permission: 'users:manage' },
)

export const deleteAdminTeamsByIdMembersByMemberUserId: typeof import('./teams.ts').deleteAdminTeamsByIdMembersByMemberUserId =
  /*#__PURE__*/ operation('DELETE /api/admin/teams/{id}/members/{memberUserId}', {
    openTo: ['user'],
    permission: 'users:manage',
  })

export const getServersLocal: typeof import('./servers.ts').getServersLocal = /*#__PURE__*/ operation(
  'GET /api/servers/local',
  { openTo: ['user'], permission: 'servers:view' },
)

export const getServersLocalPublic: typeof import('./servers.ts').getServersLocalPublic = /*#__PURE__*/ operation(
  'GET /api/servers/local-public',
  { openTo: ['user'] },
)

export const getServersLocalStats: typeof import('./servers.ts').getServersLocalStats = /*#__PURE__*/ operation(
  'GET /api/servers/local/stats',
  { openTo: ['user'], permission: 'servers:view' },
)

export const postServersLocalInstallAgent: typeof import('./servers.ts').postServersLocalInstallAgent =
  /*#__PURE__*/ operation('POST /api/servers/local/install-agent', {
    openTo: ['user'],
    permission: 'servers:manage',
    shownOnce: ['command'],
    limited: true,
  })

export const postServersLocalSetup: typeof import('./servers.ts').postServersLocalSetup = /*#__PURE__*/ operation(
  'POST /api/servers/local/setup',
  { openTo: ['user'], permission: 'servers:manage' },
)

export const getServers: typeof import('./servers.ts').getServers = /*#__PURE__*/ operation('GET /api/servers', {
  openTo: ['user'],
  permission: 'servers:view',
  walk: 'page',
})

export const postServers: typeof import('./servers.ts').postServers = /*#__PURE__*/ operation('POST /api/servers', {
  openTo: ['user'],
  permission: 'servers:manage',
  shownOnce: ['installCommand'],
  limited: true,
})

export const getServersMine: typeof import('./servers.ts').getServersMine = /*#__PURE__*/ operation(
  'GET /api/servers/mine',
  { openTo: ['user'], walk: 'page' },
)

export const getServersMyAllowance: typeof import('./servers.ts').getServersMyAllowance = /*#__PURE__*/ operation(
  'GET /api/servers/my-allowance',
  { openTo: ['user'] },
)

export const getServersById: typeof import('./servers.ts').getServersById = /*#__PURE__*/ operation(
  'GET /api/servers/{id}',
  { openTo: ['user'], asks: ['servers:view', 'server:USE', 'server:MANAGE'] },
)

export const patchServersById: typeof import('./servers.ts').patchServersById = /*#__PURE__*/ operation(
  'PATCH /api/servers/{id}',
  { openTo: ['user'], asks: ['servers:manage', 'server:MANAGE'] },
)

export const deleteServersById: typeof import('./servers.ts').deleteServersById = /*#__PURE__*/ operation(
  'DELETE /api/servers/{id}',
  { openTo: ['user'], permission: 'servers:manage', from: { kind: ['REMOTE'] } },
)

export const getServersByIdInstallCommand: typeof import('./servers.ts').getServersByIdInstallCommand =
  /*#__PURE__*/ operation('GET /api/servers/{id}/install-command', { openTo: ['user'], permission: 'servers:manage' })

export const postServersByIdRegenToken: typeof import('./servers.ts').postServersByIdRegenToken =
  /*#__PURE__*/ operation('POST /api/servers/{id}/regen-token', {
    openTo: ['user'],
    permission: 'servers:manage',
    shownOnce: ['command'],
  })

export const postServersByIdReset: typeof import('./servers.ts').postServersByIdReset = /*#__PURE__*/ operation(
  'POST /api/servers/{id}/reset',
  { openTo: ['user'], permission: 'servers:manage', shownOnce: ['command'] },
)

export const getServersByIdAccess: typeof import('./servers.ts').getServersByIdAccess = /*#__PURE__*/ operation(
  'GET /api/servers/{id}/access',
  { openTo: ['user'], asks: ['servers:view', 'server:MANAGE'] },
)

export const postServersByIdAccess: typeof import('./servers.ts').postServersByIdAccess = /*#__PURE__*/ operation(
  'POST /api/servers/{id}/access',
  { openTo: ['user'], asks: ['servers:manage', 'server:MANAGE'] },
)

export const patchServersByIdAccessByRuleId: typeof import('./servers.ts').patchServersByIdAccessByRuleId =
  /*#__PURE__*/ operation('PATCH /api/servers/{id}/access/{ruleId}', {
    openTo: ['user'],
    asks: ['servers:manage', 'server:MANAGE'],
  })

export const deleteServersByIdAccessByRuleId: typeof import('./servers.ts').deleteServersByIdAccessByRuleId =
  /*#__PURE__*/ operation('DELETE /api/servers/{id}/access/{ruleId}', {
    openTo: ['user'],
    asks: ['servers:manage', 'server:MANAGE'],
  })

export const getAdminCapacity: typeof import('./capacity.ts').getAdminCapacity = /*#__PURE__*/ operation(
  'GET /api/admin/capacity',
  { openTo: ['user'], permission: 'servers:view', walk: 'page' },
)

export const getEngineServersByServerIdContainers: typeof import('./engine.ts').getEngineServersByServerIdContainers =
  /*#__PURE__*/ operation('GET /api/engine/servers/{serverId}/containers', {
    openTo: ['user'],
    asks: ['servers:view', 'server:MANAGE'],
    walk: 'page',
  })

export const getEngineServersByServerIdImages: typeof import('./engine.ts').getEngineServersByServerIdImages =
  /*#__PURE__*/ operation('GET /api/engine/servers/{serverId}/images', {
    openTo: ['user'],
    asks: ['servers:view', 'server:MANAGE'],
    walk: 'page',
  })

export const getEngineServersByServerIdNetworks: typeof import('./engine.ts').getEngineServersByServerIdNetworks =
  /*#__PURE__*/ operation('GET /api/engine/servers/{serverId}/networks', {
    openTo: ['user'],
    asks: ['servers:view', 'server:MANAGE'],
    walk: 'page',
  })

export const getEngineServersByServerIdVolumes: typeof import('./engine.ts').getEngineServersByServerIdVolumes =
  /*#__PURE__*/ operation('GET /api/engine/servers/{serverId}/volumes', {
    openTo: ['user'],
    asks: ['servers:view', 'server:MANAGE'],
    walk: 'page',
  })

export const postEngineServersByServerIdContainersAction: typeof import('./engine.ts').postEngineServersByServerIdContainersAction =
  /*#__PURE__*/ operation('POST /api/engine/servers/{serverId}/containers/action', {
    openTo: ['user'],
    asks: ['servers:manage', 'server:MANAGE'],
  })

export const deleteEngineServersByServerIdImagesByImageId: typeof import('./engine.ts').deleteEngineServersByServerIdImagesByImageId =
  /*#__PURE__*/ operation('DELETE /api/engine/servers/{serverId}/images/{imageId}', {
    openTo: ['user'],
    asks: ['servers:manage', 'server:MANAGE'],
  })

export const deleteEngineServersByServerIdNetworksById: typeof import('./engine.ts').deleteEngineServersByServerIdNetworksById =
  /*#__PURE__*/ operation('DELETE /api/engine/servers/{serverId}/networks/{id}', {
    openTo: ['user'],
    asks: ['servers:manage', 'server:MANAGE'],
  })

export const deleteEngineServersByServerIdVolumesByName: typeof import('./engine.ts').deleteEngineServersByServerIdVolumesByName =
  /*#__PURE__*/ operation('DELETE /api/engine/servers/{serverId}/volumes/{name}', {
    openTo: ['user'],
    asks: ['servers:manage', 'server:MANAGE'],
  })

export const postEngineServersByServerIdPrune: typeof import('./engine.ts').postEngineServersByServerIdPrune =
  /*#__PURE__*/ operation('POST /api/engine/servers/{serverId}/prune', {
    openTo: ['user'],
    asks: ['servers:manage', 'server:MANAGE'],
  })

export const getAdminReaperScan: typeof import('./reaper.ts').getAdminReaperScan = /*#__PURE__*/ operation(
  'GET /api/admin/reaper/scan',
  { openTo: ['user'], permission: 'servers:view' },
)

export const postAdminReaperReap: typeof import('./reaper.ts').postAdminReaperReap = /*#__PURE__*/ operation(
  'POST /api/admin/reaper/reap',
  { openTo: ['user'], permission: 'servers:manage' },
)

export const getRegistries: typeof import('./registries.ts').getRegistries = /*#__PURE__*/ operation(
  'GET /api/registries',
  { openTo: ['user'], asks: ['registries:view', 'project:apps:view'], walk: 'page' },
)

export const postRegistries: typeof import('./registries.ts').postRegistries = /*#__PURE__*/ operation(
  'POST /api/registries',
  { openTo: ['user'], asks: ['registries:manage', 'project:settings:manage'] },
)

export const patchRegistriesById: typeof import('./registries.ts').patchRegistriesById = /*#__PURE__*/ operation(
  'PATCH /api/registries/{id}',
  { openTo: ['user'], asks: ['registries:manage', 'project:settings:manage'] },
)

export const deleteRegistriesById: typeof import('./registries.ts').deleteRegistriesById = /*#__PURE__*/ operation(
  'DELETE /api/registries/{id}',
  { openTo: ['user'], asks: ['registries:manage', 'project:settings:manage'] },
)

export const postRegistriesByIdTest: typeof import('./registries.ts').postRegistriesByIdTest = /*#__PURE__*/ operation(
  'POST /api/registries/{id}/test',
  { openTo: ['user'], asks: ['registries:manage', 'project:settings:manage'] },
)

export const postGitProvidersOauthHostedGitDeviceStart: typeof import('./git-providers.ts').postGitProvidersOauthHostedGitDeviceStart =
  /*#__PURE__*/ operation('POST /api/git-providers/oauth/hosted-git/device/start', { openTo: ['user'] })

export const postGitProvidersOauthHostedGitDevicePoll: typeof import('./git-providers.ts').postGitProvidersOauthHostedGitDevicePoll =
  /*#__PURE__*/ operation('POST /api/git-providers/oauth/hosted-git/device/poll', { openTo: ['user'] })

export const getGitProvidersOauthHostedGitStatus: typeof import('./git-providers.ts').getGitProvidersOauthHostedGitStatus =
  /*#__PURE__*/ operation('GET /api/git-providers/oauth/hosted-git/status', { openTo: ['user'] })

export const postGitProvidersOauthSelfhostedGitStart: typeof import('./git-providers.ts').postGitProvidersOauthSelfhostedGitStart =
  /*#__PURE__*/ operation('POST /api/git-providers/oauth/selfhosted-git/start', {
    openTo: ['user'],
    shownOnce: ['authorizationUrl'],
  })

export const getGitProvidersOauthSelfhostedGitStatus: typeof import('./git-providers.ts').getGitProvidersOauthSelfhostedGitStatus =
  /*#__PURE__*/ operation('GET /api/git-providers/oauth/selfhosted-git/status', { openTo: ['user'] })

export const getGitProvidersOauthSelfhostedGitCallback: typeof import('./git-providers.ts').getGitProvidersOauthSelfhostedGitCallback =
  /*#__PURE__*/ operation('GET /api/git-providers/oauth/selfhosted-git/callback', { openTo: [] })

export const getGitProvidersByIdDetect: typeof import('./git-providers.ts').getGitProvidersByIdDetect =
  /*#__PURE__*/ operation('GET /api/git-providers/{id}/detect', {
    openTo: ['user'],
    asks: ['git-provider:own', 'project:apps:create'],
  })

export const getGitProvidersByIdScanMonorepo: typeof import('./git-providers.ts').getGitProvidersByIdScanMonorepo =
  /*#__PURE__*/ operation('GET /api/git-providers/{id}/scan-monorepo', {
    openTo: ['user'],
    asks: ['git-provider:own', 'project:apps:create'],
  })

export const postGitProvidersScanMonorepoUrl: typeof import('./git-providers.ts').postGitProvidersScanMonorepoUrl =
  /*#__PURE__*/ operation('POST /api/git-providers/scan-monorepo-url', { openTo: ['user'] })

export const getGitProviders: typeof import('./git-providers.ts').getGitProviders = /*#__PURE__*/ operation(
  'GET /api/git-providers',
  { openTo: ['user'], asks: ['project:apps:create', 'project:settings:manage'], walk: 'page' },
)

export const postGitProviders: typeof import('./git-providers.ts').postGitProviders = /*#__PURE__*/ operation(
  'POST /api/git-providers',
  { openTo: ['user'] },
)

export const deleteGitProvidersById: typeof import('./git-providers.ts').deleteGitProvidersById =
  /*#__PURE__*/ operation('DELETE /api/git-providers/{id}', {
    openTo: ['user'],
    asks: ['git-provider:own', 'project:settings:manage'],
  })

export const getGitProvidersByIdRepos: typeof import('./git-providers.ts').getGitProvidersByIdRepos =
  /*#__PURE__*/ operation('GET /api/git-providers/{id}/repos', {
    openTo: ['user'],
    asks: ['git-provider:own', 'project:apps:create'],
    walk: 'page',
  })

export const getGitProvidersByIdTree: typeof import('./git-providers.ts').getGitProvidersByIdTree =
  /*#__PURE__*/ operation('GET /api/git-providers/{id}/tree', {
    openTo: ['user'],
    asks: ['git-provider:own', 'project:apps:create'],
  })

export const getGitProvidersByIdFile: typeof import('./git-providers.ts').getGitProvidersByIdFile =
  /*#__PURE__*/ operation('GET /api/git-providers/{id}/file', {
    openTo: ['user'],
    asks: ['git-provider:own', 'project:apps:create'],
  })

export const getGitKinds: typeof import('./git.ts').getGitKinds = /*#__PURE__*/ operation('GET /api/git/providers', {
  openTo: ['user'],
})

export const getSystemUpdates: typeof import('./system.ts').getSystemUpdates = /*#__PURE__*/ operation(
  'GET /api/system/updates',
  { openTo: ['user'], permission: 'system:view' },
)

export const getSystemUpdatesLog: typeof import('./system.ts').getSystemUpdatesLog = /*#__PURE__*/ operation(
  'GET /api/system/updates/log',
  { openTo: ['user'], permission: 'system:view' },
)

export const postSystemUpdatesCheck: typeof import('./system.ts').postSystemUpdatesCheck = /*#__PURE__*/ operation(
  'POST /api/system/updates/check',
  { openTo: ['user'], permission: 'system:manage' },
)

export const postSystemUpdatesApply: typeof import('./system.ts').postSystemUpdatesApply = /*#__PURE__*/ operation(
  'POST /api/system/updates/apply',
  { openTo: ['user'], permission: 'system:manage' },
)

export const postAgentRegister: typeof import('./agent.ts').postAgentRegister = /*#__PURE__*/ operation(
  'POST /api/agent/register',
  { openTo: ['install'], limited: true },
)

export const postAgentPoll: typeof import('./agent.ts').postAgentPoll = /*#__PURE__*/ operation(
  'POST /api/agent/poll',
  { openTo: ['agent'] },
)

export const postAgentHeartbeat: typeof import('./agent.ts').postAgentHeartbeat = /*#__PURE__*/ operation(
  'POST /api/agent/heartbeat',
  { openTo: ['agent'] },
)

export const getAgentTasksById: typeof import('./agent.ts').getAgentTasksById = /*#__PURE__*/ operation(
  'GET /api/agent/tasks/{id}',
  { openTo: ['user', 'agent'], asks: ['servers:view', 'project:apps:view'] },
)

export const postAgentTasksByIdProgress: typeof import('./agent.ts').postAgentTasksByIdProgress =
  /*#__PURE__*/ operation('POST /api/agent/tasks/{id}/progress', { openTo: ['agent'] })

export const postAgentTasksByIdResult: typeof import('./agent.ts').postAgentTasksByIdResult = /*#__PURE__*/ operation(
  'POST /api/agent/tasks/{id}/result',
  { openTo: ['agent'] },
)

export const getAgentTransfersByTaskIdDownload: typeof import('./agent.ts').getAgentTransfersByTaskIdDownload =
  /*#__PURE__*/ operation('GET /api/agent/transfers/{taskId}/download', { openTo: ['agent'], answers: 'stream' })

export const postAgentTransfersByTaskIdUpload: typeof import('./agent.ts').postAgentTransfersByTaskIdUpload =
  /*#__PURE__*/ operation('POST /api/agent/transfers/{taskId}/upload', { openTo: ['agent'], sends: 'bytes' })

export const getAgentInstallSh: typeof import('./agent.ts').getAgentInstallSh = /*#__PURE__*/ operation(
  'GET /api/agent/install.sh',
  { openTo: ['install'], answers: 'stream' },
)

export const getAgentBinary: typeof import('./agent.ts').getAgentBinary = /*#__PURE__*/ operation(
  'GET /api/agent/binary',
  { openTo: ['agent', 'install'], answers: 'stream' },
)

export const postAdminAgentsUpdate: typeof import('./agents.ts').postAdminAgentsUpdate = /*#__PURE__*/ operation(
  'POST /api/admin/agents/update',
  { openTo: ['user'], permission: 'servers:manage' },
)

export const getApplications: typeof import('./applications.ts').getApplications = /*#__PURE__*/ operation(
  'GET /api/applications',
  { openTo: ['user', 'key'], scope: 'project:apps:view', walk: 'page' },
)

export const postApplications: typeof import('./applications.ts').postApplications = /*#__PURE__*/ operation(
  'POST /api/applications',
  { openTo: ['user', 'key'], scope: 'project:apps:create', asks: ['environment:apps:create'], limited: true },
)

export const getApplicationsById: typeof import('./applications.ts').getApplicationsById = /*#__PURE__*/ operation(
  'GET /api/applications/{id}',
  { openTo: ['user', 'key'], scope: 'project:apps:view', asks: ['environment:apps:view'] },
)

export const patchApplicationsById: typeof import('./applications.ts').patchApplicationsById = /*#__PURE__*/ operation(
  'PATCH /api/applications/{id}',
  { openTo: ['user', 'key'], scope: 'project:apps:create', asks: ['environment:apps:create'] },
)

export const deleteApplicationsById: typeof import('./applications.ts').deleteApplicationsById =
  /*#__PURE__*/ operation('DELETE /api/applications/{id}', {
    openTo: ['user', 'key'],
    scope: 'project:apps:delete',
    asks: ['environment:apps:delete'],
  })

export const getApplicationsByIdEnv: typeof import('./applications.ts').getApplicationsByIdEnv =
  /*#__PURE__*/ operation('GET /api/applications/{id}/env', {
    openTo: ['user', 'key'],
    scope: 'project:apps:env',
    asks: ['environment:apps:env'],
  })

export const patchApplicationsByIdEnv: typeof import('./applications.ts').patchApplicationsByIdEnv =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/env', {
    openTo: ['user', 'key'],
    scope: 'project:apps:env',
    asks: ['environment:apps:env'],
    shownOnce: ['value'],
  })

export const getApplicationsByIdEnvSets: typeof import('./applications.ts').getApplicationsByIdEnvSets =
  /*#__PURE__*/ operation('GET /api/applications/{id}/env-sets', { openTo: ['user'], asks: ['environment:apps:env'] })

export const postApplicationsByIdEnvSets: typeof import('./applications.ts').postApplicationsByIdEnvSets =
  /*#__PURE__*/ operation('POST /api/applications/{id}/env-sets', {
    openTo: ['user'],
    asks: ['environment:apps:env'],
    shownOnce: ['value'],
  })

export const getApplicationsByIdEnvSetsBySetId: typeof import('./applications.ts').getApplicationsByIdEnvSetsBySetId =
  /*#__PURE__*/ operation('GET /api/applications/{id}/env-sets/{setId}', {
    openTo: ['user'],
    asks: ['environment:apps:env'],
  })

export const patchApplicationsByIdEnvSetsBySetId: typeof import('./applications.ts').patchApplicationsByIdEnvSetsBySetId =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/env-sets/{setId}', {
    openTo: ['user'],
    asks: ['environment:apps:env'],
    shownOnce: ['value'],
  })

export const deleteApplicationsByIdEnvSetsBySetId: typeof import('./applications.ts').deleteApplicationsByIdEnvSetsBySetId =
  /*#__PURE__*/ operation('DELETE /api/applications/{id}/env-sets/{setId}', {
    openTo: ['user'],
    asks: ['environment:apps:env'],
    from: { isActive: [false] },
  })

export const postApplicationsByIdEnvSetsBySetIdActivate: typeof import('./applications.ts').postApplicationsByIdEnvSetsBySetIdActivate =
  /*#__PURE__*/ operation('POST /api/applications/{id}/env-sets/{setId}/activate', {
    openTo: ['user'],
    asks: ['environment:apps:env'],
    from: { isActive: [false] },
  })

export const getApplicationsByIdLogs: typeof import('./applications.ts').getApplicationsByIdLogs =
  /*#__PURE__*/ operation('GET /api/applications/{id}/logs', {
    openTo: ['user', 'key'],
    scope: 'project:apps:logs',
    asks: ['environment:apps:logs'],
  })

export const getApplicationsByIdLogsStream: typeof import('./applications.ts').getApplicationsByIdLogsStream =
  /*#__PURE__*/ operation('GET /api/applications/{id}/logs/stream', {
    openTo: ['user'],
    asks: ['environment:apps:logs'],
    answers: 'stream',
  })

export const postApplicationsByIdExec: typeof import('./applications.ts').postApplicationsByIdExec =
  /*#__PURE__*/ operation('POST /api/applications/{id}/exec', {
    openTo: ['user'],
    asks: ['environment:apps:deploy', 'environment:apps:env'],
    shownOnce: ['stdout', 'stderr'],
  })

export const getApplicationsByIdStatsLive: typeof import('./applications.ts').getApplicationsByIdStatsLive =
  /*#__PURE__*/ operation('GET /api/applications/{id}/stats/live', {
    openTo: ['user'],
    asks: ['environment:apps:view'],
  })

export const patchApplicationsByIdBindIp: typeof import('./applications.ts').patchApplicationsByIdBindIp =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/bind-ip', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
  })

export const patchApplicationsByIdOutboundIp: typeof import('./applications.ts').patchApplicationsByIdOutboundIp =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/outbound-ip', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
  })

export const patchApplicationsByIdUrlMode: typeof import('./applications.ts').patchApplicationsByIdUrlMode =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/url-mode', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
  })

export const getApplicationsByIdPorts: typeof import('./applications.ts').getApplicationsByIdPorts =
  /*#__PURE__*/ operation('GET /api/applications/{id}/ports', { openTo: ['user'], asks: ['environment:apps:view'] })

export const patchApplicationsByIdPorts: typeof import('./applications.ts').patchApplicationsByIdPorts =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/ports', { openTo: ['user'], asks: ['environment:apps:create'] })

export const postApplicationsByIdHostPorts: typeof import('./applications.ts').postApplicationsByIdHostPorts =
  /*#__PURE__*/ operation('POST /api/applications/{id}/host-ports', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
  })

export const deleteApplicationsByIdHostPortsByPortId: typeof import('./applications.ts').deleteApplicationsByIdHostPortsByPortId =
  /*#__PURE__*/ operation('DELETE /api/applications/{id}/host-ports/{portId}', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
  })

export const getApplicationsNextFreePortByProjectId: typeof import('./applications.ts').getApplicationsNextFreePortByProjectId =
  /*#__PURE__*/ operation('GET /api/applications/next-free-port/{projectId}', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
  })

export const getApplicationsByIdDeployments: typeof import('./applications.ts').getApplicationsByIdDeployments =
  /*#__PURE__*/ operation('GET /api/applications/{id}/deployments', {
    openTo: ['user'],
    asks: ['environment:deployments:view'],
    walk: 'page',
  })

export const getApplicationsByIdDeploymentsByDepId: typeof import('./applications.ts').getApplicationsByIdDeploymentsByDepId =
  /*#__PURE__*/ operation('GET /api/applications/{id}/deployments/{depId}', {
    openTo: ['user'],
    asks: ['environment:deployments:view'],
  })

export const postApplicationsByIdDeploymentsByDepIdCancel: typeof import('./applications.ts').postApplicationsByIdDeploymentsByDepIdCancel =
  /*#__PURE__*/ operation('POST /api/applications/{id}/deployments/{depId}/cancel', {
    openTo: ['user'],
    asks: ['environment:apps:deploy'],
    from: { status: ['QUEUED', 'FETCHING', 'PULLING', 'BUILDING', 'STARTING'] },
  })

export const postApplicationsByIdRedeploy: typeof import('./applications.ts').postApplicationsByIdRedeploy =
  /*#__PURE__*/ operation('POST /api/applications/{id}/redeploy', {
    openTo: ['user', 'key'],
    scope: 'project:apps:deploy',
    asks: ['environment:apps:deploy'],
  })

export const postApplicationsByIdRollback: typeof import('./applications.ts').postApplicationsByIdRollback =
  /*#__PURE__*/ operation('POST /api/applications/{id}/rollback', {
    openTo: ['user', 'key'],
    scope: 'project:apps:deploy',
    asks: ['environment:apps:deploy'],
  })

export const postApplicationsByIdRestart: typeof import('./applications.ts').postApplicationsByIdRestart =
  /*#__PURE__*/ operation('POST /api/applications/{id}/restart', {
    openTo: ['user', 'key'],
    scope: 'project:apps:restart',
    asks: ['environment:apps:restart'],
  })

export const postApplicationsByIdStart: typeof import('./applications.ts').postApplicationsByIdStart =
  /*#__PURE__*/ operation('POST /api/applications/{id}/start', {
    openTo: ['user', 'key'],
    scope: 'project:apps:restart',
    asks: ['environment:apps:restart'],
  })

export const postApplicationsByIdStop: typeof import('./applications.ts').postApplicationsByIdStop =
  /*#__PURE__*/ operation('POST /api/applications/{id}/stop', {
    openTo: ['user', 'key'],
    scope: 'project:apps:restart',
    asks: ['environment:apps:restart'],
  })

export const getApplicationsByIdFilesCompose: typeof import('./applications.ts').getApplicationsByIdFilesCompose =
  /*#__PURE__*/ operation('GET /api/applications/{id}/files/compose', {
    openTo: ['user'],
    asks: ['environment:apps:env'],
  })

export const patchApplicationsByIdFilesCompose: typeof import('./applications.ts').patchApplicationsByIdFilesCompose =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/files/compose', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
    shownOnce: ['content'],
  })

export const getApplicationsByIdFilesDockerfile: typeof import('./applications.ts').getApplicationsByIdFilesDockerfile =
  /*#__PURE__*/ operation('GET /api/applications/{id}/files/dockerfile', {
    openTo: ['user'],
    asks: ['environment:apps:env'],
  })

export const patchApplicationsByIdFilesDockerfile: typeof import('./applications.ts').patchApplicationsByIdFilesDockerfile =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/files/dockerfile', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
    shownOnce: ['content'],
  })

export const getApplicationsByIdBranches: typeof import('./applications.ts').getApplicationsByIdBranches =
  /*#__PURE__*/ operation('GET /api/applications/{id}/branches', {
    openTo: ['user'],
    asks: ['environment:apps:deploy'],
  })

export const patchApplicationsByIdAutoDeploy: typeof import('./applications.ts').patchApplicationsByIdAutoDeploy =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/auto-deploy', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
  })

export const getApplicationsByIdWebhook: typeof import('./applications.ts').getApplicationsByIdWebhook =
  /*#__PURE__*/ operation('GET /api/applications/{id}/webhook', { openTo: ['user'], asks: ['environment:apps:deploy'] })

export const postApplicationsByIdWebhookRotate: typeof import('./applications.ts').postApplicationsByIdWebhookRotate =
  /*#__PURE__*/ operation('POST /api/applications/{id}/webhook/rotate', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
    shownOnce: ['secret'],
  })

export const postApplicationsByIdWebhookInstall: typeof import('./applications.ts').postApplicationsByIdWebhookInstall =
  /*#__PURE__*/ operation('POST /api/applications/{id}/webhook/install', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
  })

export const getApplicationsByIdPreviews: typeof import('./applications.ts').getApplicationsByIdPreviews =
  /*#__PURE__*/ operation('GET /api/applications/{id}/previews', { openTo: ['user'], asks: ['environment:apps:view'] })

export const patchApplicationsByIdPreviews: typeof import('./applications.ts').patchApplicationsByIdPreviews =
  /*#__PURE__*/ operation('PATCH /api/applications/{id}/previews', {
    openTo: ['user'],
    asks: ['environment:apps:create'],
  })

export const deleteApplicationsPreviewsByPreviewId: typeof import('./applications.ts').deleteApplicationsPreviewsByPreviewId =
  /*#__PURE__*/ operation('DELETE /api/applications/previews/{previewId}', {
    openTo: ['user'],
    asks: ['environment:apps:deploy'],
  })

export const getApplicationsByIdScale: typeof import('./applications.ts').getApplicationsByIdScale =
  /*#__PURE__*/ operation('GET /api/applications/{id}/scale', { openTo: ['user'], asks: ['environment:apps:view'] })

export const postApplicationsByIdDuplicate: typeof import('./applications.ts').postApplicationsByIdDuplicate =
  /*#__PURE__*/ operation('POST /api/applications/{id}/duplicate', {
    openTo: ['user'],
    asks: ['environment:apps:create', 'environment:apps:env'],
    limited: true,
  })

export const postApplicationsByIdTransferProject: typeof import('./applications.ts').postApplicationsByIdTransferProject =
  /*#__PURE__*/ operation('POST /api/applications/{id}/transfer-project', {
    openTo: ['user'],
    asks: ['project-role:ADMIN', 'project-role:OWNER'],
  })

export const postWebhooksApplicationsById: typeof import('./webhooks.ts').postWebhooksApplicationsById =
  /*#__PURE__*/ operation('POST /api/webhooks/applications/{id}', { openTo: ['webhook'] })

export const getDeployments: typeof import('./deployments.ts').getDeployments = /*#__PURE__*/ operation(
  'GET /api/deployments',
  { openTo: ['user', 'key'], scope: 'project:deployments:view', walk: 'page' },
)

export const postDeployments: typeof import('./deployments.ts').postDeployments = /*#__PURE__*/ operation(
  'POST /api/deployments',
  { openTo: ['user', 'key'], scope: 'project:apps:deploy', asks: ['environment:apps:deploy'] },
)

export const getDeploymentsById: typeof import('./deployments.ts').getDeploymentsById = /*#__PURE__*/ operation(
  'GET /api/deployments/{id}',
  { openTo: ['user', 'key'], scope: 'project:deployments:view', asks: ['environment:deployments:view'] },
)

export const getScheduledDeploys: typeof import('./scheduled-deploys.ts').getScheduledDeploys = /*#__PURE__*/ operation(
  'GET /api/scheduled-deploys',
  { openTo: ['user'], walk: 'page' },
)

export const postScheduledDeploys: typeof import('./scheduled-deploys.ts').postScheduledDeploys =
  /*#__PURE__*/ operation('POST /api/scheduled-deploys', { openTo: ['user'], asks: ['environment:apps:deploy'] })

export const patchScheduledDeploysById: typeof import('./scheduled-deploys.ts').patchScheduledDeploysById =
  /*#__PURE__*/ operation('PATCH /api/scheduled-deploys/{id}', { openTo: ['user'], asks: ['environment:apps:deploy'] })

export const deleteScheduledDeploysById: typeof import('./scheduled-deploys.ts').deleteScheduledDeploysById =
  /*#__PURE__*/ operation('DELETE /api/scheduled-deploys/{id}', { openTo: ['user'], asks: ['environment:apps:deploy'] })

export const postScheduledDeploysByIdRun: typeof import('./scheduled-deploys.ts').postScheduledDeploysByIdRun =
  /*#__PURE__*/ operation('POST /api/scheduled-deploys/{id}/run', {
    openTo: ['user'],
    asks: ['environment:apps:deploy'],
  })

export const getMetrics: typeof import('./metrics.ts').getMetrics = /*#__PURE__*/ operation('GET /metrics', {
  openTo: [],
  answers: 'stream',
})

export const getOpenapiJson: typeof import('./openapi-json.ts').getOpenapiJson = /*#__PURE__*/ operation(
  'GET /api/openapi.json',
  { openTo: [] },
)

export const getDocs: typeof import('./docs.ts').getDocs = /*#__PURE__*/ operation('GET /api/docs', {
  openTo: [],
  answers: 'stream',
})

export const getRoot: typeof import('./root.ts').getRoot = /*#__PURE__*/ operation('GET /', {
  openTo: [],
  answers: 'stream',
})
