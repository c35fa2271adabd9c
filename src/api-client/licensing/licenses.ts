/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import {
  getAdminCustomersByIdHistoryQuery,
  postAdminLicensesByIdReissueBody,
  postAdminLicensesByIdRevokeBody,
} from './inputs.ts'
import type {
  GetAdminCustomersByIdHistoryAnswer,
  GetAdminCustomersByIdHistoryQuery,
  GetAdminLicensesByIdKeyAnswer,
  License,
  LicenseAndKey,
  PostAdminLicensesByIdOfflineLeaseAnswer,
  PostAdminLicensesByIdReissueBody,
} from './schemas.ts'

/** List licenses. `status` is the effective status, which depends on commands and on the time. */
export const getAdminLicenses = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'GRACE' | 'EXPIRED' | 'SUSPENDED' | 'REVOKED' | undefined
        /** The id of the license key, which is no secret. */
        readonly keyId?: string | undefined
        /** The customer. */
        readonly customerId?: string | undefined
        /** The subscription. */
        readonly subscriptionId?: string | undefined
        /** Only licenses that end before this. */
        readonly expiresBefore?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'issuedAt' | '-issuedAt' | 'expiresAt' | '-expiresAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly License[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly License[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/licenses', {
  openTo: ['staff', 'token'],
  permission: 'licenses:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ACTIVE', 'GRACE', 'EXPIRED', 'SUSPENDED', 'REVOKED'] },
      keyId: { type: 'string', maxLength: 64 },
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
      expiresBefore: { type: 'string', format: 'date-time' },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-issuedAt', type: 'string', enum: ['issuedAt', '-issuedAt', 'expiresAt', '-expiresAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Issue a license for a subscription and revoke the previous one. The cap is the plan’s, or the subscription’s own if higher. */
export const postAdminLicenses = /*#__PURE__*/ operation<{
  readonly body: {
    /** The subscription. */
    readonly subscriptionId: string
    /** In the future, at most ten years ahead. */
    readonly expiresAt?: string | undefined
    /** The machines on which a license may be active. */
    readonly maxActivations?: number | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The license. */
    readonly license: License
    /** The signed license key, which a panel is started with. */
    readonly licenseKey: string
  }
}>('POST /api/admin/licenses', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  shownOnce: ['licenseKey'],
  body: {
    type: 'object',
    properties: {
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
      expiresAt: { type: 'string', format: 'date-time', description: 'In the future, at most ten years ahead.' },
      maxActivations: { type: 'integer', minimum: 1, maximum: 1000000 },
    },
    required: ['subscriptionId'],
    additionalProperties: false,
  },
})

/** Read a license. */
export const getAdminLicensesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: License
}>('GET /api/admin/licenses/{id}', { openTo: ['staff', 'token'], permission: 'licenses:view' })

/** Read the signed license key. Every read is recorded in the audit trail before the key is returned. */
export const getAdminLicensesByIdKey = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: GetAdminLicensesByIdKeyAnswer
}>('GET /api/admin/licenses/{id}/key', { openTo: ['staff', 'token'], permission: 'licenses:view' })

/** Create a lease file from the request of a panel without a network. It takes an activation slot and cannot be revoked early. */
export const postAdminLicensesByIdOfflineLease = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The request that a panel without a network shows. */
    readonly request: string
    /** For how many days the lease holds. */
    readonly days: number
  }
  readonly key?: string | undefined
  readonly from: { readonly effectiveStatus: unknown }
  readonly data: PostAdminLicensesByIdOfflineLeaseAnswer
}>('POST /api/admin/licenses/{id}/offline-lease', {
  openTo: ['staff'],
  permission: 'licenses:manage',
  from: { effectiveStatus: ['ACTIVE', 'GRACE'] },
  shownOnce: ['licenseKey', 'lease'],
  body: {
    type: 'object',
    properties: {
      request: { type: 'string', minLength: 1, maxLength: 8192 },
      days: { type: 'integer', minimum: 1, maximum: 366 },
    },
    required: ['request', 'days'],
    additionalProperties: false,
  },
})

/** Revoke a license permanently. The reason is stored in plain text in the audit trail: do not put personal data in it. */
export const postAdminLicensesByIdRevoke = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Stored in plain text in the audit trail. Do not put personal data in it. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: License
}>('POST /api/admin/licenses/{id}/revoke', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['ACTIVE', 'SUSPENDED'] },
  body: postAdminLicensesByIdRevokeBody,
})

/** Suspend a license until it is resumed. Machines learn this at their next heartbeat and keep their slots. Its end does not move. */
export const postAdminLicensesByIdSuspend = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Stored in plain text in the audit trail. Do not put personal data in it. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: License
}>('POST /api/admin/licenses/{id}/suspend', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['ACTIVE'] },
  body: postAdminLicensesByIdRevokeBody,
})

/** Resume a suspended license with the same key. Machines keep their activations. */
export const postAdminLicensesByIdResume = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: LicenseAndKey
}>('POST /api/admin/licenses/{id}/resume', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['SUSPENDED'] },
  shownOnce: ['licenseKey'],
})

/** Extend a license, also an expired one. The key id stays; machines get the newly signed key at their next heartbeat. */
export const postAdminLicensesByIdExtend = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** In the future, at most ten years ahead. */
    readonly expiresAt?: string | undefined
    /** Counted from the present end, or from now if the license has ended. */
    readonly days?: number | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: LicenseAndKey
}>('POST /api/admin/licenses/{id}/extend', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['ACTIVE', 'SUSPENDED'] },
  shownOnce: ['licenseKey'],
  body: {
    type: 'object',
    properties: {
      expiresAt: { type: 'string', format: 'date-time', description: 'In the future, at most ten years ahead.' },
      days: {
        description: 'Counted from the present end, or from now if the license has ended.',
        type: 'integer',
        minimum: 1,
        maximum: 3650,
      },
    },
    additionalProperties: false,
    allOf: [{ oneOf: [{ required: ['expiresAt'] }, { required: ['days'] }] }],
    description: 'Must have either expiresAt or days.',
  },
})

/** Replace a license’s key and secret. The rights of the license stay unchanged. */
export const postAdminLicensesByIdReissue = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: PostAdminLicensesByIdReissueBody
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: LicenseAndKey
}>('POST /api/admin/licenses/{id}/reissue', {
  openTo: ['staff', 'token'],
  permission: 'licenses:manage',
  from: { status: ['ACTIVE', 'SUSPENDED'] },
  shownOnce: ['licenseKey'],
  body: postAdminLicensesByIdReissueBody,
})

/** List the events of a license, newest first, reads of its key included. */
export const getAdminLicensesByIdHistory = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAdminCustomersByIdHistoryQuery | undefined
  readonly data: GetAdminCustomersByIdHistoryAnswer
}>('GET /api/admin/licenses/{id}/history', {
  openTo: ['staff'],
  permission: 'licenses:view',
  walk: 'cursor',
  query: getAdminCustomersByIdHistoryQuery,
})
