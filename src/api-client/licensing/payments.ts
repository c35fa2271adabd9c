/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { CustomerPayment, Payment } from './schemas.ts'

/** List the charges and credits of all customers, newest first, each with its refunds. */
export const getAdminPayments = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The customer. */
        readonly customerId?: string | undefined
        /** The subscription. */
        readonly subscriptionId?: string | undefined
        /** The state of the record. */
        readonly status?: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED' | undefined
        /** The kind of the record. */
        readonly type?: 'CHARGE' | 'CREDIT' | undefined
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
        readonly items: readonly CustomerPayment[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly CustomerPayment[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/payments', {
  openTo: ['staff', 'token'],
  permission: 'payments:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
      status: { type: 'string', enum: ['PENDING', 'PAID', 'FAILED', 'REFUNDED', 'PARTIALLY_REFUNDED'] },
      type: { type: 'string', enum: ['CHARGE', 'CREDIT'] },
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

/** Refund a payment, whole or in part, in minor units. Its provider returns the money; the refund is PENDING until then. */
export const postAdminPaymentsByIdRefund = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The amount. */
    readonly amount?: number | undefined
    /** Why, for readers of the audit trail. */
    readonly reason: string
    /** Only record a refund that is made by hand, for example if the provider can no longer reach the account. */
    readonly byHand?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly type: unknown; readonly status: unknown }
  readonly data: Payment
}>('POST /api/admin/payments/{id}/refund', {
  openTo: ['staff'],
  permission: 'payments:manage',
  stepUp: true,
  from: { type: ['CHARGE'], status: ['PAID', 'PARTIALLY_REFUNDED'] },
  body: {
    type: 'object',
    properties: {
      amount: { type: 'integer', unit: 'minor', minimum: 1, maximum: 1000000000000 },
      reason: { type: 'string', minLength: 1, maxLength: 500 },
      byHand: {
        default: false,
        description:
          'Only record a refund that is made by hand, for example if the provider can no longer reach the account.',
        type: 'boolean',
      },
    },
    required: ['reason'],
    additionalProperties: false,
  },
})
