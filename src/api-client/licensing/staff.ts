/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Staff } from './schemas.ts'

/** List the staff. `q` finds an id or a whole e-mail address in any spelling; addresses and names are encrypted. */
export const getAdminStaff = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'INVITED' | 'ACTIVE' | undefined
        /** Only staff with this role. */
        readonly role?: 'SUPERADMIN' | 'BILLING' | 'SUPPORT' | 'RELEASE' | 'AUDITOR' | undefined
        /** A search text: part of a name, or a whole id, address or key id. */
        readonly q?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Staff[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Staff[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/staff', {
  openTo: ['staff'],
  permission: 'staff:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['INVITED', 'ACTIVE'] },
      role: { type: 'string', enum: ['SUPERADMIN', 'BILLING', 'SUPPORT', 'RELEASE', 'AUDITOR'] },
      q: { type: 'string', minLength: 1, maxLength: 320 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Add a member of staff. A one-time link to set a password is mailed, or returned once if mail is not configured. */
export const postAdminStaff = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
    /** The name that people read in lists. */
    readonly name: string
    /** The roles, which decide what the account may do. */
    readonly roles: readonly ('SUPERADMIN' | 'BILLING' | 'SUPPORT' | 'RELEASE' | 'AUDITOR')[]
  }
  readonly key?: string | undefined
  readonly data: {
    /** The account. */
    readonly staff: Staff
    /** The link for setting a password, if no mail can be sent. */
    readonly link: string | null
  }
}>('POST /api/admin/staff', {
  openTo: ['staff'],
  permission: 'staff:manage',
  stepUp: true,
  shownOnce: ['link'],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      roles: {
        minItems: 1,
        maxItems: 5,
        type: 'array',
        items: { type: 'string', enum: ['SUPERADMIN', 'BILLING', 'SUPPORT', 'RELEASE', 'AUDITOR'] },
      },
    },
    required: ['email', 'name', 'roles'],
    additionalProperties: false,
  },
})

/** Rename a member of staff or change the roles. Effective on the next request. One active SUPERADMIN must remain. */
export const patchAdminStaffById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The roles, which decide what the account may do. */
    readonly roles?: readonly ('SUPERADMIN' | 'BILLING' | 'SUPPORT' | 'RELEASE' | 'AUDITOR')[] | undefined
  }
  readonly key?: string | undefined
  readonly data: Staff
}>('PATCH /api/admin/staff/{id}', {
  openTo: ['staff'],
  permission: 'staff:manage',
  stepUp: true,
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      roles: {
        minItems: 1,
        maxItems: 5,
        type: 'array',
        items: { type: 'string', enum: ['SUPERADMIN', 'BILLING', 'SUPPORT', 'RELEASE', 'AUDITOR'] },
      },
    },
    additionalProperties: false,
  },
})

/** Remove a member of staff and end all sessions. The audit trail is kept. The last active SUPERADMIN cannot be removed. */
export const deleteAdminStaffById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/staff/{id}', { openTo: ['staff'], permission: 'staff:manage', stepUp: true })

/** Remove the second factor of a member of staff who has lost it. All sessions of the account end; the password stays. */
export const postAdminStaffByIdReset2fa = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly totpEnabled: unknown }
  readonly data: Staff
}>('POST /api/admin/staff/{id}/reset-2fa', {
  openTo: ['staff'],
  permission: 'staff:manage',
  stepUp: true,
  from: { totpEnabled: [true] },
})
