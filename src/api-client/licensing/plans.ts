/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { planFeaturesItem } from './inputs.ts'
import type { Plan, PlanFeatureInput, PlanVersion } from './schemas.ts'

/** List plans. `q` finds a part of the slug or the name. */
export const getAdminPlans = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** Whether the plan can be sold. */
        readonly active?: 'true' | 'false' | undefined
        /** The short name of the plan, which never changes. */
        readonly slug?: string | undefined
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
        readonly sort?: 'createdAt' | '-createdAt' | 'slug' | '-slug' | 'name' | '-name' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Plan[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Plan[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/plans', {
  openTo: ['staff', 'token'],
  permission: 'plans:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      active: { enum: ['true', 'false'], type: 'string' },
      slug: { type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      q: { type: 'string', minLength: 1, maxLength: 100 },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: {
        default: '-createdAt',
        type: 'string',
        enum: ['createdAt', '-createdAt', 'slug', '-slug', 'name', '-name'],
      },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Create a plan. Only slug and name are required; the slug never changes. A cycle without a price is not offered. */
export const postAdminPlans = /*#__PURE__*/ operation<{
  readonly body: {
    /** The short name of the plan, which never changes. */
    readonly slug: string
    /** Whether the plan can be sold. */
    readonly active?: boolean | undefined
    /** The name that people read in lists. */
    readonly name: string
    /** The currency, as a code of ISO 4217. */
    readonly currency?: string | undefined
    /** Without a price, the monthly cycle is not offered. */
    readonly priceMonthly?: number | null | undefined
    /** Without a price, the yearly cycle is not offered. */
    readonly priceYearly?: number | null | undefined
    /** Costs nothing in either cycle. Cannot be combined with a price. */
    readonly free?: boolean | undefined
    /** Offered in the shop while the plan is active. */
    readonly public?: boolean | undefined
    /** For how many days the plan can be tried. */
    readonly trialDays?: number | undefined
    /** The machines on which a license may be active. */
    readonly maxActivations?: number | undefined
    /** The most seats of one subscription. Null: no limit. */
    readonly maxSeats?: number | null | undefined
    /** How many days a license still works after its end. */
    readonly graceDays?: number | undefined
    /** How many days a panel works without reaching the service. */
    readonly offlineDays?: number | undefined
    /** The seconds between two heartbeats of a panel. */
    readonly heartbeatSeconds?: number | undefined
    /** After how many days without a heartbeat a slot is freed. 0: never. */
    readonly reclaimStaleAfterDays?: number | undefined
    /** The features of the plan and their values. Each key stands once. */
    readonly features?: readonly PlanFeatureInput[] | undefined
  }
  readonly key?: string | undefined
  readonly data: Plan
}>('POST /api/admin/plans', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  body: {
    type: 'object',
    properties: {
      slug: { type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      active: { default: true, type: 'boolean' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      currency: { default: 'EUR', type: 'string', pattern: '^[A-Z]{3}$' },
      priceMonthly: {
        default: null,
        description: 'Without a price, the monthly cycle is not offered.',
        anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
        unit: 'minor',
      },
      priceYearly: {
        default: null,
        description: 'Without a price, the yearly cycle is not offered.',
        anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
        unit: 'minor',
      },
      free: {
        default: false,
        description: 'Costs nothing in either cycle. Cannot be combined with a price.',
        type: 'boolean',
      },
      public: { default: false, description: 'Offered in the shop while the plan is active.', type: 'boolean' },
      trialDays: { default: 0, type: 'integer', minimum: 0, maximum: 3650 },
      maxActivations: { default: 1, type: 'integer', minimum: 1, maximum: 1000000 },
      maxSeats: { default: null, anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
      graceDays: { default: 14, type: 'integer', minimum: 0, maximum: 3650 },
      offlineDays: { default: 14, type: 'integer', minimum: 1, maximum: 3650 },
      heartbeatSeconds: { default: 14400, type: 'integer', minimum: 60, maximum: 604800 },
      reclaimStaleAfterDays: { default: 0, type: 'integer', minimum: 0, maximum: 3650 },
      features: { default: [], maxItems: 200, type: 'array', items: planFeaturesItem },
    },
    required: ['slug', 'name'],
    additionalProperties: false,
  },
})

/** Read a plan. */
export const getAdminPlansById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Plan
}>('GET /api/admin/plans/{id}', { openTo: ['staff', 'token'], permission: 'plans:view' })

/** Change a plan. Changed prices, free or features make a new version; existing subscriptions keep theirs. */
export const patchAdminPlansById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The currency, as a code of ISO 4217. */
    readonly currency?: string | undefined
    /** The price of one seat for a month. Null: not offered, or free. */
    readonly priceMonthly?: number | null | undefined
    /** The price of one seat for a year. Null: not offered, or free. */
    readonly priceYearly?: number | null | undefined
    /** Whether the plan costs nothing in either cycle. */
    readonly free?: boolean | undefined
    /** Whether the shop offers the plan while it is active. */
    readonly public?: boolean | undefined
    /** For how many days the plan can be tried. */
    readonly trialDays?: number | undefined
    /** The machines on which a license may be active. */
    readonly maxActivations?: number | undefined
    /** The most seats of one subscription. Null: no limit. */
    readonly maxSeats?: number | null | undefined
    /** How many days a license still works after its end. */
    readonly graceDays?: number | undefined
    /** How many days a panel works without reaching the service. */
    readonly offlineDays?: number | undefined
    /** The seconds between two heartbeats of a panel. */
    readonly heartbeatSeconds?: number | undefined
    /** After how many days without a heartbeat a slot is freed. 0: never. */
    readonly reclaimStaleAfterDays?: number | undefined
    /** The features of the plan and their values. Each key stands once. */
    readonly features?: readonly PlanFeatureInput[] | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Plan
}>('PATCH /api/admin/plans/{id}', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  body: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100 },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      priceMonthly: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], unit: 'minor' },
      priceYearly: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], unit: 'minor' },
      free: { type: 'boolean' },
      public: { type: 'boolean' },
      trialDays: { type: 'integer', minimum: 0, maximum: 3650 },
      maxActivations: { type: 'integer', minimum: 1, maximum: 1000000 },
      maxSeats: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
      graceDays: { type: 'integer', minimum: 0, maximum: 3650 },
      offlineDays: { type: 'integer', minimum: 1, maximum: 3650 },
      heartbeatSeconds: { type: 'integer', minimum: 60, maximum: 604800 },
      reclaimStaleAfterDays: { type: 'integer', minimum: 0, maximum: 3650 },
      features: { maxItems: 200, type: 'array', items: planFeaturesItem },
    },
    additionalProperties: false,
  },
})

/** List the versions of a plan, newest first, the present one included: its prices and features at each. */
export const getAdminPlansByIdVersions = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    readonly versions: readonly PlanVersion[]
  }
}>('GET /api/admin/plans/{id}/versions', { openTo: ['staff', 'token'], permission: 'plans:view' })

/** Open a plan for new subscriptions. */
export const postAdminPlansByIdActivate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly active: unknown }
  readonly data: Plan
}>('POST /api/admin/plans/{id}/activate', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  from: { active: [false] },
})

/** Close a plan for new subscriptions and licenses. Existing ones stay valid. */
export const postAdminPlansByIdDeactivate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly active: unknown }
  readonly data: Plan
}>('POST /api/admin/plans/{id}/deactivate', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  from: { active: [true] },
})

/** Copy the terms of a plan to a new plan with its own slug. The copy is closed and not public. */
export const postAdminPlansByIdClone = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The short name of the plan, which never changes. */
    readonly slug: string
    /** The name that people read in lists. */
    readonly name?: string | undefined
  }
  readonly key?: string | undefined
  readonly data: Plan
}>('POST /api/admin/plans/{id}/clone', {
  openTo: ['staff', 'token'],
  permission: 'plans:manage',
  body: {
    type: 'object',
    properties: {
      slug: { type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      name: { type: 'string', minLength: 1, maxLength: 100 },
    },
    required: ['slug'],
    additionalProperties: false,
  },
})
