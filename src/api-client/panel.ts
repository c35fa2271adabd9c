/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from './operation.ts'

export type User = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string | null
  /** The role of the account. */
  readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION'
  /** Whether the account has a second factor. */
  readonly totpEnabled: boolean
  /** The photo. Null: there is none. */
  readonly avatarId: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type AdminUser = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string | null
  /** The role of the account. */
  readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION'
  /** Whether the account has a second factor. */
  readonly totpEnabled: boolean
  /** The photo. Null: there is none. */
  readonly avatarId: string | null
  /** When the record was created. */
  readonly createdAt: string
  /** Permissions on the platform that the account holds by itself. */
  readonly adminPermissions: readonly string[]
  /** The admin role of the account. Null: none. */
  readonly adminRole: {
    /** The id of the record. */
    readonly id: string
    /** The name that people read in lists. */
    readonly name: string
  } | null
}

export type Profile = {
  /** The id of the record. */
  readonly id: string
  /** The e-mail address of the account. */
  readonly email: string
  /** The name that people read in lists. */
  readonly name: string | null
  /** The role of the account. */
  readonly role: string
  /** The state of the record. */
  readonly status: string
  /** The names of the permissions. */
  readonly permissions: readonly string[]
  /** Whether the account has a second factor. */
  readonly totpEnabled: boolean
  /** When the record was created. */
  readonly createdAt: string
}

export type Session = {
  /** The id of the record. */
  readonly id: string
  /** When the record was created. */
  readonly createdAt: string
  /** When the credential was used last. Null: never. */
  readonly lastUsedAt: string
  /** The address that the request came from. */
  readonly ip: string | null
  /** The browser or program, as it names itself. */
  readonly userAgent: string | null
  /** Whether it is the session of this request. */
  readonly current: boolean
}

export type ApiKey = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The first characters of the secret, to recognise it. */
  readonly prefix: string
  /** What it is about or acts for. */
  readonly kind: 'PERSONAL' | 'MACHINE'
  /** The account that owns it. */
  readonly ownerId: string | null
  /** The scopes, which decide the routes that the key opens. */
  readonly scopes: readonly string[]
  /** The projects that the key is limited to. Absent: all of its owner. */
  readonly projectIds: readonly string[] | null
  /** Addresses and ranges from which the credential may be used. An empty list allows every address. */
  readonly allowedIps: readonly string[]
  /** When it ends. */
  readonly expiresAt: string | null
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'REVOKED' | 'EXPIRED'
  /** When the record was created. */
  readonly createdAt: string
  /** The account that created the key. */
  readonly mintedBy: string
  /** When the credential was used last. Null: never. */
  readonly lastUsedAt: string | null
  /** The address that it was used from last. */
  readonly lastUsedIp: string | null
  /** When it was revoked. Null: it is not. */
  readonly revokedAt: string | null
  /** The actor that revoked it. Null: it is not revoked. */
  readonly revokedBy: string | null
}

export type License = {
  /** The state of the record. */
  readonly status: 'FREE' | 'ACTIVE' | 'OFFLINE' | 'GRACE' | 'DEGRADED' | 'TAMPERED'
  /** Why the status is not ACTIVE. */
  readonly reason: string | null
  /** The plan of the license. */
  readonly plan: string
  /** The features of the license and their values. */
  readonly features: { readonly [name: string]: boolean | number | string }
  /** The id of the license key, which is no secret. */
  readonly keyId: string | null
  /** When it ends. */
  readonly expiresAt: string | null
  /** When the status gets worse unless the license is renewed. */
  readonly graceUntil: string | null
  /** When the licensing service last answered. */
  readonly lastContactAt: string | null
  /** CACHE: the licensing service did not answer the last request. */
  readonly source: 'ONLINE' | 'CACHE' | 'FILE' | null
  /** Why the licensing service last refused the activation, and what to do. Null: no refusal since the last success. */
  readonly refusal: {
    /** When it happened. */
    readonly at: string
    /** Why the license is not in effect, for programs. Null: it is. */
    readonly code: string | null
    /** What happened, in a sentence. */
    readonly message: string
  } | null
}

export type AdminRole = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The names of the permissions. */
  readonly permissions: readonly string[]
  /** When the record was created. */
  readonly createdAt: string
}

export type AuditEntry = {
  /** The place of the event in the history of this installation. */
  readonly position: number
  /** When it happened. */
  readonly at: string
  /** The caller that caused the event. */
  readonly actor: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
    /** What names it to a reader. Null: it was erased, or never had a name. */
    readonly label: string | null
    /** The address that the request came from. */
    readonly ip: string | null
  }
  /** The kind of event that the entry is about. */
  readonly action: string
  /** The record that the event is about. */
  readonly subject: {
    /** The kind of the record. */
    readonly type: string
    /** The id of the record. */
    readonly id: string
    /** What names it to a reader. Null: it was erased, or never had a name. */
    readonly label: string | null
  }
  /** The id of the request that caused the event. */
  readonly requestId: string
  /** The event in a sentence. */
  readonly sentence: string
  /** What the event says, without secrets and personal data. */
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
  /** The mail server. */
  readonly mail: {
    /** Null: no mail server is set. */
    readonly host: string | null
    /** The port of the mail server. Null removes it. */
    readonly port: number | null
    /** How the connection to the mail server is encrypted. Null removes the value. */
    readonly tls: 'TLS' | 'STARTTLS' | 'OPTIONAL' | null
    /** The account name at the mail server. Null removes it. */
    readonly user: string | null
    /** Masked. Send the mask back to keep the stored password. */
    readonly password: string | null
    /** The sender of mails. */
    readonly from: string | null
  }
  /** Public addresses. */
  readonly urls: {
    /** The URL under which people open this panel; links lead there. */
    readonly panel: string
  }
  /** How long records are kept. */
  readonly retention: {
    /** After how many days notices are removed. Null: the usual number. */
    readonly notificationDays: number
    /** After how many days last uses are removed. Null: the usual number. */
    readonly telemetryDays: number
  }
  /** Where each value comes from. */
  readonly sources: {
    /** The mail server. */
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
    /** Public addresses. */
    readonly urls: {
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly panel: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
    }
    /** How long records are kept. */
    readonly retention: {
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly notificationDays: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
      /** ENVIRONMENT: set by the operator; it cannot be changed here. */
      readonly telemetryDays: 'ENVIRONMENT' | 'ADMIN' | 'USUAL'
    }
  }
}

export type Notification = {
  /** The id of the record. */
  readonly id: string
  /** What it is about or acts for. */
  readonly kind: 'NEW_DEVICE' | 'SECOND_FACTOR' | 'PASSWORD' | 'API_KEY' | 'MEMBERSHIP' | 'LICENSE'
  /** The heading. */
  readonly title: string
  /** The project. Null: the notice is about something else. */
  readonly projectId: string | null
  /** The team. */
  readonly teamId: string | null
  /** The API key. Null: the notice is about something else. */
  readonly apiKeyId: string | null
  /** When the notice was read. Null: not yet. */
  readonly readAt: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type Overview = {
  /** Accounts. */
  readonly users: {
    /** The number of all of them. */
    readonly total: number
    /** Accounts by state. */
    readonly byStatus: Readonly<Record<'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION', number>>
  }
  /** Projects. */
  readonly projects: {
    /** The number of all of them. */
    readonly total: number
    /** Projects without an owner. */
    readonly unowned: number
  }
  /** API keys. */
  readonly apiKeys: {
    /** Those that are in use. */
    readonly active: number
  }
  /** Sessions. */
  readonly sessions: {
    /** Those that are in use. */
    readonly active: number
  }
  /** The newest accounts. */
  readonly recentSignups: readonly {
    /** The id of the record. */
    readonly id: string
    /** The e-mail address of the account. */
    readonly email: string | null
    /** The name that people read in lists. */
    readonly name: string | null
    /** The role of the account. */
    readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
    /** The state of the record. */
    readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION'
    /** When the record was created. */
    readonly createdAt: string
  }[]
}

export type Health = {
  /** The state of the record. */
  readonly status: 'ok' | 'degraded'
  /** What an operator should do. Null: nothing. */
  readonly concern: string | null
  /** The position of the newest event. */
  readonly position: number
  /** The read models. */
  readonly readModels: {
    /** The number of read models. */
    readonly total: number
    /** The number of read models that have not applied every event. */
    readonly behind: number
    /** How many positions the slowest read model is behind. */
    readonly lag: number
    /** Events that could not be applied. */
    readonly parked: number
  }
  /** Work after events. */
  readonly work: {
    /** Reactions and timers that wait. */
    readonly waiting: number
    /** How long the oldest work waits, in seconds. */
    readonly oldestSeconds: number
    /** Those that failed and are tried again. */
    readonly failing: number
    /** How many seconds ago a worker counted this. Null: none has run yet. */
    readonly lookedSecondsAgo: number | null
  }
  /** The database. */
  readonly database: {
    /** The size in bytes. */
    readonly bytes: number
  }
  /** This process. */
  readonly process: {
    /** How long the process has run, in seconds. */
    readonly uptimeSeconds: number
    /** The memory of the process. */
    readonly memoryBytes: number
  }
}

export type Project = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** What it is for, in the words of its authors. */
  readonly description: string | null
  /** The account that owns it. Null: an account can claim it. */
  readonly ownerId: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type ProjectMember = {
  /** The id of the record. */
  readonly id: string
  /** The account. */
  readonly userId: string | null
  /** The e-mail address of the account. */
  readonly email: string | null
  /** The name that people read in lists. */
  readonly name: string | null
  /** The role of the account. */
  readonly role: string
  /** A role of this project. Not together with `role`. */
  readonly roleId: string | null
  /** The environments that the role is limited to. Null: all of them. */
  readonly environmentIds: readonly string[] | null
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'PENDING'
  /** When the record was created. */
  readonly createdAt: string
}

export type ProjectRole = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The names of the permissions. */
  readonly permissions: readonly string[]
  /** When the record was created. */
  readonly createdAt: string
}

export type Environment = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** When the record was created. */
  readonly createdAt: string
}

export type Variable = {
  /** The id of the record. */
  readonly id: string
  /** The environment. Absent: the project as a whole. */
  readonly environmentId: string | null
  /** The name that people read in lists. */
  readonly name: string
  /** The value. */
  readonly value: string
  /** Whether the value is hidden, because the caller may not read it. */
  readonly masked: boolean
  /** When it was changed last. */
  readonly updatedAt: string
}

export type ProjectTeam = {
  /** The team. */
  readonly teamId: string
  /** The name that people read in lists. */
  readonly name: string
  /** The colour in lists, as `#rrggbb`. Null: none. */
  readonly colour: string | null
  /** The role of the account. */
  readonly role: string
  /** A role of this project. Not together with `role`. */
  readonly roleId: string | null
  /** The environments that the role is limited to. Null: all of them. */
  readonly environmentIds: readonly string[] | null
  /** When the record was created. */
  readonly createdAt: string
}

export type Team = {
  /** The id of the record. */
  readonly id: string
  /** The name that people read in lists. */
  readonly name: string
  /** The colour in lists, as `#rrggbb`. Null: none. */
  readonly colour: string | null
  /** The account that owns it. */
  readonly ownerId: string | null
  /** When the record was created. */
  readonly createdAt: string
}

export type TeamMember = {
  /** The id of the record. */
  readonly id: string
  /** The account. */
  readonly userId: string | null
  /** The e-mail address of the account. */
  readonly email: string | null
  /** The name that people read in lists. */
  readonly name: string | null
  /** The state of the record. */
  readonly status: 'ACTIVE' | 'PENDING'
  /** When the record was created. */
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
        /** The role of the account. */
        readonly role?: 'SUPERADMIN' | 'ADMIN' | 'USER' | undefined
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION' | undefined
        /** A search text: part of a name, or a whole id, address or key id. */
        readonly q?: string | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly User[]
    | {
        /** The records of this page. */
        readonly items: readonly User[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The name that people read in lists. */
    readonly name: string | null
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    /** Which kinds of mail the account gets. */
    readonly notifications: Readonly<
      Record<'NEW_DEVICE' | 'SECOND_FACTOR' | 'PASSWORD' | 'API_KEY' | 'MEMBERSHIP' | 'LICENSE', boolean>
    >
  }
}>('GET /api/users/me/notification-preferences', { openTo: ['user'] })

/** Set for every kind of notification whether the caller wants it. */
export const putUsersMeNotificationPreferences = /*#__PURE__*/ operation<{
  readonly body: {
    /** Which kinds of mail the account gets. */
    readonly notifications: Readonly<
      Record<'NEW_DEVICE' | 'SECOND_FACTOR' | 'PASSWORD' | 'API_KEY' | 'MEMBERSHIP' | 'LICENSE', boolean>
    >
  }
  readonly key?: string | undefined
  readonly data: {
    /** Which kinds of mail the account gets. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: User
}>('GET /api/users/{id}', { openTo: ['user'], permission: 'users:view' })

/** Change the name, role or status of an account. A new role or status ends its sessions. */
export const patchUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | null | undefined
    /** The role of the account. */
    readonly role?: 'SUPERADMIN' | 'ADMIN' | 'USER' | undefined
    /** The state of the record. */
    readonly status?: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/users/{id}', { openTo: ['user'], permission: 'users:manage' })

/** Get the photo of an account. */
export const getUsersByIdAvatar = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Response
}>('GET /api/users/{id}/avatar', { openTo: ['user'], answers: 'stream' })

/** List accounts with their admin permissions. `q` finds an account by its full e-mail address or its id. */
export const getAdminUsers = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The role of the account. */
        readonly role?: 'SUPERADMIN' | 'ADMIN' | 'USER' | undefined
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | 'PENDING_VERIFICATION' | undefined
        /** A search text: part of a name, or a whole id, address or key id. */
        readonly q?: string | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly AdminUser[]
    | {
        /** The records of this page. */
        readonly items: readonly AdminUser[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The e-mail address of the account. */
    readonly email: string
    /** The name that people read in lists. */
    readonly name?: string | null | undefined
    /** The role of the account. */
    readonly role?: 'SUPERADMIN' | 'ADMIN' | 'USER' | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The link for setting a password, if no mail can be sent. */
    readonly link: string | null
    /** The account name at the mail server. Null removes it. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: AdminUser
}>('GET /api/admin/users/{id}', { openTo: ['user'], permission: 'users:view' })

/** Erase an account for good, like DELETE /api/users/{id}. */
export const deleteAdminUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/users/{id}', { openTo: ['user'], permission: 'users:manage' })

/** Rename an account. Only a SUPERADMIN can rename an ADMIN or a SUPERADMIN. */
export const patchAdminUsersByIdProfile = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string | null
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The role of the account. */
    readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The state of the record. */
    readonly status: 'ACTIVE' | 'SUSPENDED' | 'BANNED'
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The names of the permissions. */
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
  readonly ifMatch?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: AdminUser
}>('PATCH /api/admin/users/{id}/admin-permissions', {
  openTo: ['user'],
  asks: ['role:SUPERADMIN'],
  from: { role: ['ADMIN'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The admin role. Null removes it. */
    readonly adminRoleId: string | null
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: AdminUser
}>('PATCH /api/admin/users/{id}/admin-role', {
  openTo: ['user'],
  asks: ['role:SUPERADMIN'],
  from: { role: ['ADMIN'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: Blob
  readonly data: User
}>('POST /api/admin/users/{id}/avatar', { openTo: ['user'], permission: 'users:manage', sends: 'bytes' })

/** Remove the photo of an account. */
export const deleteAdminUsersByIdAvatar = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/users/{id}/avatar', { openTo: ['user'], permission: 'users:manage' })

/** Create a one-time link to set a new password. It is mailed, or returned once if mail is not configured. */
export const postAdminUsersByIdResetPassword = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** The link for setting a password, if no mail can be sent. */
    readonly link: string | null
  }
}>('POST /api/admin/users/{id}/reset-password', { openTo: ['user'], permission: 'users:manage', shownOnce: ['link'] })

/** Sign in. `totp`: six digits or a backup code. If it is missing: `Second factor required`. */
export const postAuthLogin = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code, if the account has a second factor. */
    readonly totp?: string | undefined
  }
  readonly data: {
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account name at the mail server. Null removes it. */
    readonly user: Profile
  }
}>('POST /api/auth/login', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', minLength: 1, maxLength: 320 },
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      totp: { type: 'string', maxLength: 64 },
    },
    required: ['email', 'password'],
    additionalProperties: false,
  },
})

/** Exchange the refresh token (cookie or body) for new tokens. Reuse of an older token ends the session. */
export const postAuthRefresh = /*#__PURE__*/ operation<{
  readonly body: {
    /** The token of the cookie, for a client without cookies. */
    readonly refreshToken?: string | undefined
  }
  readonly data: {
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account name at the mail server. Null removes it. */
    readonly user: Profile
    /** The token of the cookie, for a client without cookies. */
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
    /** The password of today. */
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
      current: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      new: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        format: 'password',
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
    /** The photo. Null: there is none. */
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
    /** The name that people read in lists. */
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
    /** Whether the tour is finished. */
    readonly completed: boolean
    /** When the work was done. Null: not yet. */
    readonly completedAt: string | null
  }
}>('GET /api/auth/me/onboarding', { openTo: ['user'] })

/** Record that the caller has completed the onboarding. Only the first call counts. */
export const postAuthMeOnboardingComplete = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: {
    /** Whether the tour is finished. */
    readonly completed: boolean
    /** When the work was done. Null: not yet. */
    readonly completedAt: string | null
  }
}>('POST /api/auth/me/onboarding/complete', { openTo: ['user'] })

/** Get whether the first account has yet to be created, which takes the setup token that the host shows. */
export const getAuthSetupStatus = /*#__PURE__*/ operation<{
  readonly data: {
    /** Whether the first account must still be created. */
    readonly setupRequired: boolean
  }
}>('GET /api/auth/setup-status', { openTo: [] })

/** Register an account: the first with `setupToken` (201), later ones by a mailed link if it is open (202). */
export const postAuthRegister = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
    /** A passphrase that is hard to guess. Characters count after normalisation to NFKC. */
    readonly password: string
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The token of the link that the first start prints. It makes the account a SUPERADMIN. */
    readonly setupToken?: string | undefined
  }
  readonly data: {
    /** What happened, in a sentence. */
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
        format: 'password',
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
    /** The token of the mailed link. */
    readonly token: string
    /** A code of the authenticator app, or a backup code, if the account has a second factor. */
    readonly totp?: string | undefined
  }
  readonly data: {
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account name at the mail server. Null removes it. */
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
    /** The e-mail address of the account. */
    readonly email: string
  }
  readonly data: {
    /** What happened, in a sentence. */
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
    /** The e-mail address of the account. */
    readonly email: string
  }
  readonly data: {
    /** What happened, in a sentence. */
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
    /** The token of the mailed link. */
    readonly token: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 beside a second factor. Characters count after normalisation to NFKC. */
    readonly password: string
    /** Whether all API keys of the account are revoked too. */
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
        format: 'password',
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
    /** The password of the account. */
    readonly password: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** The secret. It is shown only here. */
    readonly secret: string
    /** The address that an authenticator app reads from a QR code. */
    readonly otpauthUrl: string
  }
}>('POST /api/auth/2fa/setup', {
  openTo: ['user'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: {
    type: 'object',
    properties: { password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' } },
    required: ['password'],
    additionalProperties: false,
  },
})

/** Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions. */
export const postAuth2faEnable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** Codes that replace a code of the second factor, each once. They are shown only here. */
    readonly backupCodes: readonly string[]
  }
}>('POST /api/auth/2fa/enable', {
  openTo: ['user'],
  shownOnce: ['backupCodes'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions. */
export const postAuth2faDisable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/auth/2fa/disable', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
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
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Session[]
    | {
        /** The records of this page. */
        readonly items: readonly Session[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/auth/sessions/{id}', { openTo: ['user'] })

/** Create a token that opens one event stream (`path`, by default the change feed), once and within a minute. */
export const postAuthSseToken = /*#__PURE__*/ operation<{
  readonly body?:
    | {
        /** The route that the token opens. */
        readonly path?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: {
    /** A token for one connection of a browser, which cannot send a header there. */
    readonly sseToken: string
    /** When it ends. */
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
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ApiKey[]
    | {
        /** The records of this page. */
        readonly items: readonly ApiKey[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The name that people read in lists. */
    readonly name: string
    /** Unknown scopes are left out. At least one must remain. */
    readonly scopes: readonly string[]
    /** The projects that the key is limited to. Absent: all of its owner. */
    readonly projectIds?: readonly string[] | undefined
    /** Where the credential may be used. An empty list allows every address. Every address together is refused. */
    readonly allowedIps?: readonly string[] | undefined
    /** In the future and less than 365 days ahead. Null: no end. */
    readonly expiresAt?: string | null | undefined
    /** PERSONAL acts for its owner. MACHINE belongs to the installation, and only a SUPERADMIN creates one. */
    readonly kind?: 'PERSONAL' | 'MACHINE' | undefined
    /** The account that owns it. */
    readonly ownerId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The name of the setting. */
    readonly key: {
      /** The id of the record. */
      readonly id: string
      /** The first characters of the secret, to recognise it. */
      readonly prefix: string
      /** The scopes, which decide the routes that the key opens. */
      readonly scopes: readonly string[]
    }
    /** The secret. It is shown only here. */
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
      expiresAt: {
        default: null,
        description: 'In the future and less than 365 days ahead. Null: no end.',
        anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
      },
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
    /** `mine` lists the projects of the caller, `all` those of the installation. */
    readonly scope: string
    /** The routes that the scope opens. */
    readonly routes: readonly string[]
  }[]
}>('GET /api/api-keys/scopes', { openTo: ['user'] })

/** Revoke one of the caller’s keys, or all active ones with `all` as the id. Revoked keys stay in the list. */
export const postApiKeysByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: ApiKey | readonly ApiKey[]
}>('POST /api/api-keys/{id}/revoke', { openTo: ['user'], from: { status: ['ACTIVE', 'EXPIRED'] } })

/** Delete one of the caller’s keys. It stops working at once and leaves all lists; the audit log keeps it. */
export const deleteApiKeysById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/api-keys/{id}', { openTo: ['user'] })

/** List all keys of the installation, or those of one account (`userId`). */
export const getAdminApiKeys = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The account. */
        readonly userId?: string | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ApiKey[]
    | {
        /** The records of this page. */
        readonly items: readonly ApiKey[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: ApiKey
}>('POST /api/admin/api-keys/{id}/revoke', {
  openTo: ['user'],
  permission: 'users:manage',
  from: { status: ['ACTIVE', 'EXPIRED'] },
})

/** Delete any account’s key. The audit log names the key and its owner. */
export const deleteAdminApiKeysById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
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
        /** The signed license key. */
        readonly licenseKey: string
        /** Contacts no service, and returns an offlineRequest to make a lease file from. */
        readonly offline?: boolean | undefined
      }
    | {
        /** The lease file that the licensing service made for this panel. */
        readonly leaseFile: string
      }
  readonly key?: string | undefined
  readonly data: {
    /** The state of the record. */
    readonly status: 'FREE' | 'ACTIVE' | 'OFFLINE' | 'GRACE' | 'DEGRADED' | 'TAMPERED'
    /** Why the status is not ACTIVE. */
    readonly reason: string | null
    /** The plan of the license. */
    readonly plan: string
    /** The features of the license and their values. */
    readonly features: { readonly [name: string]: boolean | number | string }
    /** The id of the license key, which is no secret. */
    readonly keyId: string | null
    /** When it ends. */
    readonly expiresAt: string | null
    /** When the status gets worse unless the license is renewed. */
    readonly graceUntil: string | null
    /** When the licensing service last answered. */
    readonly lastContactAt: string | null
    /** CACHE: the licensing service did not answer the last request. */
    readonly source: 'ONLINE' | 'CACHE' | 'FILE' | null
    /** Why the licensing service last refused the activation, and what to do. Null: no refusal since the last success. */
    readonly refusal: {
      /** When it happened. */
      readonly at: string
      /** Why the license is not in effect, for programs. Null: it is. */
      readonly code: string | null
      /** What happened, in a sentence. */
      readonly message: string
    } | null
    /** The request to make a lease file from. Null: none was asked for. */
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
  readonly from: { readonly keyId: unknown }
  readonly data: License
}>('POST /api/admin/license/remove', { openTo: ['user'], permission: 'license:manage', from: { keyId: 'set' } })

/** Contact the licensing service now. If it does not answer, `source` is CACHE and the status the last known. */
export const postAdminLicenseRevalidate = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly from: { readonly keyId: unknown }
  readonly data: License
}>('POST /api/admin/license/revalidate', { openTo: ['user'], permission: 'license:manage', from: { keyId: 'set' } })

/** List the admin roles. PATCH /api/admin/users/{id}/admin-role assigns one. */
export const getAdminRoles = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly AdminRole[]
    | {
        /** The records of this page. */
        readonly items: readonly AdminRole[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The name that people read in lists. */
    readonly name: string
    /** The names of the permissions. */
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
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The names of the permissions. */
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
  readonly ifMatch?: string | undefined
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
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/roles/{roleId}', { openTo: ['user'], asks: ['role:SUPERADMIN'] })

/** List the platform permissions that can be granted, and presets for admin roles. */
export const getAdminPermissionsCatalog = /*#__PURE__*/ operation<{
  readonly data: {
    /** The names of the permissions. */
    readonly permissions: readonly string[]
    /** Sets of permissions that are often given together. */
    readonly presets: readonly {
      /** The name that people read in lists. */
      readonly name: string
      /** The names of the permissions. */
      readonly permissions: readonly string[]
    }[]
  }
}>('GET /api/admin/permissions/catalog', { openTo: ['user'], asks: ['role:ADMIN', 'role:SUPERADMIN'] })

/** List the caller’s platform permissions: all for a SUPERADMIN, those granted for an ADMIN, none for a USER. */
export const getAdminPermissionsMe = /*#__PURE__*/ operation<{
  readonly data: {
    /** The role of the account. */
    readonly role: 'SUPERADMIN' | 'ADMIN' | 'USER'
    /** The names of the permissions. */
    readonly permissions: readonly string[]
  }
}>('GET /api/admin/permissions/me', { openTo: ['user'] })

/** Search the audit trail, newest first. `subject` and `project` match any id; `before` takes a position. */
export const getAdminAuditLogs = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The id of an actor, or a type such as API_KEY. */
        readonly actor?: string | undefined
        /** Only events of this kind. */
        readonly action?: string | undefined
        /** The id of a record that the entries name. */
        readonly subject?: string | undefined
        /** Only entries about this project, by its id. */
        readonly project?: string | undefined
        /** Only entries at this moment or later. */
        readonly from?: string | undefined
        /** Only entries before this moment. */
        readonly to?: string | undefined
        /** A position: only entries before it. */
        readonly before?: number | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly AuditEntry[]
    | {
        /** The records of this page. */
        readonly items: readonly AuditEntry[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The mail server. */
    readonly mail?:
      | {
          /** The host name of the mail server. Null removes it. */
          readonly host?: string | null | undefined
          /** The port of the mail server. Null removes it. */
          readonly port?: number | null | undefined
          /** How the connection to the mail server is encrypted. Null removes the value. */
          readonly tls?: 'TLS' | 'STARTTLS' | 'OPTIONAL' | null | undefined
          /** The account name at the mail server. Null removes it. */
          readonly user?: string | null | undefined
          /** The password at the mail server. Send the mask back to keep it. Null removes it. */
          readonly password?: string | null | undefined
          /** The sender of mails: an address, or a name followed by `<address>`. Null removes it. */
          readonly from?: string | null | undefined
        }
      | undefined
    /** Public addresses. */
    readonly urls?:
      | {
          /** An http(s) URL without path, query or credentials, under which people open this panel. Null removes it. */
          readonly panel?: string | null | undefined
        }
      | undefined
    /** How long records are kept. */
    readonly retention?:
      | {
          /** After how many days notices are removed. Null: the usual number. */
          readonly notificationDays?: number | null | undefined
          /** After how many days last uses are removed. Null: the usual number. */
          readonly telemetryDays?: number | null | undefined
        }
      | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
          from: {
            anyOf: [
              {
                description: 'The sender of mails: an address, or a name followed by `<address>`. Null removes it.',
                type: 'string',
                maxLength: 400,
              },
              { type: 'null' },
            ],
            description: 'The sender of mails: an address, or a name followed by `<address>`. Null removes it.',
          },
        },
        additionalProperties: false,
      },
      urls: {
        type: 'object',
        properties: {
          panel: {
            anyOf: [
              {
                description:
                  'An http(s) URL without path, query or credentials, under which people open this panel. Null removes it.',
                type: 'string',
                maxLength: 2000,
              },
              { type: 'null' },
            ],
            description:
              'An http(s) URL without path, query or credentials, under which people open this panel. Null removes it.',
          },
        },
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
    /** Whether the mail server took the mail. */
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
    /** The name of the setting. */
    readonly key: 'registrationOpen' | 'platformName'
    /** The value. */
    readonly value: boolean | number | string
    /** The value while none is set. */
    readonly usual: boolean | number | string
    /** What the setting decides. */
    readonly does: string
    /** When the value was set last. Null: never. */
    readonly changedAt: string | null
  }[]
}>('GET /api/admin/settings', { openTo: ['user'], permission: 'settings:view' })

/** Change a setting from the next request on. The audit trail shows the value: put no personal data in it. */
export const patchAdminSettingsByKey = /*#__PURE__*/ operation<{
  readonly params: {
    /** The name of the setting. */
    readonly key: 'registrationOpen' | 'platformName'
  }
  readonly body: {
    /** The value. */
    readonly value: boolean | number | string
  }
  readonly key?: string | undefined
  readonly data: {
    /** The name of the setting. */
    readonly key: 'registrationOpen' | 'platformName'
    /** The value. */
    readonly value: boolean | number | string
    /** The value while none is set. */
    readonly usual: boolean | number | string
    /** What the setting decides. */
    readonly does: string
    /** When the value was set last. Null: never. */
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
    /** The name of this installation. */
    readonly platformName: string
    /** Whether new accounts may register. */
    readonly registrationOpen: boolean
    /** Whether this installation can send mail. */
    readonly canMail: boolean
  }
}>('GET /api/settings/public', { openTo: [] })

/** List the caller’s notifications, newest first. The notification preferences decide which kinds are added. */
export const getNotifications = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Notification[]
    | {
        /** The records of this page. */
        readonly items: readonly Notification[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The number of unread notices. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/notifications/{id}/read', { openTo: ['user'] })

/** Delete a notification. */
export const deleteNotificationsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/notifications/{id}', { openTo: ['user'] })

/** Stream changes `{position, kind, ids}`. Takes an `sseToken` or a session; resumes after `lastEventId`. */
export const getEventsStream = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** A token for one connection of a browser, which cannot send a header there. */
        readonly sseToken?: string | undefined
        /** The position after which the feed goes on. */
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
        /** `mine` lists the projects of the caller, `all` those of the installation. */
        readonly scope?: 'mine' | 'all' | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Project[]
    | {
        /** The records of this page. */
        readonly items: readonly Project[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The name that people read in lists. */
    readonly name: string
    /** What it is for, in the words of its authors. */
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
    /** The names of the permissions. */
    readonly permissions: readonly string[]
    /** The roles of the project. */
    readonly roles: readonly {
      /** A role that every project has. Not together with `roleId`. */
      readonly role: string
      /** The names of the permissions. */
      readonly permissions: readonly string[]
    }[]
  }
}>('GET /api/projects/rbac-catalog', { openTo: ['user', 'key'], scope: 'platform:projects:view' })

/** List every project on the platform. */
export const getAdminProjects = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Project[]
    | {
        /** The records of this page. */
        readonly items: readonly Project[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Project
}>('GET /api/projects/{id}', { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] })

/** Change the name or description of a project. */
export const patchProjectsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** What it is for, in the words of its authors. */
    readonly description?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
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
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}', { openTo: ['user'], asks: ['project-role:OWNER'] })

/** Become the owner of a project that has none. */
export const postProjectsByIdClaimOwnership = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly ownerId: unknown }
  readonly data: Project
}>('POST /api/projects/{id}/claim-ownership', {
  openTo: ['user'],
  permission: 'projects:manage',
  from: { ownerId: [null] },
})

/** Transfer a project to another member. The former owner stays as an ADMIN. */
export const postProjectsByIdTransferOwnership = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The member. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The names of the permissions. */
    readonly permissions: readonly string[]
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments: readonly {
      /** The environment. Absent: the project as a whole. */
      readonly environmentId: string
      /** The names of the permissions. */
      readonly permissions: readonly string[]
    }[]
  }
}>('GET /api/projects/{id}/my-permissions', { openTo: ['user'], asks: ['project'] })

/** Get the caller’s direct role in the project, or null, and the access that platform permissions add. */
export const getProjectsByIdMyRole = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** A role that every project has. Not together with `roleId`. */
    readonly role: string | null
    /** A role of this project. Not together with `role`. */
    readonly roleId: string | null
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds: readonly string[] | null
    /** Whether the rights come from a permission on the platform. */
    readonly platform: 'VIEWER' | 'ADMIN' | null
    /** Whether the caller administers the project. */
    readonly isAdmin: boolean
  }
}>('GET /api/projects/{id}/my-role', { openTo: ['user'], asks: ['project'] })

/** Count the members, teams, roles, environments and shared variables of a project. */
export const getProjectsByIdUsage = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** Members with an account. */
    readonly members: number
    /** Invited addresses without an account. */
    readonly pendingMembers: number
    /** Teams that take part. */
    readonly teams: number
    /** Roles of its own. */
    readonly roles: number
    /** Environments. */
    readonly environments: number
    /** Shared variables, of all environments. */
    readonly sharedVariables: number
  }
}>('GET /api/projects/{id}/usage', { openTo: ['user', 'key'], scope: 'platform:projects:view', asks: ['project'] })

/** List the members of a project, including addresses that no account has proven yet. */
export const getProjectsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ProjectMember[]
    | {
        /** The records of this page. */
        readonly items: readonly ProjectMember[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The e-mail address of the account. */
    readonly email?: string | undefined
    /** The account. */
    readonly userId?: string | undefined
    /** A role that every project has. Not together with `roleId`. */
    readonly role?: 'ADMIN' | 'DEVELOPER' | 'VIEWER' | undefined
    /** A role of this project. Not together with `role`. */
    readonly roleId?: string | undefined
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The account. */
    readonly userId: string | null
    /** The e-mail address of the account. */
    readonly email: string | null
    /** A role that every project has. Not together with `roleId`. */
    readonly role: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string | null
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds: readonly string[] | null
    /** When the record was created. */
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
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly body: {
    /** A role that every project has. Not together with `roleId`. */
    readonly role?: 'ADMIN' | 'DEVELOPER' | 'VIEWER' | undefined
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: ProjectMember
}>('PATCH /api/projects/{id}/members/{memberId}', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
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
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly key?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: undefined
}>('DELETE /api/projects/{id}/members/{memberId}', {
  openTo: ['user'],
  asks: ['project:members:manage'],
  from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
})

/** Leave a project. The owner must transfer it first. */
export const deleteProjectsByIdMembersMe = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/members/me', { openTo: ['user'], asks: ['project-membership'] })

/** Give a member one of the project’s own roles. With null, the member becomes a VIEWER. */
export const patchProjectsByIdMembersByMemberIdCustomRole = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly body: {
    /** A role of this project. Not together with `role`. */
    readonly roleId: string | null
  }
  readonly key?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: ProjectMember
}>('PATCH /api/projects/{id}/members/{memberId}/custom-role', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
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
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly data: {
    /** A role that every project has. Not together with `roleId`. */
    readonly role: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string | null
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds: readonly string[] | null
    /** The names of the permissions. */
    readonly permissions: readonly string[]
  }
}>('GET /api/projects/{id}/members/{memberId}/grants', {
  openTo: ['user'],
  asks: ['project-membership:own', 'project:members:manage'],
})

/** Replace the permissions of a member beyond the role. `environmentIds` limits all rights of the member. */
export const putProjectsByIdMembersByMemberIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** The member. */
    readonly memberId: string
  }
  readonly body: {
    /** The names of the permissions. */
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
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds?: readonly string[] | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly role: unknown }
  readonly data: {
    /** A role that every project has. Not together with `roleId`. */
    readonly role: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string | null
    /** The environments that the role is limited to. Null: all of them. */
    readonly environmentIds: readonly string[] | null
    /** The names of the permissions. */
    readonly permissions: readonly string[]
  }
}>('PUT /api/projects/{id}/members/{memberId}/grants', {
  openTo: ['user'],
  asks: ['project-role:ADMIN', 'project-role:OWNER'],
  from: { role: ['ADMIN', 'DEVELOPER', 'VIEWER', 'CUSTOM'] },
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ProjectRole[]
    | {
        /** The records of this page. */
        readonly items: readonly ProjectRole[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
    /** The names of the permissions. */
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
    /** The id of the record. */
    readonly id: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly body: {
    /** The name that people read in lists. */
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
    /** The id of the record. */
    readonly id: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/roles/{roleId}', { openTo: ['user'], asks: ['project-role:ADMIN', 'project-role:OWNER'] })

/** Get the permissions of a custom role. */
export const getProjectsByIdRolesByRoleIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly data: {
    /** The names of the permissions. */
    readonly permissions: readonly string[]
  }
}>('GET /api/projects/{id}/roles/{roleId}/grants', { openTo: ['user'], asks: ['project'] })

/** Replace the permissions of a custom role. The change applies to all its members and teams at once. */
export const putProjectsByIdRolesByRoleIdGrants = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
    /** A role of this project. Not together with `role`. */
    readonly roleId: string
  }
  readonly body: {
    /** The names of the permissions. */
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
  readonly ifMatch?: string | undefined
  readonly data: {
    /** The names of the permissions. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Environment[]
    | {
        /** The records of this page. */
        readonly items: readonly Environment[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
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
    /** The id of the record. */
    readonly id: string
    /** The environment. */
    readonly envId: string
  }
  readonly body: {
    /** The name that people read in lists. */
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
    /** The id of the record. */
    readonly id: string
    /** The environment. */
    readonly envId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/environments/{envId}', { openTo: ['user'], asks: ['environment:environments:manage'] })

/** List the shared variables of all environments or of `environmentId`. Without apps:env, values are masked. */
export const getProjectsByIdSharedEnv = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The environment. Absent: the project as a whole. */
        readonly environmentId?: string | undefined
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Variable[]
    | {
        /** The records of this page. */
        readonly items: readonly Variable[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The environment. Absent: the project as a whole. */
        readonly environmentId?: string | undefined
      }
    | undefined
  readonly body: {
    /** All shared variables. One that is left out is removed. Each name stands once. */
    readonly variables: readonly {
      /** The name that people read in lists. */
      readonly name: string
      /** The value. Send a mask back to keep what is stored. */
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
    /** The id of the record. */
    readonly id: string
    /** The variable. */
    readonly rowId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/shared-env/{rowId}', { openTo: ['user'], asks: ['environment:apps:env'] })

/** List the teams of a project with the roles that they give their members. */
export const getProjectsByIdTeams = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly ProjectTeam[]
    | {
        /** The records of this page. */
        readonly items: readonly ProjectTeam[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The team. */
    readonly teamId: string
    /** A role that every project has. Not together with `roleId`. */
    readonly role?: 'ADMIN' | 'DEVELOPER' | 'VIEWER' | undefined
    /** A role of this project. Not together with `role`. */
    readonly roleId?: string | undefined
    /** The environments that the role is limited to. Null: all of them. */
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
    /** The id of the record. */
    readonly id: string
    /** The team. */
    readonly teamId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/projects/{id}/teams/{teamId}', { openTo: ['user'], asks: ['project:members:manage'] })

/** Read the default quotas. Null: no limit. */
export const getAdminQuotasDefaults = /*#__PURE__*/ operation<{
  readonly data: {
    /** The most projects of an account. Null: the default of the installation, or no limit there. */
    readonly projects: number | null
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members: number | null
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments: number | null
  }
}>('GET /api/admin/quotas/defaults', { openTo: ['user'], permission: 'quotas:view' })

/** Change default quotas; null: no limit. What exists stays. */
export const patchAdminQuotasDefaults = /*#__PURE__*/ operation<{
  readonly body: {
    /** The most projects of an account. Null: the default of the installation, or no limit there. */
    readonly projects?: number | null | undefined
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members?: number | null | undefined
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: {
    /** The most projects of an account. Null: the default of the installation, or no limit there. */
    readonly projects: number | null
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members: number | null
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The most projects of an account. Null: the default of the installation, or no limit there. */
    readonly projects: number | null
    /** The limits that apply, with those of the installation where none is set. */
    readonly inEffect: {
      /** The most projects of an account. Null: the default of the installation, or no limit there. */
      readonly projects: number | null
    }
  }
}>('GET /api/admin/quotas/users/{id}', { openTo: ['user'], permission: 'quotas:view' })

/** Change how many projects an account may own; null: default. */
export const patchAdminQuotasUsersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The most projects of an account. Null: the default of the installation, or no limit there. */
    readonly projects?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: {
    /** The most projects of an account. Null: the default of the installation, or no limit there. */
    readonly projects: number | null
    /** The limits that apply, with those of the installation where none is set. */
    readonly inEffect: {
      /** The most projects of an account. Null: the default of the installation, or no limit there. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members: number | null
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments: number | null
    /** The limits that apply, with those of the installation where none is set. */
    readonly inEffect: {
      /** The most members of a project. Null: the default of the installation, or no limit there. */
      readonly members: number | null
      /** The most environments of a project. Null: the default of the installation, or no limit there. */
      readonly environments: number | null
    }
  }
}>('GET /api/projects/{id}/resource-quota', { openTo: ['user'], permission: 'quotas:view' })

/** Change how many members, also pending ones, and environments a project may have. What exists stays; null: default. */
export const patchProjectsByIdResourceQuota = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members?: number | null | undefined
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: {
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members: number | null
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments: number | null
    /** The limits that apply, with those of the installation where none is set. */
    readonly inEffect: {
      /** The most members of a project. Null: the default of the installation, or no limit there. */
      readonly members: number | null
      /** The most environments of a project. Null: the default of the installation, or no limit there. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members?: number | null | undefined
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments?: number | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: {
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members: number | null
    /** The most environments of a project. Null: the default of the installation, or no limit there. */
    readonly environments: number | null
    /** The limits that apply, with those of the installation where none is set. */
    readonly inEffect: {
      /** The most members of a project. Null: the default of the installation, or no limit there. */
      readonly members: number | null
      /** The most environments of a project. Null: the default of the installation, or no limit there. */
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
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Team[]
    | {
        /** The records of this page. */
        readonly items: readonly Team[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The name that people read in lists. */
    readonly name: string
    /** The colour in lists, as `#rrggbb`. Null: none. */
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
      colour: { default: null, anyOf: [{ type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }, { type: 'null' }] },
    },
    required: ['name'],
    additionalProperties: false,
  },
})

/** Get a team with its members. */
export const getTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The name that people read in lists. */
    readonly name: string
    /** The colour in lists, as `#rrggbb`. Null: none. */
    readonly colour: string | null
    /** The account that owns it. */
    readonly ownerId: string | null
    /** When the record was created. */
    readonly createdAt: string
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members: readonly TeamMember[]
  }
}>('GET /api/teams/{id}', { openTo: ['user'], asks: ['team'] })

/** Change the name or colour of a team. */
export const patchTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The colour in lists, as `#rrggbb`. Null: none. */
    readonly colour?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Team
}>('PATCH /api/teams/{id}', {
  openTo: ['user'],
  asks: ['team-role:OWNER'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      colour: { anyOf: [{ type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete a team. Its members lose the access to projects that it gave them. */
export const deleteTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/teams/{id}', { openTo: ['user'], asks: ['team-role:OWNER'] })

/** Add a member with the team’s project access. An unproven address joins once it is proven. */
export const postTeamsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The e-mail address of the account. */
    readonly email?: string | undefined
    /** The account. */
    readonly userId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The account. */
    readonly userId: string | null
    /** The e-mail address of the account. */
    readonly email: string | null
    /** When the record was created. */
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
    /** The id of the record. */
    readonly id: string
    /** The account of the member. */
    readonly memberUserId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/teams/{id}/members/{memberUserId}', { openTo: ['user'], asks: ['team-role:OWNER'] })

/** List every team on the platform. */
export const getAdminTeams = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page?: number | undefined
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize?: number | undefined
      }
    | undefined
  readonly data:
    | readonly Team[]
    | {
        /** The records of this page. */
        readonly items: readonly Team[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
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
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The name that people read in lists. */
    readonly name: string
    /** The colour in lists, as `#rrggbb`. Null: none. */
    readonly colour: string | null
    /** The account that owns it. */
    readonly ownerId: string | null
    /** When the record was created. */
    readonly createdAt: string
    /** The most members of a project. Null: the default of the installation, or no limit there. */
    readonly members: readonly TeamMember[]
  }
}>('GET /api/admin/teams/{id}', { openTo: ['user'], permission: 'users:view' })

/** Change the name or colour of any team. */
export const patchAdminTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The colour in lists, as `#rrggbb`. Null: none. */
    readonly colour?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Team
}>('PATCH /api/admin/teams/{id}', {
  openTo: ['user'],
  permission: 'users:manage',
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      colour: { anyOf: [{ type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }, { type: 'null' }] },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Delete any team. Its members lose the access to projects that it gave them. */
export const deleteAdminTeamsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/teams/{id}', { openTo: ['user'], permission: 'users:manage' })

/** Add a member to any team. The caller needs every permission that the team has in its projects. */
export const postAdminTeamsByIdMembers = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The e-mail address of the account. */
    readonly email?: string | undefined
    /** The account. */
    readonly userId?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The account. */
    readonly userId: string | null
    /** The e-mail address of the account. */
    readonly email: string | null
    /** When the record was created. */
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
    /** The id of the record. */
    readonly id: string
    /** The account of the member. */
    readonly memberUserId: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/teams/{id}/members/{memberUserId}', { openTo: ['user'], permission: 'users:manage' })

/** Report whether the process answers. */
export const getHealth = /*#__PURE__*/ operation<{
  readonly data: {
    /** The state of the record. */
    readonly status: 'ok'
  }
}>('GET /api/health', { openTo: [] })

/** Report whether the process is ready to work. `degraded`: events are parked or some requests get 503; the rest works. */
export const getHealthReady = /*#__PURE__*/ operation<{
  readonly data: {
    /** The state of the record. */
    readonly status: 'ok' | 'degraded' | 'failing'
    /** The parts of the service that were checked, each with its result. */
    readonly checks: { readonly [name: string]: 'ok' | 'degraded' | 'failing' }
    /** What an operator should know, without being an error. */
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
