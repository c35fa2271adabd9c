/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Feature } from './schemas.ts'

/** List features. `q` finds a part of the key or the name. */
export const getAdminFeatures = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The key by which plans and licenses name the feature. */
        readonly key?: string | undefined
        /** The kind of value that plans give to the feature. */
        readonly type?: 'BOOLEAN' | 'INTEGER' | 'STRING' | undefined
        /** Whether the feature is archived: plans can no longer add it. */
        readonly archived?: 'true' | 'false' | undefined
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
        readonly sort?: 'createdAt' | '-createdAt' | 'key' | '-key' | 'name' | '-name' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Feature[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Feature[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/features', {
  openTo: ['staff', 'token'],
  permission: 'features:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      key: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,63}$' },
      type: { type: 'string', enum: ['BOOLEAN', 'INTEGER', 'STRING'] },
      archived: { enum: ['true', 'false'], type: 'string' },
      q: { type: 'string', minLength: 1, maxLength: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: {
        default: '-createdAt',
        type: 'string',
        enum: ['createdAt', '-createdAt', 'key', '-key', 'name', '-name'],
      },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Declare a feature. Every plan’s value must have its type; key and type never change. Plans may still use undeclared features. */
export const postAdminFeatures = /*#__PURE__*/ operation<{
  readonly body: {
    /** The key by which plans and licenses name the feature. */
    readonly key: string
    /** The name that people read in lists. */
    readonly name: string
    /** The kind of value that plans give to the feature. */
    readonly type?: 'BOOLEAN' | 'INTEGER' | 'STRING' | undefined
  }
  readonly key?: string | undefined
  readonly data: Feature
}>('POST /api/admin/features', {
  openTo: ['staff', 'token'],
  permission: 'features:manage',
  body: {
    type: 'object',
    properties: {
      key: { type: 'string', pattern: '^[a-z][a-z0-9_.-]{0,63}$' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      type: { default: 'BOOLEAN', type: 'string', enum: ['BOOLEAN', 'INTEGER', 'STRING'] },
    },
    required: ['key', 'name'],
    additionalProperties: false,
  },
})

/** Read a feature. */
export const getAdminFeaturesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Feature
}>('GET /api/admin/features/{id}', { openTo: ['staff', 'token'], permission: 'features:view' })

/** Rename or archive a feature. Plans that have an archived feature keep it; no other plan can add it. */
export const patchAdminFeaturesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** Whether the feature is archived: plans can no longer add it. */
    readonly archived?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Feature
}>('PATCH /api/admin/features/{id}', {
  openTo: ['staff', 'token'],
  permission: 'features:manage',
  body: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, maxLength: 100 }, archived: { type: 'boolean' } },
    additionalProperties: false,
  },
})

/** Remove a feature that no plan has, open or closed. */
export const deleteAdminFeaturesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/features/{id}', { openTo: ['staff', 'token'], permission: 'features:manage' })
