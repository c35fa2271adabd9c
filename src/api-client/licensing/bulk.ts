/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Bulk, BulkItem, PostAdminBulkAnswer } from './schemas.ts'

/** Start one action on many targets, by ids or by a filter. Needs the action’s permission. A dry run only counts them. */
export const postAdminBulk = /*#__PURE__*/ operation<{
  readonly body: {
    /** What happens to each target. */
    readonly action:
      | 'customers.suspend'
      | 'customers.activate'
      | 'licenses.suspend'
      | 'licenses.resume'
      | 'licenses.revoke'
      | 'licenses.extend'
      | 'subscriptions.cancel'
    /** The targets by their ids. */
    readonly ids?: readonly string[] | undefined
    /** Instead of ids: every target that matches all of it now, at most 10,000. */
    readonly filter?:
      | {
          /** Only targets in this state. */
          readonly status?:
            | 'ACTIVE'
            | 'SUSPENDED'
            | 'ERASED'
            | 'GRACE'
            | 'EXPIRED'
            | 'REVOKED'
            | 'INCOMPLETE'
            | 'TRIALING'
            | 'PAST_DUE'
            | 'UNPAID'
            | 'PAUSED'
            | 'CANCELLED'
            | undefined
          /** The plan, by its slug. */
          readonly planSlug?: string | undefined
          /** The customer. */
          readonly customerId?: string | undefined
          /** Only licenses that end before this. */
          readonly expiresBefore?: string | undefined
          /** Only records that were created later than this. */
          readonly createdAfter?: string | undefined
          /** Only records that were created earlier than this. */
          readonly createdBefore?: string | undefined
        }
      | undefined
    /** Why, for readers of the audit trail. */
    readonly reason?: string | null | undefined
    /** Only for licenses.extend. */
    readonly expiresAt?: string | undefined
    /** Only count the targets and list the first of them. */
    readonly dryRun?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: PostAdminBulkAnswer
}>('POST /api/admin/bulk', {
  openTo: ['staff'],
  body: {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: [
          'customers.suspend',
          'customers.activate',
          'licenses.suspend',
          'licenses.resume',
          'licenses.revoke',
          'licenses.extend',
          'subscriptions.cancel',
        ],
        'x-permissions': {
          'customers.suspend': 'customers:manage',
          'customers.activate': 'customers:manage',
          'licenses.suspend': 'licenses:manage',
          'licenses.resume': 'licenses:manage',
          'licenses.revoke': 'licenses:manage',
          'licenses.extend': 'licenses:manage',
          'subscriptions.cancel': 'subscriptions:manage',
        },
      },
      ids: { minItems: 1, maxItems: 2000, type: 'array', items: { type: 'string', format: 'uuid' } },
      filter: {
        description: 'Instead of ids: every target that matches all of it now, at most 10,000.',
        type: 'object',
        properties: {
          status: {
            type: 'string',
            enum: [
              'ACTIVE',
              'SUSPENDED',
              'ERASED',
              'GRACE',
              'EXPIRED',
              'REVOKED',
              'INCOMPLETE',
              'TRIALING',
              'PAST_DUE',
              'UNPAID',
              'PAUSED',
              'CANCELLED',
            ],
          },
          planSlug: { type: 'string', minLength: 1, maxLength: 100, 'x-names': 'plans' },
          customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
          expiresBefore: { type: 'string', format: 'date-time' },
          createdAfter: { type: 'string', format: 'date-time' },
          createdBefore: { type: 'string', format: 'date-time' },
        },
        additionalProperties: false,
      },
      reason: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 500 }, { type: 'null' }] },
      expiresAt: {
        description: 'Only for licenses.extend.',
        'x-with': { action: ['licenses.extend'] },
        type: 'string',
        format: 'date-time',
      },
      dryRun: { default: false, description: 'Only count the targets and list the first of them.', type: 'boolean' },
    },
    required: ['action'],
    additionalProperties: false,
    allOf: [{ oneOf: [{ required: ['ids'] }, { required: ['filter'] }] }],
    description: 'Give either ids or a filter, not both.',
  },
})

/** List the bulk actions whose permission I have, newest first. */
export const getAdminBulk = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** What happens to each target. */
        readonly action?:
          | 'customers.suspend'
          | 'customers.activate'
          | 'licenses.suspend'
          | 'licenses.resume'
          | 'licenses.revoke'
          | 'licenses.extend'
          | 'subscriptions.cancel'
          | undefined
        /** Only targets in this state. */
        readonly status?: 'RUNNING' | 'COMPLETED' | undefined
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
        readonly items: readonly BulkItem[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly BulkItem[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/bulk', {
  openTo: ['staff'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: [
          'customers.suspend',
          'customers.activate',
          'licenses.suspend',
          'licenses.resume',
          'licenses.revoke',
          'licenses.extend',
          'subscriptions.cancel',
        ],
      },
      status: { type: 'string', enum: ['RUNNING', 'COMPLETED'] },
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

/** Read the progress of a bulk action and its problems. Needs the permission of the action. */
export const getAdminBulkById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Bulk
}>('GET /api/admin/bulk/{id}', { openTo: ['staff'] })
