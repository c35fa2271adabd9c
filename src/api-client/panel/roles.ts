/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { postAdminRolesBody } from './inputs.ts'
import type { AdminRole, GetAuthSessionsQuery, UserPermissionInput } from './schemas.ts'

/** List the admin roles. PATCH /api/admin/users/{id}/admin-role assigns one. */
export const getAdminRoles = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
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
    readonly permissions: readonly UserPermissionInput[]
  }
  readonly key?: string | undefined
  readonly data: AdminRole
}>('POST /api/admin/roles', {
  openTo: ['user'],
  asks: ['role:SUPERADMIN'],
  body: {
    type: 'object',
    properties: postAdminRolesBody,
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
    readonly permissions?: readonly UserPermissionInput[] | undefined
  }
  readonly key?: string | undefined
  readonly data: AdminRole
}>('PATCH /api/admin/roles/{roleId}', {
  openTo: ['user'],
  asks: ['role:SUPERADMIN'],
  body: {
    type: 'object',
    properties: postAdminRolesBody,
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
