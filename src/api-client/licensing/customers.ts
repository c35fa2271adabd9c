/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { getAdminCustomersByIdHistoryQuery, patchAdminCustomersByIdBody } from './inputs.ts'
import type {
  CreditEntry,
  Customer,
  GetAdminCustomersByIdExportAnswer,
  GetAdminCustomersByIdHistoryAnswer,
  GetAdminCustomersByIdHistoryQuery,
  PatchAdminCustomersByIdBody,
  PaymentEntry,
} from './schemas.ts'

/** List customers. `q` finds an id or a whole e-mail address in any spelling; parts cannot be searched, because addresses are encrypted. */
export const getAdminCustomers = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'SUSPENDED' | 'ERASED' | undefined
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
        readonly items: readonly Customer[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Customer[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/customers', {
  openTo: ['staff', 'token'],
  permission: 'customers:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED', 'ERASED'] },
      q: { type: 'string', maxLength: 320 },
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

/** Create a customer. No other customer may have the address, in any spelling. */
export const postAdminCustomers = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
    /** The name that people read in lists. */
    readonly name?: string | null | undefined
    /** The company of the customer. */
    readonly company?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly data: Customer
}>('POST /api/admin/customers', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      name: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
      company: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
    },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Read a customer, with the number of subscriptions and of licenses in effect, and the credit. */
export const getAdminCustomersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The e-mail address of the account. */
    readonly email: string
    /** The name that people read in lists. */
    readonly name: string | null
    /** The company of the customer. */
    readonly company: string | null
    /** The state of the record. */
    readonly status: 'ACTIVE' | 'SUSPENDED' | 'ERASED'
    /** When the record was created. */
    readonly createdAt: string
    /** How many records the customer has. */
    readonly counts: {
      /** The subscriptions. */
      readonly subscriptions: number
      /** Licenses that are in effect. */
      readonly activeLicenses: number
    }
    readonly credit:
      | readonly {
          /** The currency, as a code of ISO 4217. */
          readonly currency: string
          /** The amount. */
          readonly amount: number
        }[]
      | null
  }
}>('GET /api/admin/customers/{id}', { openTo: ['staff', 'token'], permission: 'customers:view' })

/** Change the name or company of an active customer; null removes the value. */
export const patchAdminCustomersById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: PatchAdminCustomersByIdBody
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Customer
}>('PATCH /api/admin/customers/{id}', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  from: { status: ['ACTIVE'] },
  body: {
    type: 'object',
    properties: patchAdminCustomersByIdBody,
    additionalProperties: false,
    minProperties: 1,
    description: 'Give name or company.',
  },
})

/** Suspend a customer or activate one again. While suspended, no license is valid and no sale is possible. */
export const patchAdminCustomersByIdStatus = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The state of the record. */
    readonly status: 'ACTIVE' | 'SUSPENDED'
    /** Why, for readers of the audit trail. */
    readonly reason?: string | null | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: Customer
}>('PATCH /api/admin/customers/{id}/status', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  from: { status: ['ACTIVE', 'SUSPENDED'] },
  body: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ACTIVE', 'SUSPENDED'] },
      reason: { default: null, anyOf: [{ type: 'string', minLength: 1, maxLength: 500 }, { type: 'null' }] },
    },
    required: ['status'],
    additionalProperties: false,
  },
})

/** Mail a customer a one-time link to set a password, also a first one. The link is valid for ten minutes. */
export const postAdminCustomersByIdResetPassword = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: undefined
}>('POST /api/admin/customers/{id}/reset-password', {
  openTo: ['staff', 'token'],
  permission: 'customers:manage',
  from: { status: ['ACTIVE'] },
})

/** Erase a customer: end subscriptions and licenses, destroy the data key. `confirmEmail` is the address. Repeating changes nothing. */
export const postAdminCustomersByIdErase = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The customer’s address, to confirm an erasure that cannot be undone. */
    readonly confirmEmail: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: undefined
}>('POST /api/admin/customers/{id}/erase', {
  openTo: ['staff'],
  permission: 'customers:manage',
  stepUp: true,
  from: { status: ['ACTIVE', 'SUSPENDED'] },
  body: {
    type: 'object',
    properties: { confirmEmail: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['confirmEmail'],
    additionalProperties: false,
  },
})

/** Export everything stored about a customer, related audit entries included. The export is recorded before it is returned. */
export const getAdminCustomersByIdExport = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: GetAdminCustomersByIdExportAnswer
}>('GET /api/admin/customers/{id}/export', { openTo: ['staff'], permission: 'customers:manage' })

/** List the events of a customer, newest first. Those of subscriptions, licenses and payments are not among them. */
export const getAdminCustomersByIdHistory = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAdminCustomersByIdHistoryQuery | undefined
  readonly data: GetAdminCustomersByIdHistoryAnswer
}>('GET /api/admin/customers/{id}/history', {
  openTo: ['staff'],
  permission: 'customers:view',
  walk: 'cursor',
  query: getAdminCustomersByIdHistoryQuery,
})

/** List what was granted to a customer as credit, spent on payments and returned, newest first. */
export const getAdminCustomersByIdCredits = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The kind of the record. */
        readonly kind?: 'GRANTED' | 'SPENT' | 'RETURNED' | undefined
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
        readonly items: readonly CreditEntry[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly CreditEntry[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/customers/{id}/credits', {
  openTo: ['staff'],
  permission: 'payments:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['GRANTED', 'SPENT', 'RETURNED'] },
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

/** Grant a customer credit, in minor units. It pays the customer’s next charges in that currency. */
export const postAdminCustomersByIdCredits = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** The amount. */
    readonly amount: number
    /** The currency, as a code of ISO 4217. */
    readonly currency?: string | undefined
    /** Why, for readers of the audit trail. */
    readonly reason: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: PaymentEntry
}>('POST /api/admin/customers/{id}/credits', {
  openTo: ['staff'],
  permission: 'payments:manage',
  stepUp: true,
  from: { status: ['ACTIVE', 'SUSPENDED'] },
  body: {
    type: 'object',
    properties: {
      amount: { type: 'integer', unit: 'minor', minimum: 1, maximum: 1000000000000 },
      currency: { default: 'EUR', type: 'string', pattern: '^[A-Z]{3}$' },
      reason: { type: 'string', minLength: 1, maxLength: 500 },
    },
    required: ['amount', 'reason'],
    additionalProperties: false,
  },
})
