/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Instance } from './schemas.ts'

/** List instances: panels that run under licenses. `q` finds an id, a key thumbprint, or a part of version, system or architecture. */
export const getAdminInstances = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The license. */
        readonly licenseId?: string | undefined
        /** The customer. */
        readonly customerId?: string | undefined
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'STALE' | 'DEACTIVATED' | undefined
        /** The version. */
        readonly version?: string | undefined
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
        readonly sort?: 'activatedAt' | '-activatedAt' | 'version' | '-version' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Instance[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Instance[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/instances', {
  openTo: ['staff', 'token'],
  permission: 'instances:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      licenseId: { type: 'string', format: 'uuid', 'x-names': 'licenses' },
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      status: { type: 'string', enum: ['ACTIVE', 'STALE', 'DEACTIVATED'] },
      version: { type: 'string', maxLength: 64 },
      q: { type: 'string', minLength: 1, maxLength: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-activatedAt', type: 'string', enum: ['activatedAt', '-activatedAt', 'version', '-version'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Read an instance. STALE means that it missed three heartbeats; it keeps its slot. */
export const getAdminInstancesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Instance
}>('GET /api/admin/instances/{id}', { openTo: ['staff', 'token'], permission: 'instances:view' })

/** Free an instance’s activation slot. Its panel learns this at its next heartbeat. Do not put personal data in the reason. */
export const postAdminInstancesByIdDeactivate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Why, for readers of the audit trail. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Instance
}>('POST /api/admin/instances/{id}/deactivate', {
  openTo: ['staff', 'token'],
  permission: 'instances:manage',
  from: { status: ['ACTIVE', 'STALE'] },
  body: {
    default: {},
    type: 'object',
    properties: { reason: { type: 'string', minLength: 1, maxLength: 500 } },
    additionalProperties: false,
  },
})

/** Give a deactivated instance a free activation slot again. Answers 409 if no slot is free. */
export const postAdminInstancesByIdReactivate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Why, for readers of the audit trail. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Instance
}>('POST /api/admin/instances/{id}/reactivate', {
  openTo: ['staff', 'token'],
  permission: 'instances:manage',
  from: { status: ['DEACTIVATED'] },
  body: {
    default: {},
    type: 'object',
    properties: { reason: { type: 'string', minLength: 1, maxLength: 500 } },
    additionalProperties: false,
  },
})
