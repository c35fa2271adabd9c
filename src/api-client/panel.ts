/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from './operation.ts'

export type User = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION'
  readonly totpEnabled: boolean
  readonly avatarId: string | null
  readonly createdAt: string
}

export type AdminUser = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION'
  readonly totpEnabled: boolean
  readonly avatarId: string | null
  readonly createdAt: string
  readonly adminPermissions: readonly string[]
  readonly adminRole: {
    readonly id: string
    readonly name: string
  } | null
}

export type Profile = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly role: string
  readonly status: string
  readonly permissions: readonly string[]
  readonly totpEnabled: boolean
  readonly createdAt: string
}

export type Session = {
  readonly id: string
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly ip: string | null
  readonly userAgent: string | null
  readonly current: boolean
}

export type ApiKey = {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly kind: 'PERSONAL' | 'MACHINE'
  readonly ownerId: string | null
  readonly scopes: readonly string[]
  readonly projectIds: readonly string[] | null
  readonly allowedIps: readonly string[]
  readonly expiresAt: string | null
  readonly status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  readonly createdAt: string
  readonly mintedBy: string
  readonly lastUsedAt: string | null
  readonly lastUsedIp: string | null
  readonly revokedAt: string | null
  readonly revokedBy: string | null
}

export type License = {
  readonly status: 'FREE' | 'ACTIVE' | 'OFFLINE' | 'GRACE' | 'DEGRADED' | 'TAMPERED'
  /** Why the status is not ACTIVE. */
  readonly reason: string | null
  readonly plan: string
  readonly features: { readonly [name: string]: boolean | number | string }
  readonly keyId: string | null
  readonly expiresAt: string | null
  /** When the status gets worse unless the license is renewed. */
  readonly graceUntil: string | null
  /** When the licensing service last answered. */
  readonly lastContactAt: string | null
  /** CACHE: the licensing service did not answer the last request. */
  readonly source: 'ONLINE' | 'CACHE' | 'FILE' | null
  /** Why the licensing service last refused the activation, and what to do. Null: no refusal since the last success. */
  readonly refusal: {
    readonly at: string
    readonly code: string | null
    readonly message: string
  } | null
}

export type AdminRole = {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly createdAt: string
}

export type AuditEntry = {
  readonly position: number
  readonly at: string
  readonly actor: {
    readonly type: string
    readonly id: string
    readonly label: string | null
    readonly ip: string | null
  }
  readonly action: string
  readonly subject: {
    readonly type: string
    readonly id: string
    readonly label: string | null
  }
  readonly requestId: string
  readonly sentence: string
  readonly meta: { readonly [name: string]: Recursive1 }
}

export type Recursive1 =
  | string
  | number
  | boolean
  | null
  | readonly Recursive1[]
  | { readonly [name: string]: Recursive1 }

export type Config = {
  readonly mail: {
    /** Null: no mail server is set. */
    readonly host: string | null
    readonly port: number | null
    readonly tls: 'TLS' | 'STARTTLS' | 'OPTIONAL' | null
    readonly user: string | null
    /** Masked. Send the mask back to keep the stored password. */
    readonly password: string | null
    readonly from: string | null
  }
  readonly urls: {
    /** The URL under which people open this panel; links lead there. */
    readonly panel: string
  }
  readonly retention: {
    readonly notificationDays: number
    readonly telemetryDays: number
  }
  readonly sources: {
    readonly mail: {
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly host: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly port: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly tls: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly user: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly password: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly from: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
    }
    readonly urls: {
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly panel: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
    }
    readonly retention: {
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly notificationDays: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly telemetryDays: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
    }
  }
}

export type Notification = {
  readonly id: string
  readonly kind: 'NEW_DEVICE' | 'SECOND_FACTOR' | 'PASSWORD' | 'API_KEY' | 'MEMBERSHIP' | 'LICENSE'
  readonly title: string
  readonly projectId: string | null
  readonly teamId: string | null
  readonly apiKeyId: string | null
  readonly readAt: string | null
  readonly createdAt: string
}

export type Overview = {
  readonly users: {
    readonly total: number
    readonly byStatus: Readonly<Record<'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION', number>>
  }
  readonly projects: {
    readonly total: number
    readonly unowned: number
  }
  readonly apiKeys: {
    readonly active: number
  }
  readonly sessions: {
    readonly active: number
  }
  readonly recentSignups: readonly {
    readonly id: string
    readonly email: string | null
    readonly name: string | null
    readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
    readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION'
    readonly createdAt: string
  }[]
}

export type Health = {
  readonly status: 'ok' | 'degraded'
  readonly concern: string | null
  readonly position: number
  readonly readModels: {
    readonly total: number
    readonly behind: number
    readonly lag: number
    readonly parked: number
  }
  readonly work: {
    readonly waiting: number
    readonly oldestSeconds: number
    readonly failing: number
    readonly lookedSecondsAgo: number | null
  }
  readonly database: {
    readonly bytes: number
  }
  readonly process: {
    readonly uptimeSeconds: number
    readonly memoryBytes: number
  }
}

export type Project = {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly ownerId: string | null
  readonly createdAt: string
}

export type ProjectMember = {
  readonly id: string
  readonly userId: string | null
  readonly email: string | null
  readonly name: string | null
  readonly role: string
  readonly roleId: string | null
  readonly environmentIds: readonly string[] | null
  readonly status: 'ACTIVE' | 'PENDING'
  readonly createdAt: string
}

export type ProjectRole = {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly createdAt: string
}

export type Environment = {
  readonly id: string
  readonly name: string
  readonly createdAt: string
}

export type Variable = {
  readonly id: string
  readonly environmentId: string | null
  readonly name: string
  readonly value: string
  readonly masked: boolean
  readonly updatedAt: string
}

export type ProjectTeam = {
  readonly teamId: string
  readonly name: string
  readonly colour: string | null
  readonly role: string
  readonly roleId: string | null
  readonly environmentIds: readonly string[] | null
  readonly createdAt: string
}

export type Team = {
  readonly id: string
  readonly name: string
  readonly colour: string | null
  readonly ownerId: string | null
  readonly createdAt: string
}

export type TeamMember = {
  readonly id: string
  readonly userId: string | null
  readonly email: string | null
  readonly name: string | null
  readonly status: 'ACTIVE' | 'PENDING'
  readonly createdAt: string
}

/** The permissions of each role. */
export const roles = {
  platform: {
    SUPERADMIN: [
      'users:view',
      'users:manage',
      'projects:view',
      'projects:manage',
      'servers:view',
      'servers:manage',
      'quotas:view',
      'quotas:manage',
      'instances:view',
      'instances:manage',
      'settings:view',
      'settings:manage',
      'audit:view',
      'audit:manage',
      'backups:view',
      'backups:manage',
      'dns:view',
      'dns:manage',
      'email:view',
      'email:manage',
      'security:view',
      'security:manage',
      'monitoring:view',
      'monitoring:manage',
      'registries:view',
      'registries:manage',
      'swarm:view',
      'swarm:manage',
      'system:view',
      'system:manage',
      'license:view',
      'license:manage',
    ],
  },
  project: {
    OWNER: [
      'apps:view',
      'apps:create',
      'apps:delete',
      'apps:deploy',
      'apps:restart',
      'apps:env',
      'apps:logs',
      'databases:view',
      'databases:create',
      'databases:delete',
      'databases:manage',
      'domains:view',
      'domains:manage',
      'domains:delete',
      'backups:view',
      'backups:create',
      'backups:restore',
      'backups:delete',
      'deployments:view',
      'members:manage',
      'environments:manage',
      'settings:manage',
    ],
    ADMIN: [
      'apps:view',
      'apps:create',
      'apps:delete',
      'apps:deploy',
      'apps:restart',
      'apps:env',
      'apps:logs',
      'databases:view',
      'databases:create',
      'databases:delete',
      'databases:manage',
      'domains:view',
      'domains:manage',
      'domains:delete',
      'backups:view',
      'backups:create',
      'backups:restore',
      'backups:delete',
      'deployments:view',
      'members:manage',
      'environments:manage',
      'settings:manage',
    ],
    DEVELOPER: [
      'apps:view',
      'databases:view',
      'domains:view',
      'backups:view',
      'deployments:view',
      'apps:create',
      'apps:delete',
      'apps:deploy',
      'apps:restart',
      'apps:env',
      'apps:logs',
      'databases:create',
      'databases:manage',
      'domains:manage',
      'backups:create',
    ],
    VIEWER: ['apps:view', 'databases:view', 'domains:view', 'backups:view', 'deployments:view'],
  },
} as const

/** The sections that show each kind of event. */
export const kinds = {
  'user.added': ['users'],
  'user.verified': ['users'],
  'user.password_reset': ['users'],
  'user.registration_contested': ['users'],
  'user.totp_reset': ['users'],
  'user.link_made': ['users'],
  'user.renamed': ['users'],
  'user.role_changed': ['users'],
  'user.status_changed': ['users'],
  'user.permissions_changed': ['users'],
  'user.admin_role_changed': ['users'],
  'user.avatar_set': ['users'],
  'user.avatar_removed': ['users'],
  'user.onboarded': ['users'],
  'user.erased': ['users', 'notifications'],
  'user.password_changed': ['users'],
  'user.password_rehashed': ['users'],
  'user.totp_set_up': ['users'],
  'user.totp_enabled': ['users'],
  'user.totp_disabled': ['users'],
  'user.totp_used': ['users'],
  'user.backup_code_used': ['users'],
  'user.enrolled': ['users'],
  'user.left': ['users'],
  'user.preferences_set': ['users'],
  'user_session.started': ['auth'],
  'user_session.refreshed': ['auth'],
  'user_session.password_proved': ['auth'],
  'user_session.ended': ['auth'],
  'user_session.others_ended': ['auth'],
  'user.login_failed': ['auth'],
  'user_session.refresh_repeated': ['auth'],
  'user.registration_repeated': ['auth'],
  'user_link.asked': ['auth'],
  'sse_token.made': ['auth'],
  'sse_token.used': ['auth'],
  'api_key.minted': ['api-keys'],
  'api_key.revoked': ['api-keys'],
  'api_key.revoke_repeated': ['api-keys'],
  'api_key.deleted': ['api-keys'],
  'api_key.idle_noted': ['api-keys'],
  'license.key_set': ['license'],
  'license.state_changed': ['license'],
  'license.revalidated': ['license'],
  'license.removed': ['license'],
  'license.grace_reminded': ['license'],
  'admin_role.created': ['roles'],
  'admin_role.changed': ['roles'],
  'admin_role.deleted': ['roles'],
  'config.mail_changed': ['config'],
  'config.urls_changed': ['config'],
  'config.retention_changed': ['config'],
  'config.mail_tested': ['config'],
  'setting.changed': ['settings'],
  'notification.added': ['notifications'],
  'notification.read': ['notifications'],
  'notification.deleted': ['notifications'],
  'user.notifications_read': ['notifications'],
  'user.notifications_cleared': ['notifications'],
  'user.notifications_expired': ['notifications'],
  'user.device_seen': ['notifications'],
  'project.created': ['projects'],
  'project.changed': ['projects'],
  'project.deleted': ['projects'],
  'project.member_added': ['projects'],
  'project.member_joined': ['projects'],
  'project.member_role_changed': ['projects'],
  'project.member_grants_changed': ['projects'],
  'project.member_removed': ['projects'],
  'project.ownership_transferred': ['projects'],
  'project.ownership_claimed': ['projects'],
  'project.role_created': ['projects'],
  'project.role_renamed': ['projects'],
  'project.role_grants_changed': ['projects'],
  'project.role_deleted': ['projects'],
  'project.team_added': ['projects'],
  'project.team_removed': ['projects'],
  'project.environment_added': ['projects'],
  'project.environment_renamed': ['projects'],
  'project.environment_removed': ['projects'],
  'project.variable_set': ['projects'],
  'project.variable_removed': ['projects'],
  'project.shared_env_written': ['projects'],
  'project.enrolled': ['projects'],
  'project.struck': ['projects'],
  'project.entered': ['projects'],
  'project.exited': ['projects'],
  'quota.defaults_changed': ['quotas'],
  'user.quota_changed': ['quotas'],
  'project.quota_changed': ['quotas'],
  'team.created': ['teams'],
  'team.changed': ['teams'],
  'team.deleted': ['teams'],
  'team.member_added': ['teams'],
  'team.member_joined': ['teams'],
  'team.member_removed': ['teams'],
  'team.entered': ['teams'],
  'team.exited': ['teams'],
} as const

/** List accounts. `q` finds an account by its full e-mail address or its id. */
export const getUsers = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly role?: 'SUPERADMIN' | 'ADMIN' | 'USER' | undefined
        readonly status?: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION' | undefined
        readonly q?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly User[]
    | {
        readonly items: readonly User[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/users', {
  openTo: ['user'],
  permission: 'users:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      role: { type: 'string', enum: ['SUPERADMIN', 'ADMIN', 'USER'] },
      status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED', 'BANNED', 'PENDING_VERIFICATION'] },
      q: { type: 'string', minLength: 1, maxLength: 320 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Get the caller’s own account. */
export const getUsersMe = /*#__PURE__*/ operation<{
  readonly data: User
}>('GET /api/users/me', { openTo: ['user'] })

/** Change the caller’s own name. */
export const patchUsersMe = /*#__PURE__*/ operation<{
  readonly body: {
    readonly name: string | null
  }
  readonly key?: string | undefined
  readonly data: User
}>('PATCH /api/users/me', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: { name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, { type: 'null' }] } },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Get the caller’s notification preferences. By default, all kinds are on. */
export const getUsersMeNotificationPreferences = /*#__PURE__*/ operation<{
  readonly data: {
    readonly notifications: Readonly<
      Record<'NEW_DEVICE' | 'SECOND_FACTOR' | 'PASSWORD' | 'API_KEY' | 'MEMBERSHIP' | 'LICENSE', boolean>
    >
  }
}>('GET /api/users/me/notification-preferences', { openTo: ['user'] })

/** Set for every kind of notification whether the caller wants it. */
export const putUsersMeNotificationPreferences = /*#__PURE__*/ operation<{
  readonly body: {
    readonly notifications: Readonly<
      Record<'NEW_DEVICE' | 'SECOND_FACTOR' | 'PASSWORD' | 'API_KEY' | 'MEMBERSHIP' | 'LICENSE', boolean>
    >
  }
  readonly key?: string | undefined
  readonly data: {
    readonly notifications: Readonly<
      Record<'NEW_DEVICE' | 'SECOND_FACTOR' | 'PASSWORD' | 'API_KEY' | 'MEMBERSHIP' | 'LICENSE', boolean>
    >
  }
}>('PUT /api/users/me/notification-preferences', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: {
      notifications: {
        type: 'object',
        propertyNames: {
          type: 'string',
          enum: ['NEW_DEVICE', 'SECOND_FACTOR', 'PASSWORD', 'API_KEY', 'MEMBERSHIP', 'LICENSE'],
        },
        additionalProperties: { type: 'boolean' },
        required: ['NEW_DEVICE', 'SECOND_FACTOR', 'PASSWORD', 'API_KEY', 'MEMBERSHIP', 'LICENSE'],
      },
    },
    required: ['notifications'],
    additionalProperties: false,
  },
})

/** Get an account. */
export const getUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: User
}>('GET /api/users/{id}', { openTo: ['user'], permission: 'users:view' })

/** Change the name, role or status of an account. A new role or status ends its sessions. */
export const patchUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name?: string | null | undefined
    readonly role?: 'SUPERADMIN' | 'ADMIN' | 'USER' | undefined
    readonly status?: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | undefined
  }
  readonly key?: string | undefined
  readonly data: User
}>('PATCH /api/users/{id}', {
  openTo: ['user'],
  permission: 'users:manage',
  body: {
    type: 'object',
    properties: {
      name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, { type: 'null' }] },
      role: { type: 'string', enum: ['SUPERADMIN', 'ADMIN', 'USER'] },
      status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED', 'BANNED'] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Erase an account for good: its data becomes unreadable, its address is free again, its sessions end. */
export const deleteUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/users/{id}', { openTo: ['user'], permission: 'users:manage' })

/** Get the photo of an account. */
export const getUsersByIdAvatar = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Response
}>('GET /api/users/{id}/avatar', { openTo: ['user'], answers: 'stream' })

/** List accounts with their admin permissions. `q` finds an account by its full e-mail address or its id. */
export const getAdminUsers = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly role?: 'SUPERADMIN' | 'ADMIN' | 'USER' | undefined
        readonly status?: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION' | undefined
        readonly q?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly AdminUser[]
    | {
        readonly items: readonly AdminUser[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/admin/users', {
  openTo: ['user'],
  permission: 'users:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      role: { type: 'string', enum: ['SUPERADMIN', 'ADMIN', 'USER'] },
      status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED', 'BANNED', 'PENDING_VERIFICATION'] },
      q: { type: 'string', minLength: 1, maxLength: 320 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Create an account and a link (24 hours) to set its password. Without mail, the link is returned once. */
export const postAdminUsers = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
    readonly name?: string | null | undefined
    readonly role?: 'SUPERADMIN' | 'ADMIN' | 'USER' | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly link: string | null
    readonly user: AdminUser
  }
}>('POST /api/admin/users', {
  openTo: ['user'],
  permission: 'users:manage',
  shownOnce: ['link'],
  limited: true,
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      name: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, { type: 'null' }] },
      role: { default: 'USER', type: 'string', enum: ['SUPERADMIN', 'ADMIN', 'USER'] },
    },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Get an account with its admin permissions. */
export const getAdminUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: AdminUser
}>('GET /api/admin/users/{id}', { openTo: ['user'], permission: 'users:view' })

/** Erase an account for good, like DELETE /api/users/{id}. */
export const deleteAdminUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/users/{id}', { openTo: ['user'], permission: 'users:manage' })

/** Rename an account. Only a SUPERADMIN can rename an ADMIN or a SUPERADMIN. */
export const patchAdminUsersByIdProfile = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name: string | null
  }
  readonly key?: string | undefined
  readonly data: AdminUser
}>('PATCH /api/admin/users/{id}/profile', {
  openTo: ['user'],
  permission: 'users:manage',
  body: {
    type: 'object',
    properties: { name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, { type: 'null' }] } },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Change the role of another account. Its sessions end, and permissions that it had as ADMIN are removed. */
export const patchAdminUsersByIdRole = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
  }
  readonly key?: string | undefined
  readonly data: AdminUser
}>('PATCH /api/admin/users/{id}/role', {
  openTo: ['user'],
  permission: 'users:manage',
  body: {
    type: 'object',
    properties: { role: { type: 'string', enum: ['SUPERADMIN', 'ADMIN', 'USER'] } },
    required: ['role'],
    additionalProperties: false,
  },
})

/** Suspend, ban or reactivate another account, and end its sessions. One active SUPERADMIN must remain. */
export const patchAdminUsersByIdStatus = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED'
  }
  readonly key?: string | undefined
  readonly data: AdminUser
}>('PATCH /api/admin/users/{id}/status', {
  openTo: ['user'],
  permission: 'users:manage',
  body: {
    type: 'object',
    properties: { status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED', 'BANNED'] } },
    required: ['status'],
    additionalProperties: false,
  },
})

/** Set the permissions of an ADMIN in addition to those of the admin role, from the next request on. */
export const patchAdminUsersByIdAdminPermissions = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly permissions: readonly (
      | 'users:view'
      | 'users:manage'
      | 'projects:view'
      | 'projects:manage'
      | 'servers:view'
      | 'servers:manage'
      | 'quotas:view'
      | 'quotas:manage'
      | 'instances:view'
      | 'instances:manage'
      | 'settings:view'
      | 'settings:manage'
      | 'audit:view'
      | 'audit:manage'
      | 'backups:view'
      | 'backups:manage'
      | 'dns:view'
      | 'dns:manage'
      | 'email:view'
      | 'email:manage'
      | 'security:view'
      | 'security:manage'
      | 'monitoring:view'
      | 'monitoring:manage'
      | 'registries:view'
      | 'registries:manage'
      | 'swarm:view'
      | 'swarm:manage'
      | 'system:view'
      | 'system:manage'
      | 'license:view'
      | 'license:manage'
    )[]
  }
  readonly key?: string | undefined
  readonly data: AdminUser
}>('PATCH /api/admin/users/{id}/admin-permissions', {
  openTo: ['user'],
  asks: ['role:SUPERADMIN'],
  body: {
    type: 'object',
    properties: {
      permissions: {
        maxItems: 32,
        type: 'array',
        items: {
          type: 'string',
          enum: [
            'users:view',
            'users:manage',
            'projects:view',
            'projects:manage',
            'servers:view',
            'servers:manage',
            'quotas:view',
            'quotas:manage',
            'instances:view',
            'instances:manage',
            'settings:view',
            'settings:manage',
            'audit:view',
            'audit:manage',
            'backups:view',
            'backups:manage',
            'dns:view',
            'dns:manage',
            'email:view',
            'email:manage',
            'security:view',
            'security:manage',
            'monitoring:view',
            'monitoring:manage',
            'registries:view',
            'registries:manage',
            'swarm:view',
            'swarm:manage',
            'system:view',
            'system:manage',
            'license:view',
            'license:manage',
          ],
          description: 'A permission that no route requires yet is stored, and takes effect once a route requires it.',
        },
      },
    },
    required: ['permissions'],
    additionalProperties: false,
  },
})

/** Give an ADMIN an admin role instead of an earlier one, or remove it with null. */
export const patchAdminUsersByIdAdminRole = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly adminRoleId: string | null
  }
  readonly key?: string | undefined
  readonly data: AdminUser
}>('PATCH /api/admin/users/{id}/admin-role', {
  openTo: ['user'],
  asks: ['role:SUPERADMIN'],
  body: {
    type: 'object',
    properties: { adminRoleId: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }], 'x-names': 'roles' } },
    required: ['adminRoleId'],
    additionalProperties: false,
  },
})

/** Set the photo of an account: a PNG, JPEG or WebP file of at most 1 MiB. */
export const postAdminUsersByIdAvatar = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: Blob
  readonly data: User
}>('POST /api/admin/users/{id}/avatar', { openTo: ['user'], permission: 'users:manage', sends: 'bytes' })

/** Remove the photo of an account. */
export const deleteAdminUsersByIdAvatar = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/users/{id}/avatar', { openTo: ['user'], permission: 'users:manage' })

/** Create a one-time link to set a new password. It is mailed, or returned once if mail is not configured. */
export const postAdminUsersByIdResetPassword = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly link: string | null
  }
}>('POST /api/admin/users/{id}/reset-password', { openTo: ['user'], permission: 'users:manage', shownOnce: ['link'] })

/** Sign in. `totp`: six digits or a backup code. If it is missing: `Second factor required`. */
export const postAuthLogin = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
    readonly password: string
    readonly totp?: string | undefined
  }
  readonly data: {
    readonly accessToken: string
    readonly user: Profile
  }
}>('POST /api/auth/login', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', minLength: 1, maxLength: 320 },
      password: { type: 'string', minLength: 1, maxLength: 1024 },
      totp: { type: 'string', maxLength: 64 },
    },
    required: ['email', 'password'],
    additionalProperties: false,
  },
})

/** Exchange the refresh token (cookie or body) for new tokens. Reuse of an older token ends the session. */
export const postAuthRefresh = /*#__PURE__*/ operation<{
  readonly body: {
    readonly refreshToken?: string | undefined
  }
  readonly data: {
    readonly accessToken: string
    readonly user: Profile
    readonly refreshToken?: string | undefined
  }
}>('POST /api/auth/refresh', {
  openTo: [],
  shownOnce: ['accessToken', 'refreshToken'],
  body: {
    type: 'object',
    properties: { refreshToken: { type: 'string', maxLength: 100 } },
    additionalProperties: false,
  },
})

/** End the session of the access token or, if that has expired, of the refresh cookie. */
export const postAuthLogout = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: undefined
}>('POST /api/auth/logout', { openTo: [], body: { type: 'object', properties: {}, additionalProperties: false } })

/** Change the caller’s own password and end all other sessions of the account. */
export const postAuthChangePassword = /*#__PURE__*/ operation<{
  readonly body: {
    readonly current: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC. */
    readonly new: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/auth/change-password', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: {
      current: { type: 'string', minLength: 1, maxLength: 1024 },
      new: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        description:
          'A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC.',
      },
    },
    required: ['current', 'new'],
    additionalProperties: false,
  },
})

/** Get the caller’s own account. */
export const getAuthMe = /*#__PURE__*/ operation<{
  readonly data: Profile
}>('GET /api/auth/me', { openTo: ['user'] })

/** Set the caller’s own photo: a PNG, JPEG or WebP file of at most 1 MiB. */
export const postAuthProfileAvatar = /*#__PURE__*/ operation<{
  readonly body: Blob
  readonly data: {
    readonly avatarId: string
  }
}>('POST /api/auth/profile/avatar', { openTo: ['user'], sends: 'bytes' })

/** Remove the caller’s own photo. */
export const deleteAuthProfileAvatar = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/auth/profile/avatar', { openTo: ['user'] })

/** Change the caller’s own name. */
export const patchAuthProfile = /*#__PURE__*/ operation<{
  readonly body: {
    readonly name: string | null
  }
  readonly key?: string | undefined
  readonly data: Profile
}>('PATCH /api/auth/profile', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: { name: { anyOf: [{ type: 'string', minLength: 1, maxLength: 100 }, { type: 'null' }] } },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Get whether the caller has completed the onboarding. */
export const getAuthMeOnboarding = /*#__PURE__*/ operation<{
  readonly data: {
    readonly completed: boolean
    readonly completedAt: string | null
  }
}>('GET /api/auth/me/onboarding', { openTo: ['user'] })

/** Record that the caller has completed the onboarding. Only the first call counts. */
export const postAuthMeOnboardingComplete = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: {
    readonly completed: boolean
    readonly completedAt: string | null
  }
}>('POST /api/auth/me/onboarding/complete', { openTo: ['user'] })

/** Get whether the first account has yet to be created, which takes the setup token that the host shows. */
export const getAuthSetupStatus = /*#__PURE__*/ operation<{
  readonly data: {
    readonly setupRequired: boolean
  }
}>('GET /api/auth/setup-status', { openTo: [] })

/** Register an account: the first with `setupToken` (201), later ones by a mailed link if it is open (202). */
export const postAuthRegister = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
    /** A passphrase that is hard to guess. Characters count after normalisation to NFKC. */
    readonly password: string
    readonly name?: string | undefined
    readonly setupToken?: string | undefined
  }
  readonly data: {
    readonly message: string
  }
}>('POST /api/auth/register', {
  openTo: [],
  limited: true,
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      password: {
        type: 'string',
        minLength: 15,
        maxLength: 256,
        description: 'A passphrase that is hard to guess. Characters count after normalisation to NFKC.',
      },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      setupToken: { type: 'string', maxLength: 100 },
    },
    required: ['email', 'password'],
    additionalProperties: false,
  },
})

/** Prove an address with the token of a link, and sign in. With a second factor, send its code as `totp`. */
export const postAuthVerifyEmail = /*#__PURE__*/ operation<{
  readonly body: {
    readonly token: string
    readonly totp?: string | undefined
  }
  readonly data: {
    readonly accessToken: string
    readonly user: Profile
  }
}>('POST /api/auth/verify-email', {
  openTo: [],
  body: {
    type: 'object',
    properties: { token: { type: 'string', maxLength: 100 }, totp: { type: 'string', maxLength: 64 } },
    required: ['token'],
    additionalProperties: false,
  },
})

/** Request another mail with the link that proves an address. The answer is always the same. */
export const postAuthResendVerification = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
  }
  readonly data: {
    readonly message: string
  }
}>('POST /api/auth/resend-verification', {
  openTo: [],
  body: {
    type: 'object',
    properties: { email: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Request a mail with a link to choose a new password. The answer is always the same. */
export const postAuthForgotPassword = /*#__PURE__*/ operation<{
  readonly body: {
    readonly email: string
  }
  readonly data: {
    readonly message: string
  }
}>('POST /api/auth/forgot-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: { email: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Set a password with the token of a link, and end all sessions. `revokeApiKeys` revokes API keys too. */
export const postAuthResetPassword = /*#__PURE__*/ operation<{
  readonly body: {
    readonly token: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC. */
    readonly password: string
    readonly revokeApiKeys?: boolean | undefined
  }
  readonly data: undefined
}>('POST /api/auth/reset-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      token: { type: 'string', maxLength: 100 },
      password: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        description:
          'A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC.',
      },
      revokeApiKeys: { default: false, type: 'boolean' },
    },
    required: ['token', 'password'],
    additionalProperties: false,
  },
})

/** Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes. */
export const postAuth2faSetup = /*#__PURE__*/ operation<{
  readonly body: {
    readonly password: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly secret: string
    readonly otpauthUrl: string
  }
}>('POST /api/auth/2fa/setup', {
  openTo: ['user'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: {
    type: 'object',
    properties: { password: { type: 'string', minLength: 1, maxLength: 1024 } },
    required: ['password'],
    additionalProperties: false,
  },
})

/** Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions. */
export const postAuth2faEnable = /*#__PURE__*/ operation<{
  readonly body: {
    readonly password: string
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly backupCodes: readonly string[]
  }
}>('POST /api/auth/2fa/enable', {
  openTo: ['user'],
  shownOnce: ['backupCodes'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024 },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions. */
export const postAuth2faDisable = /*#__PURE__*/ operation<{
  readonly body: {
    readonly password: string
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/auth/2fa/disable', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024 },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** List my sessions. */
export const getAuthSessions = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Session[]
    | {
        readonly items: readonly Session[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/auth/sessions', {
  openTo: ['user'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** End all my sessions except this one. */
export const deleteAuthSessions = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/auth/sessions', { openTo: ['user'] })

/** End one of the caller’s sessions. With the id of the current session, all others end instead. */
export const deleteAuthSessionsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/auth/sessions/{id}', { openTo: ['user'] })

/** Create a token that opens one event stream (`path`, by default the change feed), once and within a minute. */
export const postAuthSseToken = /*#__PURE__*/ operation<{
  readonly body?:
    | {
        readonly path?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: {
    readonly sseToken: string
    readonly expiresAt: string
  }
}>('POST /api/auth/sse-token', {
  openTo: ['user'],
  shownOnce: ['sseToken'],
  body: {
    default: { path: '/api/events/stream' },
    type: 'object',
    properties: {
      path: { default: '/api/events/stream', type: 'string', maxLength: 200, pattern: '^\\/api\\/[A-Za-z0-9/_-]+$' },
    },
    additionalProperties: false,
  },
})

/** List the caller’s own keys, including revoked and expired ones, without secrets. */
export const getApiKeys = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ApiKey[]
    | {
        readonly items: readonly ApiKey[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/api-keys', {
  openTo: ['user'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Create an API key. The secret is shown once. A SUPERADMIN can create MACHINE keys and keys of an `ownerId`. */
export const postApiKeys = /*#__PURE__*/ operation<{
  readonly body: {
    readonly name: string
    /** Unknown scopes are left out. At least one must remain. */
    readonly scopes: readonly string[]
    readonly projectIds?: readonly string[] | undefined
    /** Where the credential may be used. An empty list allows every address. Every address together is refused. */
    readonly allowedIps?: readonly string[] | undefined
    readonly expiresAt?: string | null | undefined
    readonly kind?: 'PERSONAL' | 'MACHINE' | undefined
    readonly ownerId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly key: {
      readonly id: string
      readonly prefix: string
      readonly scopes: readonly string[]
    }
    readonly secret: string
  }
}>('POST /api/api-keys', {
  openTo: ['user'],
  shownOnce: ['secret'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      scopes: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'Unknown scopes are left out. At least one must remain.',
      },
      projectIds: {
        minItems: 1,
        maxItems: 100,
        type: 'array',
        items: { type: 'string', format: 'uuid' },
        'x-names': 'projects',
      },
      allowedIps: {
        default: [],
        description:
          'Where the credential may be used. An empty list allows every address. Every address together is refused.',
        type: 'array',
        items: {
          type: 'string',
          description: 'An IPv4 or IPv6 address or a CIDR range.',
          pattern: '^([0-9A-Fa-f.:]{2,45})(?:\\/(0|[1-9]\\d{0,2}))?$',
        },
        maxItems: 100,
      },
      expiresAt: { default: null, anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      kind: { default: 'PERSONAL', type: 'string', enum: ['PERSONAL', 'MACHINE'] },
      ownerId: { type: 'string', format: 'uuid', 'x-names': 'users' },
    },
    required: ['name', 'scopes'],
    additionalProperties: false,
    description: 'A MACHINE key has no owner.',
  },
})

/** List the scopes that a key can hold, and the routes that each one gives access to. */
export const getApiKeysScopes = /*#__PURE__*/ operation<{
  readonly data: readonly {
    readonly scope: string
    readonly routes: readonly string[]
  }[]
}>('GET /api/api-keys/scopes', { openTo: ['user'] })

/** Revoke one of the caller’s keys, or all active ones with `all` as the id. Revoked keys stay in the list. */
export const postApiKeysByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: ApiKey | readonly ApiKey[]
}>('POST /api/api-keys/{id}/revoke', { openTo: ['user'] })

/** Delete one of the caller’s keys. It stops working at once and leaves all lists; the audit log keeps it. */
export const deleteApiKeysById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/api-keys/{id}', { openTo: ['user'] })

/** List all keys of the installation, or those of one account (`userId`). */
export const getAdminApiKeys = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly userId?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ApiKey[]
    | {
        readonly items: readonly ApiKey[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/admin/api-keys', {
  openTo: ['user'],
  permission: 'users:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      userId: { type: 'string', format: 'uuid', 'x-names': 'users' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Revoke any account’s key. The audit log names the key and its owner. */
export const postAdminApiKeysByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: ApiKey
}>('POST /api/admin/api-keys/{id}/revoke', { openTo: ['user'], permission: 'users:manage' })

/** Delete any account’s key. The audit log names the key and its owner. */
export const deleteAdminApiKeysById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/api-keys/{id}', { openTo: ['user'], permission: 'users:manage' })

/** Get the last known status of the panel’s license, without contacting the licensing service. */
export const getAdminLicense = /*#__PURE__*/ operation<{
  readonly data: License
}>('GET /api/admin/license', { openTo: ['user'], permission: 'license:view' })

/** Set or replace the license key and activate it. Without network, use `offline` and then `leaseFile`. */
export const postAdminLicense = /*#__PURE__*/ operation<{
  readonly body:
    | {
        readonly licenseKey: string
        /** Contacts no service, and returns an offlineRequest to make a lease file from. */
        readonly offline?: boolean | undefined
      }
    | {
        readonly leaseFile: string
      }
  readonly key?: string | undefined
  readonly data: {
    readonly status: 'FREE' | 'ACTIVE' | 'OFFLINE' | 'GRACE' | 'DEGRADED' | 'TAMPERED'
    /** Why the status is not ACTIVE. */
    readonly reason: string | null
    readonly plan: string
    readonly features: { readonly [name: string]: boolean | number | string }
    readonly keyId: string | null
    readonly expiresAt: string | null
    /** When the status gets worse unless the license is renewed. */
    readonly graceUntil: string | null
    /** When the licensing service last answered. */
    readonly lastContactAt: string | null
    /** CACHE: the licensing service did not answer the last request. */
    readonly source: 'ONLINE' | 'CACHE' | 'FILE' | null
    /** Why the licensing service last refused the activation, and what to do. Null: no refusal since the last success. */
    readonly refusal: {
      readonly at: string
      readonly code: string | null
      readonly message: string
    } | null
    readonly offlineRequest?: string | undefined
  }
}>('POST /api/admin/license', {
  openTo: ['user'],
  permission: 'license:manage',
  body: {
    anyOf: [
      {
        type: 'object',
        properties: {
          licenseKey: { type: 'string', minLength: 1, maxLength: 16384 },
          offline: {
            default: false,
            description: 'Contacts no service, and returns an offlineRequest to make a lease file from.',
            type: 'boolean',
          },
        },
        required: ['licenseKey'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { leaseFile: { type: 'string', minLength: 1, maxLength: 524288 } },
        required: ['leaseFile'],
        additionalProperties: false,
      },
    ],
  },
})

/** Remove the license key, even if the service does not answer. The free tier applies; what exists stays. */
export const postAdminLicenseRemove = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: License
}>('POST /api/admin/license/remove', { openTo: ['user'], permission: 'license:manage' })

/** Contact the licensing service now. If it does not answer, `source` is CACHE and the status the last known. */
export const postAdminLicenseRevalidate = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: License
}>('POST /api/admin/license/revalidate', { openTo: ['user'], permission: 'license:manage' })

/** List the admin roles. PATCH /api/admin/users/{id}/admin-role assigns one. */
export const getAdminRoles = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly AdminRole[]
    | {
        readonly items: readonly AdminRole[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/admin/roles', {
  openTo: ['user'],
  asks: ['role:SUPERADMIN'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Create an admin role. The audit trail shows its unique name: name no person. */
export const postAdminRoles = /*#__PURE__*/ operation<{
  readonly body: {
    readonly name: string
    readonly permissions: readonly (
      | 'users:view'
      | 'users:manage'
      | 'projects:view'
      | 'projects:manage'
      | 'servers:view'
      | 'servers:manage'
      | 'quotas:view'
      | 'quotas:manage'
      | 'instances:view'
      | 'instances:manage'
      | 'settings:view'
      | 'settings:manage'
      | 'audit:view'
      | 'audit:manage'
      | 'backups:view'
      | 'backups:manage'
      | 'dns:view'
      | 'dns:manage'
      | 'email:view'
      | 'email:manage'
      | 'security:view'
      | 'security:manage'
      | 'monitoring:view'
      | 'monitoring:manage'
      | 'registries:view'
      | 'registries:manage'
      | 'swarm:view'
      | 'swarm:manage'
      | 'system:view'
      | 'system:manage'
      | 'license:view'
      | 'license:manage'
    )[]
  }
  readonly key?: string | undefined
  readonly data: AdminRole
}>('POST /api/admin/roles', {
  openTo: ['user'],
  asks: ['role:SUPERADMIN'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      permissions: {
        maxItems: 32,
        type: 'array',
        items: {
          type: 'string',
          enum: [
            'users:view',
            'users:manage',
            'projects:view',
            'projects:manage',
            'servers:view',
            'servers:manage',
            'quotas:view',
            'quotas:manage',
            'instances:view',
            'instances:manage',
            'settings:view',
            'settings:manage',
            'audit:view',
            'audit:manage',
            'backups:view',
            'backups:manage',
            'dns:view',
            'dns:manage',
            'email:view',
            'email:manage',
            'security:view',
            'security:manage',
            'monitoring:view',
            'monitoring:manage',
            'registries:view',
            'registries:manage',
            'swarm:view',
            'swarm:manage',
            'system:view',
            'system:manage',
            'license:view',
            'license:manage',
          ],
          description: 'A permission that no route requires yet is stored, and takes effect once a route requires it.',
        },
      },
    },
    required: ['name', 'permissions'],
    additionalProperties: false,
  },
})

/** Change an admin role, from the next request of its holders on. */
export const patchAdminRolesByRoleId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly roleId: string
  }
  readonly body: {
    readonly name?: string | undefined
    readonly permissions?:
      | readonly (
          | 'users:view'
          | 'users:manage'
          | 'projects:view'
          | 'projects:manage'
          | 'servers:view'
          | 'servers:manage'
          | 'quotas:view'
          | 'quotas:manage'
          | 'instances:view'
          | 'instances:manage'
          | 'settings:view'
          | 'settings:manage'
          | 'audit:view'
          | 'audit:manage'
          | 'backups:view'
          | 'backups:manage'
          | 'dns:view'
          | 'dns:manage'
          | 'email:view'
          | 'email:manage'
          | 'security:view'
          | 'security:manage'
          | 'monitoring:view'
          | 'monitoring:manage'
          | 'registries:view'
          | 'registries:manage'
          | 'swarm:view'
          | 'swarm:manage'
          | 'system:view'
          | 'system:manage'
          | 'license:view'
          | 'license:manage'
        )[]
      | undefined
  }
  readonly key?: string | undefined
  readonly data: AdminRole
}>('PATCH /api/admin/roles/{roleId}', {
  openTo: ['user'],
  asks: ['role:SUPERADMIN'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      permissions: {
        maxItems: 32,
        type: 'array',
        items: {
          type: 'string',
          enum: [
            'users:view',
            'users:manage',
            'projects:view',
            'projects:manage',
            'servers:view',
            'servers:manage',
            'quotas:view',
            'quotas:manage',
            'instances:view',
            'instances:manage',
            'settings:view',
            'settings:manage',
            'audit:view',
            'audit:manage',
            'backups:view',
            'backups:manage',
            'dns:view',
            'dns:manage',
            'email:view',
            'email:manage',
            'security:view',
            'security:manage',
            'monitoring:view',
            'monitoring:manage',
            'registries:view',
            'registries:manage',
            'swarm:view',
            'swarm:manage',
            'system:view',
            'system:manage',
            'license:view',
            'license:manage',
          ],
          description: 'A permission that no route requires yet is stored, and takes effect once a route requires it.',
        },
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete an admin role and what it gives, from the next request on. */
export const deleteAdminRolesByRoleId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly roleId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/roles/{roleId}', { openTo: ['user'], asks: ['role:SUPERADMIN'] })

/** List the platform permissions that can be granted, and presets for admin roles. */
export const getAdminPermissionsCatalog = /*#__PURE__*/ operation<{
  readonly data: {
    readonly permissions: readonly string[]
    readonly presets: readonly {
      readonly name: string
      readonly permissions: readonly string[]
    }[]
  }
}>('GET /api/admin/permissions/catalog', { openTo: ['user'], asks: ['role:ADMIN', 'role:SUPERADMIN'] })

/** List the caller’s platform permissions: all for a SUPERADMIN, those granted for an ADMIN, none for a USER. */
export const getAdminPermissionsMe = /*#__PURE__*/ operation<{
  readonly data: {
    readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
    readonly permissions: readonly string[]
  }
}>('GET /api/admin/permissions/me', { openTo: ['user'] })

/** Search the audit trail, newest first. `subject` and `project` match any id; `before` takes a position. */
export const getAdminAuditLogs = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly actor?: string | undefined
        readonly action?: string | undefined
        readonly subject?: string | undefined
        readonly project?: string | undefined
        readonly from?: string | undefined
        readonly to?: string | undefined
        readonly before?: number | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly AuditEntry[]
    | {
        readonly items: readonly AuditEntry[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/admin/audit-logs', {
  openTo: ['user'],
  permission: 'audit:view',
  walk: 'before',
  query: {
    type: 'object',
    properties: {
      actor: { type: 'string', minLength: 1, maxLength: 100 },
      action: { type: 'string', minLength: 1, maxLength: 100 },
      subject: { type: 'string', minLength: 1, maxLength: 100 },
      project: { type: 'string', minLength: 1, maxLength: 100 },
      from: { type: 'string', format: 'date-time' },
      to: { type: 'string', format: 'date-time' },
      before: { type: 'integer', minimum: 1 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** List the actions in the audit trail, each once, in alphabetical order. */
export const getAdminAuditLogsActions = /*#__PURE__*/ operation<{
  readonly data: readonly string[]
}>('GET /api/admin/audit-logs/actions', { openTo: ['user'], permission: 'audit:view' })

/** Get the effective configuration and the source of each value. The password is masked. */
export const getAdminConfig = /*#__PURE__*/ operation<{
  readonly data: Config
}>('GET /api/admin/config', { openTo: ['user'], permission: 'settings:view' })

/** Change what the environment does not set. Only a SUPERADMIN changes the mail server and the panel URL. */
export const patchAdminConfig = /*#__PURE__*/ operation<{
  readonly body: {
    readonly mail?:
      | {
          readonly host?: string | null | undefined
          readonly port?: number | null | undefined
          readonly tls?: 'TLS' | 'STARTTLS' | 'OPTIONAL' | null | undefined
          readonly user?: string | null | undefined
          readonly password?: string | null | undefined
          readonly from?: string | null | undefined
        }
      | undefined
    readonly urls?:
      | {
          readonly panel?: string | null | undefined
        }
      | undefined
    readonly retention?:
      | {
          readonly notificationDays?: number | null | undefined
          readonly telemetryDays?: number | null | undefined
        }
      | undefined
  }
  readonly key?: string | undefined
  readonly data: Config
}>('PATCH /api/admin/config', {
  openTo: ['user'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: {
      mail: {
        type: 'object',
        properties: {
          host: { anyOf: [{ type: 'string', pattern: '^[A-Za-z0-9.:_-]{1,253}$' }, { type: 'null' }] },
          port: { anyOf: [{ type: 'integer', minimum: 1, maximum: 65535 }, { type: 'null' }] },
          tls: { anyOf: [{ type: 'string', enum: ['TLS', 'STARTTLS', 'OPTIONAL'] }, { type: 'null' }] },
          user: { anyOf: [{ type: 'string', minLength: 1, maxLength: 500, pattern: '^\\P{Cc}*$' }, { type: 'null' }] },
          password: {
            anyOf: [{ type: 'string', minLength: 1, maxLength: 500, pattern: '^\\P{Cc}*$' }, { type: 'null' }],
          },
          from: { anyOf: [{ type: 'string', maxLength: 400 }, { type: 'null' }] },
        },
        additionalProperties: false,
      },
      urls: {
        type: 'object',
        properties: { panel: { anyOf: [{ type: 'string', maxLength: 2000 }, { type: 'null' }] } },
        additionalProperties: false,
      },
      retention: {
        type: 'object',
        properties: {
          notificationDays: { anyOf: [{ type: 'integer', minimum: 1, maximum: 3650 }, { type: 'null' }] },
          telemetryDays: { anyOf: [{ type: 'integer', minimum: 1, maximum: 3650 }, { type: 'null' }] },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Send a test mail to the caller’s own address and report the step that failed. At most ten an hour. */
export const postAdminConfigTestSmtp = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: {
    readonly sent: boolean
    /** The step that failed. */
    readonly step: 'CONNECT' | 'TLS' | 'LOGIN' | 'SENDER' | 'RECIPIENT' | 'MESSAGE' | null
    /** The reason in plain words, with the codes of the mail server. */
    readonly reason: string | null
  }
}>('POST /api/admin/config/test-smtp', { openTo: ['user'], permission: 'settings:manage' })

/** List the settings of the panel with their values and defaults. */
export const getAdminSettings = /*#__PURE__*/ operation<{
  readonly data: readonly {
    readonly key: 'registrationOpen' | 'platformName'
    readonly value: boolean | number | string
    readonly usual: boolean | number | string
    readonly does: string
    readonly changedAt: string | null
  }[]
}>('GET /api/admin/settings', { openTo: ['user'], permission: 'settings:view' })

/** Change a setting from the next request on. The audit trail shows the value: put no personal data in it. */
export const patchAdminSettingsByKey = /*#__PURE__*/ operation<{
  readonly params: {
    readonly key: 'registrationOpen' | 'platformName'
  }
  readonly body: {
    readonly value: boolean | number | string
  }
  readonly key?: string | undefined
  readonly data: {
    readonly key: 'registrationOpen' | 'platformName'
    readonly value: boolean | number | string
    readonly usual: boolean | number | string
    readonly does: string
    readonly changedAt: string | null
  }
}>('PATCH /api/admin/settings/{key}', {
  openTo: ['user'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: { value: { anyOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string', maxLength: 1000 }] } },
    required: ['value'],
    additionalProperties: false,
  },
})

/** Get the public settings for sign-in: name, open registration, and whether mail is configured. */
export const getSettingsPublic = /*#__PURE__*/ operation<{
  readonly data: {
    readonly platformName: string
    readonly registrationOpen: boolean
    readonly canMail: boolean
  }
}>('GET /api/settings/public', { openTo: [] })

/** List the caller’s notifications, newest first. The notification preferences decide which kinds are added. */
export const getNotifications = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Notification[]
    | {
        readonly items: readonly Notification[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/notifications', {
  openTo: ['user'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Delete all notifications of the caller. */
export const deleteNotifications = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/notifications', { openTo: ['user'] })

/** Count the caller’s unread notifications. */
export const getNotificationsUnreadCount = /*#__PURE__*/ operation<{
  readonly data: {
    readonly count: number
  }
}>('GET /api/notifications/unread-count', { openTo: ['user'] })

/** Mark all notifications of the caller as read. */
export const postNotificationsReadAll = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/notifications/read-all', { openTo: ['user'] })

/** Mark a notification as read. */
export const postNotificationsByIdRead = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/notifications/{id}/read', { openTo: ['user'] })

/** Delete a notification. */
export const deleteNotificationsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/notifications/{id}', { openTo: ['user'] })

/** Stream changes `{position, kind, ids}`. Takes an `sseToken` or a session; resumes after `lastEventId`. */
export const getEventsStream = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly sseToken?: string | undefined
        readonly lastEventId?: string | undefined
      }
    | undefined
  readonly data: Response
}>('GET /api/events/stream', {
  openTo: ['user'],
  answers: 'stream',
  query: {
    type: 'object',
    properties: {
      sseToken: { type: 'string', maxLength: 100 },
      lastEventId: { type: 'string', pattern: '^(?:0|[1-9]\\d{0,15})$' },
    },
    required: [],
  },
})

/** Count accounts, projects, active API keys and sessions, and list new accounts. Names need users:view. */
export const getAdminOverview = /*#__PURE__*/ operation<{
  readonly data: Overview
}>('GET /api/admin/overview', { openTo: ['user'], permission: 'system:view' })

/** Get health counters: lag of read models, waiting and failing jobs, database size and process memory. */
export const getAdminHealth = /*#__PURE__*/ operation<{
  readonly data: Health
}>('GET /api/admin/health', { openTo: ['user'], permission: 'system:view' })

/** List the caller’s projects, or with `scope=all` every project, which needs projects:view. */
export const getProjects = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly scope?: 'mine' | 'all' | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Project[]
    | {
        readonly items: readonly Project[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/projects', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      scope: { default: 'mine', type: 'string', enum: ['mine', 'all'] },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Create a project that the caller owns. That of a MACHINE key has no owner until an account claims it. */
export const postProjects = /*#__PURE__*/ operation<{
  readonly body: {
    readonly name: string
    readonly description?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Project
}>('POST /api/projects', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:manage',
  limited: true,
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      description: { default: null, anyOf: [{ type: 'string', maxLength: 1000 }, { type: 'null' }] },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** List all project permissions, also those that no route requires yet, and those of each built-in role. */
export const getProjectsRbacCatalog = /*#__PURE__*/ operation<{
  readonly data: {
    readonly permissions: readonly string[]
    readonly roles: readonly {
      readonly role: string
      readonly permissions: readonly string[]
    }[]
  }
}>('GET /api/projects/rbac-catalog', { openTo: ['user', 'key'], scope: 'platform:projects:view' })

/** List every project on the platform. */
export const getAdminProjects = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Project[]
    | {
        readonly items: readonly Project[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/admin/projects', {
  openTo: ['user'],
  permission: 'projects:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Get a project. */
export const getProjectsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: Project
}>('GET /api/projects/{id}', { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] })

/** Change the name or description of a project. */
export const patchProjectsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name?: string | undefined
    readonly description?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Project
}>('PATCH /api/projects/{id}', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:manage',
  asks: ['project:settings:manage'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      description: { anyOf: [{ type: 'string', maxLength: 1000 }, { type: 'null' }] },
    },
    additionalProperties: false,
  },
})

/** Delete a project with its environments and shared variables. Its sealed data becomes unreadable for good. */
export const deleteProjectsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}', { openTo: ['user'], asks: ['project-role:OWNER'] })

/** Become the owner of a project that has none. */
export const postProjectsByIdClaimOwnership = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: Project
}>('POST /api/projects/{id}/claim-ownership', { openTo: ['user'], permission: 'projects:manage' })

/** Transfer a project to another member. The former owner stays as an ADMIN. */
export const postProjectsByIdTransferOwnership = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly memberId: string
  }
  readonly key?: string | undefined
  readonly data: Project
}>('POST /api/projects/{id}/transfer-ownership', {
  openTo: ['user'],
  asks: ['project-role:OWNER'],
  body: {
    type: 'object',
    properties: { memberId: { type: 'string', format: 'uuid' } },
    required: ['memberId'],
    additionalProperties: false,
  },
})

/** Get the caller’s effective permissions in the project as a whole, and the additional ones per environment. */
export const getProjectsByIdMyPermissions = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly permissions: readonly string[]
    readonly environments: readonly {
      readonly environmentId: string
      readonly permissions: readonly string[]
    }[]
  }
}>('GET /api/projects/{id}/my-permissions', { openTo: ['user'], asks: ['project'] })

/** Get the caller’s direct role in the project, or null, and the access that platform permissions add. */
export const getProjectsByIdMyRole = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly role: string | null
    readonly roleId: string | null
    readonly environmentIds: readonly string[] | null
    readonly platform: 'VIEWER' | 'ADMIN' | null
    readonly isAdmin: boolean
  }
}>('GET /api/projects/{id}/my-role', { openTo: ['user'], asks: ['project'] })

/** Count the members, teams, roles, environments and shared variables of a project. */
export const getProjectsByIdUsage = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly members: number
    readonly pendingMembers: number
    readonly teams: number
    readonly roles: number
    readonly environments: number
    readonly sharedVariables: number
  }
}>('GET /api/projects/{id}/usage', { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] })

/** List the members of a project, including addresses that no account has proven yet. */
export const getProjectsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ProjectMember[]
    | {
        readonly items: readonly ProjectMember[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/members', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:view',
  asks: ['project'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Add a member by address or account, by default as VIEWER. An unproven address joins once it is proven. */
export const postProjectsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly email?: string | undefined
    readonly userId?: string | undefined
    readonly role?: 'ADMIN' | 'DEVELOPER' | 'VIEWER' | undefined
    readonly roleId?: string | undefined
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly id: string
    readonly userId: string | null
    readonly email: string | null
    readonly role: string
    readonly roleId: string | null
    readonly environmentIds: readonly string[] | null
    readonly createdAt: string
  }
}>('POST /api/projects/{id}/members', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      userId: { type: 'string', format: 'uuid', 'x-names': 'users' },
      role: { type: 'string', enum: ['ADMIN', 'DEVELOPER', 'VIEWER'] },
      roleId: { type: 'string', format: 'uuid', 'x-names': 'projects/roles' },
      environmentIds: {
        default: null,
        anyOf: [
          { minItems: 1, maxItems: 100, type: 'array', items: { type: 'string', format: 'uuid' } },
          { type: 'null' },
        ],
        'x-names': 'projects/environments',
      },
    },
    additionalProperties: false,
    allOf: [{ oneOf: [{ required: ['email'] }, { required: ['userId'] }] }, { not: { required: ['role', 'roleId'] } }],
    description: 'Give either email or userId. Give either role or roleId, not both.',
  },
})

/** Give another member a built-in role, in all or some environments, within the caller’s own rights. */
export const patchProjectsByIdMembersByMemberId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly memberId: string
  }
  readonly body: {
    readonly role?: 'ADMIN' | 'DEVELOPER' | 'VIEWER' | undefined
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly data: ProjectMember
}>('PATCH /api/projects/{id}/members/{memberId}', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  body: {
    type: 'object',
    properties: {
      role: { type: 'string', enum: ['ADMIN', 'DEVELOPER', 'VIEWER'] },
      environmentIds: {
        anyOf: [
          { minItems: 1, maxItems: 100, type: 'array', items: { type: 'string', format: 'uuid' } },
          { type: 'null' },
        ],
        'x-names': 'projects/environments',
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give role or environmentIds.',
  },
})

/** Remove a member. The owner must transfer the project first. */
export const deleteProjectsByIdMembersByMemberId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly memberId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/members/{memberId}', { openTo: ['user'], asks: ['project:members:manage'] })

/** Leave a project. The owner must transfer it first. */
export const deleteProjectsByIdMembersMe = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/members/me', { openTo: ['user'], asks: ['project-membership'] })

/** Give a member one of the project’s own roles. With null, the member becomes a VIEWER. */
export const patchProjectsByIdMembersByMemberIdCustomRole = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly memberId: string
  }
  readonly body: {
    readonly roleId: string | null
  }
  readonly key?: string | undefined
  readonly data: ProjectMember
}>('PATCH /api/projects/{id}/members/{memberId}/custom-role', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  body: {
    type: 'object',
    properties: {
      roleId: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }], 'x-names': 'projects/roles' },
    },
    required: ['roleId'],
    additionalProperties: false,
  },
})

/** Get the role of a member and the permissions granted in addition to it. */
export const getProjectsByIdMembersByMemberIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly memberId: string
  }
  readonly data: {
    readonly role: string
    readonly roleId: string | null
    readonly environmentIds: readonly string[] | null
    readonly permissions: readonly string[]
  }
}>('GET /api/projects/{id}/members/{memberId}/grants', {
  openTo: ['user'],
  asks: ['project-membership:own', 'project:members:manage'],
})

/** Replace the permissions of a member beyond the role. `environmentIds` limits all rights of the member. */
export const putProjectsByIdMembersByMemberIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly memberId: string
  }
  readonly body: {
    readonly permissions: readonly (
      | 'apps:view'
      | 'apps:create'
      | 'apps:delete'
      | 'apps:deploy'
      | 'apps:restart'
      | 'apps:env'
      | 'apps:logs'
      | 'databases:view'
      | 'databases:create'
      | 'databases:delete'
      | 'databases:manage'
      | 'domains:view'
      | 'domains:manage'
      | 'domains:delete'
      | 'backups:view'
      | 'backups:create'
      | 'backups:restore'
      | 'backups:delete'
      | 'deployments:view'
      | 'members:manage'
      | 'environments:manage'
      | 'settings:manage'
    )[]
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly role: string
    readonly roleId: string | null
    readonly environmentIds: readonly string[] | null
    readonly permissions: readonly string[]
  }
}>('PUT /api/projects/{id}/members/{memberId}/grants', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  body: {
    type: 'object',
    properties: {
      permissions: {
        maxItems: 22,
        type: 'array',
        items: {
          type: 'string',
          enum: [
            'apps:view',
            'apps:create',
            'apps:delete',
            'apps:deploy',
            'apps:restart',
            'apps:env',
            'apps:logs',
            'databases:view',
            'databases:create',
            'databases:delete',
            'databases:manage',
            'domains:view',
            'domains:manage',
            'domains:delete',
            'backups:view',
            'backups:create',
            'backups:restore',
            'backups:delete',
            'deployments:view',
            'members:manage',
            'environments:manage',
            'settings:manage',
          ],
          description: 'A permission that no route requires yet is stored, and takes effect once a route requires it.',
        },
      },
      environmentIds: {
        anyOf: [
          { minItems: 1, maxItems: 100, type: 'array', items: { type: 'string', format: 'uuid' } },
          { type: 'null' },
        ],
        'x-names': 'projects/environments',
      },
    },
    required: ['permissions'],
    additionalProperties: false,
  },
})

/** List the project’s own roles. */
export const getProjectsByIdRoles = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ProjectRole[]
    | {
        readonly items: readonly ProjectRole[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/roles', {
  openTo: ['user', 'key'],
  scope: 'platform:projects:view',
  asks: ['project'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Create a custom role. Its name must be unique in the project. */
export const postProjectsByIdRoles = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name: string
    readonly permissions?:
      | readonly (
          | 'apps:view'
          | 'apps:create'
          | 'apps:delete'
          | 'apps:deploy'
          | 'apps:restart'
          | 'apps:env'
          | 'apps:logs'
          | 'databases:view'
          | 'databases:create'
          | 'databases:delete'
          | 'databases:manage'
          | 'domains:view'
          | 'domains:manage'
          | 'domains:delete'
          | 'backups:view'
          | 'backups:create'
          | 'backups:restore'
          | 'backups:delete'
          | 'deployments:view'
          | 'members:manage'
          | 'environments:manage'
          | 'settings:manage'
        )[]
      | undefined
  }
  readonly key?: string | undefined
  readonly data: ProjectRole
}>('POST /api/projects/{id}/roles', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 50 },
      permissions: {
        maxItems: 22,
        type: 'array',
        items: {
          type: 'string',
          enum: [
            'apps:view',
            'apps:create',
            'apps:delete',
            'apps:deploy',
            'apps:restart',
            'apps:env',
            'apps:logs',
            'databases:view',
            'databases:create',
            'databases:delete',
            'databases:manage',
            'domains:view',
            'domains:manage',
            'domains:delete',
            'backups:view',
            'backups:create',
            'backups:restore',
            'backups:delete',
            'deployments:view',
            'members:manage',
            'environments:manage',
            'settings:manage',
          ],
          description: 'A permission that no route requires yet is stored, and takes effect once a route requires it.',
        },
      },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Rename a custom role. */
export const patchProjectsByIdRolesByRoleId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly roleId: string
  }
  readonly body: {
    readonly name: string
  }
  readonly key?: string | undefined
  readonly data: ProjectRole
}>('PATCH /api/projects/{id}/roles/{roleId}', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  body: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 50 } },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Delete a custom role that no member and no team has. */
export const deleteProjectsByIdRolesByRoleId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly roleId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/roles/{roleId}', { openTo: ['user'], asks: ['project-role:ADMIN', 'project-role:OWNER'] })

/** Get the permissions of a custom role. */
export const getProjectsByIdRolesByRoleIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly roleId: string
  }
  readonly data: {
    readonly permissions: readonly string[]
  }
}>('GET /api/projects/{id}/roles/{roleId}/grants', { openTo: ['user'], asks: ['project'] })

/** Replace the permissions of a custom role. The change applies to all its members and teams at once. */
export const putProjectsByIdRolesByRoleIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly roleId: string
  }
  readonly body: {
    readonly permissions: readonly (
      | 'apps:view'
      | 'apps:create'
      | 'apps:delete'
      | 'apps:deploy'
      | 'apps:restart'
      | 'apps:env'
      | 'apps:logs'
      | 'databases:view'
      | 'databases:create'
      | 'databases:delete'
      | 'databases:manage'
      | 'domains:view'
      | 'domains:manage'
      | 'domains:delete'
      | 'backups:view'
      | 'backups:create'
      | 'backups:restore'
      | 'backups:delete'
      | 'deployments:view'
      | 'members:manage'
      | 'environments:manage'
      | 'settings:manage'
    )[]
  }
  readonly key?: string | undefined
  readonly data: {
    readonly permissions: readonly string[]
  }
}>('PUT /api/projects/{id}/roles/{roleId}/grants', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  body: {
    type: 'object',
    properties: {
      permissions: {
        maxItems: 22,
        type: 'array',
        items: {
          type: 'string',
          enum: [
            'apps:view',
            'apps:create',
            'apps:delete',
            'apps:deploy',
            'apps:restart',
            'apps:env',
            'apps:logs',
            'databases:view',
            'databases:create',
            'databases:delete',
            'databases:manage',
            'domains:view',
            'domains:manage',
            'domains:delete',
            'backups:view',
            'backups:create',
            'backups:restore',
            'backups:delete',
            'deployments:view',
            'members:manage',
            'environments:manage',
            'settings:manage',
          ],
          description: 'A permission that no route requires yet is stored, and takes effect once a route requires it.',
        },
      },
    },
    required: ['permissions'],
    additionalProperties: false,
  },
})

/** List the environments of a project that the caller’s roles include. */
export const getProjectsByIdEnvironments = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Environment[]
    | {
        readonly items: readonly Environment[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/environments', {
  openTo: ['user'],
  asks: ['project'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Add an environment. Its name must be unique in the project. */
export const postProjectsByIdEnvironments = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name: string
  }
  readonly key?: string | undefined
  readonly data: Environment
}>('POST /api/projects/{id}/environments', {
  openTo: ['user'],
  asks: ['project:environments:manage'],
  body: {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 40, pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$' } },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Rename an environment. */
export const patchProjectsByIdEnvironmentsByEnvId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly envId: string
  }
  readonly body: {
    readonly name: string
  }
  readonly key?: string | undefined
  readonly data: Environment
}>('PATCH /api/projects/{id}/environments/{envId}', {
  openTo: ['user'],
  asks: ['environment:environments:manage'],
  body: {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 40, pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$' } },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Delete an environment that has no shared variables. */
export const deleteProjectsByIdEnvironmentsByEnvId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly envId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/environments/{envId}', { openTo: ['user'], asks: ['environment:environments:manage'] })

/** List the shared variables of all environments or of `environmentId`. Without apps:env, values are masked. */
export const getProjectsByIdSharedEnv = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly environmentId?: string | undefined
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Variable[]
    | {
        readonly items: readonly Variable[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/shared-env', {
  openTo: ['user'],
  asks: ['project'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      environmentId: { type: 'string', format: 'uuid', 'x-names': 'projects/environments' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Replace the shared variables of all environments or of `environmentId`. A masked value keeps the old one. */
export const putProjectsByIdSharedEnv = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly environmentId?: string | undefined
      }
    | undefined
  readonly body: {
    readonly variables: readonly {
      readonly name: string
      readonly value: string
    }[]
  }
  readonly key?: string | undefined
  readonly data: readonly Variable[]
}>('PUT /api/projects/{id}/shared-env', {
  openTo: ['user'],
  asks: ['environment:apps:env'],
  shownOnce: ['value'],
  query: {
    type: 'object',
    properties: { environmentId: { type: 'string', format: 'uuid', 'x-names': 'projects/environments' } },
    required: [],
  },
  body: {
    type: 'object',
    properties: {
      variables: {
        maxItems: 500,
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 128, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
            value: { type: 'string', maxLength: 32768 },
          },
          required: ['name', 'value'],
          additionalProperties: false,
        },
      },
    },
    required: ['variables'],
    additionalProperties: false,
  },
})

/** Delete one shared variable. */
export const deleteProjectsByIdSharedEnvByRowId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly rowId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/shared-env/{rowId}', { openTo: ['user'], asks: ['environment:apps:env'] })

/** List the teams of a project with the roles that they give their members. */
export const getProjectsByIdTeams = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ProjectTeam[]
    | {
        readonly items: readonly ProjectTeam[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/projects/{id}/teams', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Add a team, by default as VIEWER. Its members get the role in addition, within the caller’s own rights. */
export const postProjectsByIdTeams = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly teamId: string
    readonly role?: 'ADMIN' | 'DEVELOPER' | 'VIEWER' | undefined
    readonly roleId?: string | undefined
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly data: ProjectTeam
}>('POST /api/projects/{id}/teams', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  body: {
    type: 'object',
    properties: {
      teamId: { type: 'string', format: 'uuid', 'x-names': 'teams' },
      role: { type: 'string', enum: ['ADMIN', 'DEVELOPER', 'VIEWER'] },
      roleId: { type: 'string', format: 'uuid', 'x-names': 'projects/roles' },
      environmentIds: {
        default: null,
        anyOf: [
          { minItems: 1, maxItems: 100, type: 'array', items: { type: 'string', format: 'uuid' } },
          { type: 'null' },
        ],
        'x-names': 'projects/environments',
      },
    },
    required: ['teamId'],
    additionalProperties: false,
    allOf: [{ not: { required: ['role', 'roleId'] } }],
    description: 'Give either role or roleId, not both.',
  },
})

/** Remove a team from a project. Other roles of its members stay. */
export const deleteProjectsByIdTeamsByTeamId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly teamId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/teams/{teamId}', { openTo: ['user'], asks: ['project:members:manage'] })

/** Read the default quotas. Null: no limit. */
export const getAdminQuotasDefaults = /*#__PURE__*/ operation<{
  readonly data: {
    readonly projects: number | null
    readonly members: number | null
    readonly environments: number | null
  }
}>('GET /api/admin/quotas/defaults', { openTo: ['user'], permission: 'quotas:view' })

/** Change default quotas; null: no limit. What exists stays. */
export const patchAdminQuotasDefaults = /*#__PURE__*/ operation<{
  readonly body: {
    readonly projects?: number | null | undefined
    readonly members?: number | null | undefined
    readonly environments?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly projects: number | null
    readonly members: number | null
    readonly environments: number | null
  }
}>('PATCH /api/admin/quotas/defaults', {
  openTo: ['user'],
  permission: 'quotas:manage',
  body: {
    type: 'object',
    properties: {
      projects: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
      members: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
      environments: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Read an account’s quota (null: default) and what holds. */
export const getAdminQuotasUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly projects: number | null
    readonly inEffect: {
      readonly projects: number | null
    }
  }
}>('GET /api/admin/quotas/users/{id}', { openTo: ['user'], permission: 'quotas:view' })

/** Change how many projects an account may own; null: default. */
export const patchAdminQuotasUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly projects?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly projects: number | null
    readonly inEffect: {
      readonly projects: number | null
    }
  }
}>('PATCH /api/admin/quotas/users/{id}', {
  openTo: ['user'],
  permission: 'quotas:manage',
  body: {
    type: 'object',
    properties: { projects: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] } },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Read a project’s quota (null: default) and what holds. */
export const getProjectsByIdResourceQuota = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly members: number | null
    readonly environments: number | null
    readonly inEffect: {
      readonly members: number | null
      readonly environments: number | null
    }
  }
}>('GET /api/projects/{id}/resource-quota', { openTo: ['user'], permission: 'quotas:view' })

/** Change how many members, also pending ones, and environments a project may have. What exists stays; null: default. */
export const patchProjectsByIdResourceQuota = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly members?: number | null | undefined
    readonly environments?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly members: number | null
    readonly environments: number | null
    readonly inEffect: {
      readonly members: number | null
      readonly environments: number | null
    }
  }
}>('PATCH /api/projects/{id}/resource-quota', {
  openTo: ['user'],
  permission: 'quotas:manage',
  body: {
    type: 'object',
    properties: {
      members: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
      environments: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** As PATCH /api/projects/{id}/resource-quota. */
export const patchProjectsByIdQuota = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly members?: number | null | undefined
    readonly environments?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly members: number | null
    readonly environments: number | null
    readonly inEffect: {
      readonly members: number | null
      readonly environments: number | null
    }
  }
}>('PATCH /api/projects/{id}/quota', {
  openTo: ['user'],
  permission: 'quotas:manage',
  asks: ['role:ADMIN', 'role:SUPERADMIN'],
  body: {
    type: 'object',
    properties: {
      members: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
      environments: { anyOf: [{ type: 'integer', minimum: 0, maximum: 1000000 }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** List the teams that the caller is a member of, including owned ones. */
export const getTeams = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Team[]
    | {
        readonly items: readonly Team[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/teams', {
  openTo: ['user'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Create a team. The caller owns it and is its first member. */
export const postTeams = /*#__PURE__*/ operation<{
  readonly body: {
    readonly name: string
    readonly colour?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Team
}>('POST /api/teams', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      colour: { default: null, anyOf: [{ type: 'string', pattern: '^#[0-9a-f]{6}$' }, { type: 'null' }] },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Get a team with its members. */
export const getTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly id: string
    readonly name: string
    readonly colour: string | null
    readonly ownerId: string | null
    readonly createdAt: string
    readonly members: readonly TeamMember[]
  }
}>('GET /api/teams/{id}', { openTo: ['user'], asks: ['team'] })

/** Change the name or colour of a team. */
export const patchTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name?: string | undefined
    readonly colour?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Team
}>('PATCH /api/teams/{id}', {
  openTo: ['user'],
  asks: ['team-role:OWNER'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      colour: { anyOf: [{ type: 'string', pattern: '^#[0-9a-f]{6}$' }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete a team. Its members lose the access to projects that it gave them. */
export const deleteTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/teams/{id}', { openTo: ['user'], asks: ['team-role:OWNER'] })

/** Add a member with the team’s project access. An unproven address joins once it is proven. */
export const postTeamsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly email?: string | undefined
    readonly userId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly id: string
    readonly userId: string | null
    readonly email: string | null
    readonly createdAt: string
  }
}>('POST /api/teams/{id}/members', {
  openTo: ['user'],
  asks: ['team-role:OWNER'],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      userId: { type: 'string', format: 'uuid', 'x-names': 'users' },
    },
    additionalProperties: false,
    allOf: [{ oneOf: [{ required: ['email'] }, { required: ['userId'] }] }],
    description: 'Give either email or userId.',
  },
})

/** Remove a member by account id, or a pending member by member id. The owner cannot be removed. */
export const deleteTeamsByIdMembersByMemberUserId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly memberUserId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/teams/{id}/members/{memberUserId}', { openTo: ['user'], asks: ['team-role:OWNER'] })

/** List every team on the platform. */
export const getAdminTeams = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        readonly page?: number | undefined
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Team[]
    | {
        readonly items: readonly Team[]
        readonly total: number
        readonly page: number
        readonly pageSize: number
      }
}>('GET /api/admin/teams', {
  openTo: ['user'],
  permission: 'users:view',
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** Get any team with its members. */
export const getAdminTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly data: {
    readonly id: string
    readonly name: string
    readonly colour: string | null
    readonly ownerId: string | null
    readonly createdAt: string
    readonly members: readonly TeamMember[]
  }
}>('GET /api/admin/teams/{id}', { openTo: ['user'], permission: 'users:view' })

/** Change the name or colour of any team. */
export const patchAdminTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly name?: string | undefined
    readonly colour?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Team
}>('PATCH /api/admin/teams/{id}', {
  openTo: ['user'],
  permission: 'users:manage',
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      colour: { anyOf: [{ type: 'string', pattern: '^#[0-9a-f]{6}$' }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete any team. Its members lose the access to projects that it gave them. */
export const deleteAdminTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/teams/{id}', { openTo: ['user'], permission: 'users:manage' })

/** Add a member to any team. The caller needs every permission that the team has in its projects. */
export const postAdminTeamsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
  }
  readonly body: {
    readonly email?: string | undefined
    readonly userId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    readonly id: string
    readonly userId: string | null
    readonly email: string | null
    readonly createdAt: string
  }
}>('POST /api/admin/teams/{id}/members', {
  openTo: ['user'],
  permission: 'users:manage',
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      userId: { type: 'string', format: 'uuid', 'x-names': 'users' },
    },
    additionalProperties: false,
    allOf: [{ oneOf: [{ required: ['email'] }, { required: ['userId'] }] }],
    description: 'Give either email or userId.',
  },
})

/** Remove a member from any team. The owner cannot be removed. */
export const deleteAdminTeamsByIdMembersByMemberUserId = /*#__PURE__*/ operation<{
  readonly params: {
    readonly id: string
    readonly memberUserId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/teams/{id}/members/{memberUserId}', { openTo: ['user'], permission: 'users:manage' })

/** Report whether the process answers. */
export const getHealth = /*#__PURE__*/ operation<{
  readonly data: {
    readonly status: 'ok'
  }
}>('GET /api/health', { openTo: [] })

/** Report whether the process is ready to work. `degraded`: events are parked or some requests get 503; the rest works. */
export const getHealthReady = /*#__PURE__*/ operation<{
  readonly data: {
    readonly status: 'ok' | 'degraded' | 'failing'
    readonly checks: { readonly [name: string]: 'ok' | 'degraded' | 'failing' }
    readonly notes?: { readonly [name: string]: string } | undefined
  }
}>('GET /api/health/ready', { openTo: [] })

/** Get the metrics in the Prometheus text format. Other addresses than the allowed ones get 404. */
export const getMetrics = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /metrics', { openTo: [], answers: 'stream' })

/** Get the OpenAPI 3.1 document of this API. */
export const getOpenapiJson = /*#__PURE__*/ operation<{
  readonly data: string
}>('GET /api/openapi.json', { openTo: [] })

/** Get the documentation of this API as an HTML page. */
export const getDocs = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /api/docs', { openTo: [], answers: 'stream' })

/** Describe this service as JSON and link to its documentation. A browser gets the first page. */
export const getRoot = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /', { openTo: [], answers: 'stream' })
