/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { getUsersQuery, patchUsersMeBody, userPermissions } from './inputs.ts'
import type {
  AdminUser,
  GetUsersMeNotificationPreferencesAnswer,
  GetUsersQuery,
  User,
  UserPermissionInput,
} from './schemas.ts'

/** List accounts. `q` finds an account by its full e-mail address or its id. */
export const getUsers = /*#__PURE__*/ operation<{
  readonly query?: GetUsersQuery | undefined
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
}>('GET /api/users', { openTo: ['user'], permission: 'users:view', walk: 'page', query: getUsersQuery })

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
}>('PATCH /api/users/me', { openTo: ['user'], body: patchUsersMeBody })

/** Get the caller’s notification preferences. By default, all kinds are on. */
export const getUsersMeNotificationPreferences = /*#__PURE__*/ operation<{
  readonly data: GetUsersMeNotificationPreferencesAnswer
}>('GET /api/users/me/notification-preferences', { openTo: ['user'] })

/** Set for kinds of notifications whether the caller wants them. A kind that is not named stays as it is. */
export const putUsersMeNotificationPreferences = /*#__PURE__*/ operation<{
  readonly body: {
    /** Which kinds of mail the account gets. */
    readonly notifications: Partial<
      Readonly<
        Record<
          | 'NEW_DEVICE'
          | 'SECOND_FACTOR'
          | 'PASSWORD'
          | 'API_KEY'
          | 'MEMBERSHIP'
          | 'LICENSE'
          | 'SERVER'
          | 'GIT_PROVIDER',
          boolean
        >
      >
    >
  }
  readonly key?: string | undefined
  readonly data: GetUsersMeNotificationPreferencesAnswer
}>('PUT /api/users/me/notification-preferences', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: {
      notifications: {
        type: 'object',
        propertyNames: {
          type: 'string',
          enum: [
            'NEW_DEVICE',
            'SECOND_FACTOR',
            'PASSWORD',
            'API_KEY',
            'MEMBERSHIP',
            'LICENSE',
            'SERVER',
            'GIT_PROVIDER',
          ],
        },
        additionalProperties: { type: 'boolean' },
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
  readonly query?: GetUsersQuery | undefined
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
}>('GET /api/admin/users', { openTo: ['user'], permission: 'users:view', walk: 'page', query: getUsersQuery })

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
}>('PATCH /api/admin/users/{id}/profile', { openTo: ['user'], permission: 'users:manage', body: patchUsersMeBody })

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
    readonly permissions: readonly UserPermissionInput[]
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
    properties: { permissions: userPermissions },
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
