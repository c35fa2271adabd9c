/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { MachineToken } from './schemas.ts'

/** List machine tokens, including revoked and expired ones. Last use is a sign of life, not an access log. */
export const getAdminMachineTokens = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'REVOKED' | 'EXPIRED' | undefined
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
        readonly sort?: 'createdAt' | '-createdAt' | 'name' | '-name' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly MachineToken[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly MachineToken[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/machine-tokens', {
  openTo: ['staff'],
  permission: 'settings:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ACTIVE', 'REVOKED', 'EXPIRED'] },
      q: { type: 'string', minLength: 1, maxLength: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt', 'name', '-name'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Mint a machine token. Its secret is returned only in this reply. Unknown and forbidden permissions are dropped. */
export const postAdminMachineTokens = /*#__PURE__*/ operation<{
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string
    /** What a token can never hold, and unknown permissions, are left out. At least one must remain. */
    readonly permissions: readonly string[]
    /** Where the credential may be used. An empty list allows every address. Every address together is refused. */
    readonly allowedIps?: readonly string[] | undefined
    /** In the future and less than 365 days ahead. Null: no end. A token with `versions:manage` needs one within 90 days. */
    readonly expiresAt?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The token of the mailed link. */
    readonly token: MachineToken
    /** The secret. It is shown only here. */
    readonly secret: string
  }
}>('POST /api/admin/machine-tokens', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  shownOnce: ['secret'],
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      permissions: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'What a token can never hold, and unknown permissions, are left out. At least one must remain.',
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
        description:
          'In the future and less than 365 days ahead. Null: no end. A token with `versions:manage` needs one within 90 days.',
        anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
      },
    },
    required: ['name', 'permissions'],
    additionalProperties: false,
  },
})

/** Read a machine token. Its secret is never returned. */
export const getAdminMachineTokensById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: MachineToken
}>('GET /api/admin/machine-tokens/{id}', { openTo: ['staff'], permission: 'settings:view' })

/** Revoke a machine token. It is refused from the next request on. A revoked or expired token stays unchanged. */
export const postAdminMachineTokensByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: MachineToken
}>('POST /api/admin/machine-tokens/{id}/revoke', {
  openTo: ['staff'],
  permission: 'settings:manage',
  from: { status: ['ACTIVE'] },
})

/** Mint a successor with the same permissions, addresses and lifetime. The old secret ends at once or after overlapMinutes. */
export const postAdminMachineTokensByIdRotate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** For how many minutes the old secret still works. */
        readonly overlapMinutes?: number | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: {
    /** The token of the mailed link. */
    readonly token: MachineToken
    /** The secret. It is shown only here. */
    readonly secret: string
  }
}>('POST /api/admin/machine-tokens/{id}/rotate', {
  openTo: ['staff'],
  permission: 'settings:manage',
  stepUp: true,
  from: { status: ['ACTIVE'] },
  shownOnce: ['secret'],
  body: {
    default: {},
    type: 'object',
    properties: { overlapMinutes: { default: 0, type: 'integer', minimum: 0, maximum: 1440 } },
    additionalProperties: false,
  },
})
