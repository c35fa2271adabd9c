/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import {
  getAdminCustomersByIdHistoryQuery,
  getAdminSubscriptionsByIdPaymentsQuery,
  postAdminSubscriptionsByIdUncancelBody,
  subscriptionProration,
} from './inputs.ts'
import type {
  GetAdminCustomersByIdHistoryAnswer,
  GetAdminCustomersByIdHistoryQuery,
  GetAdminSubscriptionsByIdPaymentsQuery,
  Payment,
  Subscription,
  SubscriptionPreview,
} from './schemas.ts'

/** Create a subscription for a customer. It gets a license at once unless issueLicense is false. */
export const postAdminSubscriptions = /*#__PURE__*/ operation<{
  readonly body: {
    /** The customer. */
    readonly customerId: string
    /** The plan, by its slug. */
    readonly planSlug: string
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** The state of the record. */
    readonly status?: 'ACTIVE' | 'TRIALING' | undefined
    /** In the future, at most ten years ahead; one billing cycle from now if absent. */
    readonly currentPeriodEnd?: string | undefined
    /** Whether a license is issued with the subscription. */
    readonly issueLicense?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: Subscription
}>('POST /api/admin/subscriptions', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:manage',
  body: {
    type: 'object',
    properties: {
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { default: 1, type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { default: 'YEARLY', type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      status: { default: 'ACTIVE', type: 'string', enum: ['ACTIVE', 'TRIALING'] },
      currentPeriodEnd: {
        description: 'In the future, at most ten years ahead; one billing cycle from now if absent.',
        type: 'string',
        format: 'date-time',
      },
      issueLicense: { default: true, type: 'boolean' },
    },
    required: ['customerId', 'planSlug'],
    additionalProperties: false,
  },
})

/** List subscriptions. `reference` finds the subscription of a provisioning call; it must match in full, with the same case. */
export const getAdminSubscriptions = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The customer. */
        readonly customerId?: string | undefined
        /** The state of the record. */
        readonly status?:
          | 'INCOMPLETE'
          | 'TRIALING'
          | 'ACTIVE'
          | 'PAST_DUE'
          | 'UNPAID'
          | 'PAUSED'
          | 'CANCELLED'
          | 'EXPIRED'
          | undefined
        /** The plan, by its slug. */
        readonly planSlug?: string | undefined
        /** The caller’s own name of the order. */
        readonly reference?: string | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | 'currentPeriodEnd' | '-currentPeriodEnd' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Subscription[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Subscription[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/subscriptions', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      customerId: { type: 'string', format: 'uuid', 'x-names': 'customers' },
      status: {
        type: 'string',
        enum: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED', 'CANCELLED', 'EXPIRED'],
      },
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans' },
      reference: { type: 'string', maxLength: 200 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: {
        default: '-createdAt',
        type: 'string',
        enum: ['createdAt', '-createdAt', 'currentPeriodEnd', '-currentPeriodEnd'],
      },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Change plan, seats or billing cycle, now or at the end of the period. A previewToken keeps the previewed price. */
export const patchAdminSubscriptionsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The plan, by its slug. */
    readonly planSlug?: string | undefined
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** When the change takes effect. */
    readonly effective?: 'now' | 'period_end' | undefined
    /** prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited. */
    readonly proration?: 'prorate' | 'invoice' | 'none' | undefined
    /** Holds the price of a preview for ten minutes. */
    readonly previewToken?: string | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly status: unknown; readonly cancelAtPeriodEnd: unknown }
  readonly data: Subscription
}>('PATCH /api/admin/subscriptions/{id}', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:manage',
  from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      effective: { default: 'now', type: 'string', enum: ['now', 'period_end'] },
      proration: subscriptionProration,
      previewToken: { type: 'string', maxLength: 2000 },
    },
    additionalProperties: false,
    allOf: [{ anyOf: [{ required: ['planSlug'] }, { required: ['seats'] }, { required: ['billingCycle'] }] }],
    description: 'Must name planSlug, seats or billingCycle.',
  },
})

/** Read a subscription. */
export const getAdminSubscriptionsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Subscription
}>('GET /api/admin/subscriptions/{id}', { openTo: ['staff', 'token'], permission: 'subscriptions:view' })

/** Preview a change: terms, money and license. Nothing is recorded. Its previewToken keeps the price for ten minutes. */
export const postAdminSubscriptionsByIdChangePreview = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The plan, by its slug. */
    readonly planSlug?: string | undefined
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
    /** When the change takes effect. */
    readonly effective?: 'now' | 'period_end' | undefined
    /** prorate: the difference for the rest of the period is added to the next invoice; invoice: it is due at once; none: it is neither charged nor credited. */
    readonly proration?: 'prorate' | 'invoice' | 'none' | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown; readonly cancelAtPeriodEnd: unknown }
  readonly data: SubscriptionPreview
}>('POST /api/admin/subscriptions/{id}/change-preview', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:view',
  from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      effective: { default: 'now', type: 'string', enum: ['now', 'period_end'] },
      proration: subscriptionProration,
    },
    additionalProperties: false,
    allOf: [{ anyOf: [{ required: ['planSlug'] }, { required: ['seats'] }, { required: ['billingCycle'] }] }],
    description: 'Must name planSlug, seats or billingCycle.',
  },
})

/** Cancel now, which revokes the license, or at the end of the period, without grace. With dryRun=true nothing is recorded. */
export const postAdminSubscriptionsByIdCancel = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** Only show what would happen. */
        readonly dryRun?: 'true' | 'false' | undefined
      }
    | undefined
  readonly body: {
    /** `now` ends the subscription at once, `period_end` with its paid period. */
    readonly mode: 'now' | 'period_end'
    /** Stored in plain text in the audit trail. Do not put personal data in it. */
    readonly reason?: string | undefined
    /** The customer’s own words; erased with the customer. */
    readonly comment?: string | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/cancel', {
  openTo: ['staff', 'token'],
  permission: 'subscriptions:manage',
  from: { status: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'] },
  query: { type: 'object', properties: { dryRun: { enum: ['true', 'false'], type: 'string' } }, required: [] },
  body: {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: ['now', 'period_end'] },
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        description: 'Stored in plain text in the audit trail. Do not put personal data in it.',
      },
      comment: {
        description: 'The customer’s own words; erased with the customer.',
        type: 'string',
        minLength: 1,
        maxLength: 2000,
      },
    },
    required: ['mode'],
    additionalProperties: false,
  },
})

/** Withdraw a pending cancellation. The license keeps its earlier end. */
export const postAdminSubscriptionsByIdUncancel = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Stored in plain text in the audit trail. Do not put personal data in it. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly cancelAtPeriodEnd: unknown }
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/uncancel', {
  openTo: ['staff'],
  permission: 'subscriptions:manage',
  from: { cancelAtPeriodEnd: [true] },
  body: postAdminSubscriptionsByIdUncancelBody,
})

/** Pause an active subscription. Its license is suspended until it is resumed; the end of the period does not move. */
export const postAdminSubscriptionsByIdPause = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Stored in plain text in the audit trail. Do not put personal data in it. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/pause', {
  openTo: ['staff'],
  permission: 'subscriptions:manage',
  from: { status: ['ACTIVE'] },
  body: postAdminSubscriptionsByIdUncancelBody,
})

/** Resume a paused subscription. */
export const postAdminSubscriptionsByIdResume = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body?:
    | {
        /** Stored in plain text in the audit trail. Do not put personal data in it. */
        readonly reason?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Subscription
}>('POST /api/admin/subscriptions/{id}/resume', {
  openTo: ['staff'],
  permission: 'subscriptions:manage',
  from: { status: ['PAUSED'] },
  body: postAdminSubscriptionsByIdUncancelBody,
})

/** List the events of a subscription, newest first. Those of its licenses and payments are not among them. */
export const getAdminSubscriptionsByIdHistory = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAdminCustomersByIdHistoryQuery | undefined
  readonly data: GetAdminCustomersByIdHistoryAnswer
}>('GET /api/admin/subscriptions/{id}/history', {
  openTo: ['staff'],
  permission: 'subscriptions:view',
  walk: 'cursor',
  query: getAdminCustomersByIdHistoryQuery,
})

/** List the charges and credits of a subscription, newest first, each with its refunds. */
export const getAdminSubscriptionsByIdPayments = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAdminSubscriptionsByIdPaymentsQuery | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Payment[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Payment[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/subscriptions/{id}/payments', {
  openTo: ['staff', 'token'],
  permission: 'payments:view',
  walk: 'cursor',
  query: getAdminSubscriptionsByIdPaymentsQuery,
})

/** Record received money, in minor units. It pays an open payment of exactly this sum, or the price of a period. */
export const postAdminSubscriptionsByIdPayments = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The amount. */
    readonly amount: number
    /** The currency, as a code of ISO 4217. */
    readonly currency: string
    /** How the payment was made. */
    readonly method: string
    /** What should be remembered about the payment. */
    readonly note?: string | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Payment
}>('POST /api/admin/subscriptions/{id}/payments', {
  openTo: ['staff'],
  permission: 'payments:manage',
  from: { status: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'] },
  body: {
    type: 'object',
    properties: {
      amount: { type: 'integer', unit: 'minor', minimum: 1, maximum: 1000000000000 },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      method: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9 _-]{0,49}$' },
      note: { type: 'string', maxLength: 500 },
    },
    required: ['amount', 'currency', 'method'],
    additionalProperties: false,
  },
})
