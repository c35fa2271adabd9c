/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

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
