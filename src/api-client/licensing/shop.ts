/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import {
  getAdminAuthSessionsQuery,
  getAdminSubscriptionsByIdPaymentsQuery,
  patchAdminCustomersByIdBody,
  postAdminAuth2faEnableBody,
  postAdminAuthLoginBody,
  postAdminAuthPasswordBody,
  postAdminAuthStepUpBody,
  postAdminAuthStepUpBody2,
  postAdminLicensesByIdReissueBody,
  postShopAuthVerifyEmailBody,
} from './inputs.ts'
import type {
  CustomerProfile,
  GetAdminAuthSessionsQuery,
  GetAdminCustomersByIdExportAnswer,
  GetAdminLicensesByIdKeyAnswer,
  GetAdminSubscriptionsByIdPaymentsQuery,
  GetShopAnnouncementsAnswer,
  Invoice,
  OwnInstance,
  OwnLicense,
  OwnPayment,
  OwnSubscription,
  PatchAdminCustomersByIdBody,
  PostAdminAuth2faSetupAnswer,
  PostAdminAuthLoginBody,
  PostAdminAuthPasswordBody,
  PostAdminAuthSetPasswordBody,
  PostAdminLicensesByIdOfflineLeaseAnswer,
  PostAdminLicensesByIdReissueBody,
  PostShopAuthLoginAnswer,
  Release,
  ShopPlan,
  SubscriptionPreview,
} from './schemas.ts'

/** Register with an e-mail address. A link to choose the first password is mailed to it. Known addresses get the same reply. */
export const postShopAuthRegister = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The company of the customer. */
    readonly company?: string | undefined
  }
  readonly data: undefined
}>('POST /api/shop/auth/register', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      name: { type: 'string', minLength: 1, maxLength: 200 },
      company: { type: 'string', minLength: 1, maxLength: 200 },
    },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Choose the first password with the token of a registration link. The token is valid for one day, once. */
export const postShopAuthVerifyEmail = /*#__PURE__*/ operation<{
  readonly body: PostAdminAuthSetPasswordBody
  readonly data: undefined
}>('POST /api/shop/auth/verify-email', { openTo: [], body: postShopAuthVerifyEmailBody })

/** Request a link to choose another password, or a first one after a sale elsewhere. Unknown addresses get the same reply. */
export const postShopAuthForgotPassword = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
  }
  readonly data: undefined
}>('POST /api/shop/auth/forgot-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: { email: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Choose another password with a mailed token, valid for ten minutes, once. All sessions end; the second factor stays. */
export const postShopAuthResetPassword = /*#__PURE__*/ operation<{
  readonly body: PostAdminAuthSetPasswordBody
  readonly data: undefined
}>('POST /api/shop/auth/reset-password', { openTo: [], body: postShopAuthVerifyEmailBody })

/** Sign in. `totp` takes six digits or a backup code. Sets the refresh token as a cookie; 401 with TOTP_REQUIRED asks for the code. */
export const postShopAuthLogin = /*#__PURE__*/ operation<{
  readonly body: PostAdminAuthLoginBody
  readonly data: PostShopAuthLoginAnswer
}>('POST /api/shop/auth/login', { openTo: [], body: postAdminAuthLoginBody })

/** Exchange the refresh cookie for a new one and an access token. Send `{}` from the shop’s origin. A reused token ends the session. */
export const postShopAuthRefresh = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: PostShopAuthLoginAnswer
}>('POST /api/shop/auth/refresh', { openTo: [], body: { type: 'object', properties: {}, additionalProperties: false } })

/** End this session. Send `{}` with the session or, after it expired, with only the refresh cookie. */
export const postShopAuthLogout = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: undefined
}>('POST /api/shop/auth/logout', { openTo: [], body: { type: 'object', properties: {}, additionalProperties: false } })

/** Change my password. All my other sessions end. */
export const postShopAuthPassword = /*#__PURE__*/ operation<{
  readonly body: PostAdminAuthPasswordBody
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/shop/auth/password', { openTo: ['customer'], body: postAdminAuthPasswordBody })

/** Prove my identity again for five minutes: by a code if a second factor is enabled, by the password otherwise. */
export const postShopAuthStepUp = /*#__PURE__*/ operation<{
  readonly body:
    | {
        /** A code of the authenticator app, or a backup code. */
        readonly code: string
      }
    | {
        /** The password of the account. */
        readonly password: string
      }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/shop/auth/step-up', { openTo: ['customer'], body: postAdminAuthStepUpBody })

/** Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes. */
export const postShopAuth2faSetup = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
  }
  readonly key?: string | undefined
  readonly data: PostAdminAuth2faSetupAnswer
}>('POST /api/shop/auth/2fa/setup', {
  openTo: ['customer'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: postAdminAuthStepUpBody2,
})

/** Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions. */
export const postShopAuth2faEnable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** Codes that replace a code of the second factor, each once. They are shown only here. */
    readonly backupCodes: readonly string[]
  }
}>('POST /api/shop/auth/2fa/enable', {
  openTo: ['customer'],
  shownOnce: ['backupCodes'],
  body: postAdminAuth2faEnableBody,
})

/** Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions. */
export const postShopAuth2faDisable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/shop/auth/2fa/disable', { openTo: ['customer'], body: postAdminAuth2faEnableBody })

/** Read my account. */
export const getShopMe = /*#__PURE__*/ operation<{
  readonly data: CustomerProfile
}>('GET /api/shop/me', { openTo: ['customer'] })

/** Change my name or company; null removes the value. */
export const patchShopMe = /*#__PURE__*/ operation<{
  readonly body: PatchAdminCustomersByIdBody
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: CustomerProfile
}>('PATCH /api/shop/me', {
  openTo: ['customer'],
  body: { type: 'object', properties: patchAdminCustomersByIdBody, additionalProperties: false },
})

/** List the plans that can be bought: public and open ones, with their prices and features. */
export const getShopPlans = /*#__PURE__*/ operation<{
  readonly query?: GetAdminAuthSessionsQuery | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly ShopPlan[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly ShopPlan[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/shop/plans', { openTo: [], walk: 'cursor', query: getAdminAuthSessionsQuery })

/** List my subscriptions. */
export const getShopSubscriptions = /*#__PURE__*/ operation<{
  readonly query?:
    | {
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
        readonly items: readonly OwnSubscription[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly OwnSubscription[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/shop/subscriptions', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: {
        type: 'string',
        enum: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED', 'CANCELLED', 'EXPIRED'],
      },
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans' },
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

/** Read one of my subscriptions. */
export const getShopSubscriptionsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: OwnSubscription
}>('GET /api/shop/subscriptions/{id}', { openTo: ['customer'] })

/** Change plan, seats or billing cycle, now or at the end of the period. A previewToken keeps the previewed price. */
export const patchShopSubscriptionsById = /*#__PURE__*/ operation<{
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
    /** Holds the price of a preview for ten minutes. */
    readonly previewToken?: string | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly from: { readonly status: unknown; readonly cancelAtPeriodEnd: unknown }
  readonly data: OwnSubscription
}>('PATCH /api/shop/subscriptions/{id}', {
  openTo: ['customer'],
  from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      effective: { default: 'now', type: 'string', enum: ['now', 'period_end'] },
      previewToken: { type: 'string', maxLength: 2000 },
    },
    additionalProperties: false,
    allOf: [{ anyOf: [{ required: ['planSlug'] }, { required: ['seats'] }, { required: ['billingCycle'] }] }],
    description: 'Must name planSlug, seats or billingCycle.',
  },
})

/** List the charges and credits of my subscription, newest first, each with its refunds. */
export const getShopSubscriptionsByIdPayments = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?: GetAdminSubscriptionsByIdPaymentsQuery | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly OwnPayment[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly OwnPayment[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/shop/subscriptions/{id}/payments', {
  openTo: ['customer'],
  walk: 'cursor',
  query: getAdminSubscriptionsByIdPaymentsQuery,
})

/** Preview a change: terms, money and license. Nothing is recorded. Its previewToken keeps the price for ten minutes. */
export const postShopSubscriptionsByIdChangePreview = /*#__PURE__*/ operation<{
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
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown; readonly cancelAtPeriodEnd: unknown }
  readonly data: SubscriptionPreview
}>('POST /api/shop/subscriptions/{id}/change-preview', {
  openTo: ['customer'],
  from: { status: ['TRIALING', 'ACTIVE', 'PAST_DUE'], cancelAtPeriodEnd: [false] },
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { type: 'string', enum: ['MONTHLY', 'YEARLY'] },
      effective: { default: 'now', type: 'string', enum: ['now', 'period_end'] },
    },
    additionalProperties: false,
    allOf: [{ anyOf: [{ required: ['planSlug'] }, { required: ['seats'] }, { required: ['billingCycle'] }] }],
    description: 'Must name planSlug, seats or billingCycle.',
  },
})

/** Cancel now, which revokes the license, or at the end of the period, without grace. With dryRun=true nothing is recorded. */
export const postShopSubscriptionsByIdCancel = /*#__PURE__*/ operation<{
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
    /** Why, for readers of the audit trail. */
    readonly reason?: 'TOO_EXPENSIVE' | 'MISSING_FEATURES' | 'UNUSED' | 'SWITCHED' | 'OTHER' | undefined
    /** The customer’s own words. They are erased with the customer. */
    readonly comment?: string | undefined
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: OwnSubscription
}>('POST /api/shop/subscriptions/{id}/cancel', {
  openTo: ['customer'],
  from: { status: ['INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED'] },
  query: { type: 'object', properties: { dryRun: { enum: ['true', 'false'], type: 'string' } }, required: [] },
  body: {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: ['now', 'period_end'] },
      reason: { type: 'string', enum: ['TOO_EXPENSIVE', 'MISSING_FEATURES', 'UNUSED', 'SWITCHED', 'OTHER'] },
      comment: { type: 'string', minLength: 1, maxLength: 2000 },
    },
    required: ['mode'],
    additionalProperties: false,
  },
})

/** List my licenses. `status` is the effective status, which depends on commands and on the time. */
export const getShopLicenses = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'GRACE' | 'EXPIRED' | 'SUSPENDED' | 'REVOKED' | undefined
        /** The subscription. */
        readonly subscriptionId?: string | undefined
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
        readonly items: readonly OwnLicense[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly OwnLicense[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/shop/licenses', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ACTIVE', 'GRACE', 'EXPIRED', 'SUSPENDED', 'REVOKED'] },
      subscriptionId: { type: 'string', format: 'uuid', 'x-names': 'subscriptions' },
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

/** Read one of my licenses. */
export const getShopLicensesById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: OwnLicense
}>('GET /api/shop/licenses/{id}', { openTo: ['customer'] })

/** Read the signed key of my license. Needs a proof of identity from the last five minutes. The read is recorded first. */
export const getShopLicensesByIdKey = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: GetAdminLicensesByIdKeyAnswer
}>('GET /api/shop/licenses/{id}/key', { openTo: ['customer'], stepUp: true })

/** Create a lease file for a machine without a network: at most 31 days, 20 times a day. Needs a recent proof of identity. */
export const postShopLicensesByIdOfflineActivation = /*#__PURE__*/ operation<{
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
}>('POST /api/shop/licenses/{id}/offline-activation', {
  openTo: ['customer'],
  stepUp: true,
  from: { effectiveStatus: ['ACTIVE', 'GRACE'] },
  shownOnce: ['licenseKey', 'lease'],
  body: {
    type: 'object',
    properties: {
      request: { type: 'string', minLength: 1, maxLength: 8192 },
      days: { type: 'integer', minimum: 1, maximum: 31 },
    },
    required: ['request', 'days'],
    additionalProperties: false,
  },
})

/** Replace the key of my license. Needs a proof of identity from the last five minutes; at most five times a day. */
export const postShopLicensesByIdRotate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: PostAdminLicensesByIdReissueBody
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: {
    /** The license. */
    readonly license: OwnLicense
    /** The signed license key, which a panel is started with. */
    readonly licenseKey: string
  }
}>('POST /api/shop/licenses/{id}/rotate', {
  openTo: ['customer'],
  stepUp: true,
  from: { status: ['ACTIVE', 'SUSPENDED'] },
  shownOnce: ['licenseKey'],
  body: postAdminLicensesByIdReissueBody,
})

/** List the machines that run under my licenses. */
export const getShopInstances = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The license. */
        readonly licenseId?: string | undefined
        /** The state of the record. */
        readonly status?: 'ACTIVE' | 'STALE' | 'DEACTIVATED' | undefined
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'activatedAt' | '-activatedAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly OwnInstance[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly OwnInstance[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/shop/instances', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      licenseId: { type: 'string', format: 'uuid', 'x-names': 'licenses' },
      status: { type: 'string', enum: ['ACTIVE', 'STALE', 'DEACTIVATED'] },
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-activatedAt', type: 'string', enum: ['activatedAt', '-activatedAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Free the activation slot of one of my machines. Its panel learns this at its next heartbeat. At most three times a day. */
export const postShopInstancesByIdDeactivate = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: OwnInstance
}>('POST /api/shop/instances/{id}/deactivate', { openTo: ['customer'], from: { status: ['ACTIVE', 'STALE'] } })

/** List my invoices and credit notes. */
export const getShopInvoices = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'issuedAt' | '-issuedAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Invoice[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Invoice[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/shop/invoices', {
  openTo: ['customer'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-issuedAt', type: 'string', enum: ['issuedAt', '-issuedAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** Get one of my invoices as a PDF. */
export const getShopInvoicesByIdPdf = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Response
}>('GET /api/shop/invoices/{id}/pdf', { openTo: ['customer'], answers: 'stream' })

/** Buy a plan. Returns the payment page; the license follows the payment. Free plans start at once. Unpaid checkouts end after 23 hours. */
export const postShopCheckout = /*#__PURE__*/ operation<{
  readonly body: {
    /** The plan, by its slug. */
    readonly planSlug: string
    /** The number of seats. */
    readonly seats?: number | undefined
    /** How often the subscription is billed. */
    readonly billingCycle?: 'MONTHLY' | 'YEARLY' | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The page of the payment provider. */
    readonly checkoutUrl: string
  }
}>('POST /api/shop/checkout', {
  openTo: ['customer'],
  body: {
    type: 'object',
    properties: {
      planSlug: { type: 'string', maxLength: 64, 'x-names': 'plans', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      seats: { default: 1, type: 'integer', minimum: 1, maximum: 1000000 },
      billingCycle: { default: 'YEARLY', type: 'string', enum: ['MONTHLY', 'YEARLY'] },
    },
    required: ['planSlug'],
    additionalProperties: false,
  },
})

/** Read the state of my checkout: waiting, paid or expired. A payment after its expiry is refunded. */
export const getShopCheckoutById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** The id of the record. */
    readonly id: string
    /** The state of the record. */
    readonly status: 'OPEN' | 'PAID' | 'EXPIRED'
    /** The subscription. */
    readonly subscriptionId: string
  }
}>('GET /api/shop/checkout/{id}', { openTo: ['customer'] })

/** List the versions that my licenses entitle me to, newest first, with links to their files. A link is valid for 15 minutes. */
export const getShopDownloads = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The channel of the release: `stable`, or `beta` for early ones. */
        readonly channel?: 'stable' | 'beta' | undefined
      }
    | undefined
  readonly data: {
    /** The records of this page. */
    readonly items: readonly Release[]
  }
}>('GET /api/shop/downloads', {
  openTo: ['customer'],
  query: { type: 'object', properties: { channel: { type: 'string', enum: ['stable', 'beta'] } }, required: [] },
})

/** Export everything stored about me. Needs a proof of my identity from the last five minutes. */
export const postShopAccountExport = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: GetAdminCustomersByIdExportAnswer
}>('POST /api/shop/account/export', {
  openTo: ['customer'],
  stepUp: true,
  shownOnce: [
    'exportedAt',
    'customer',
    'subscriptions',
    'licenses',
    'instances',
    'payments',
    'invoices',
    'audit',
    'auditTotal',
  ],
})

/** Erase my account for good; `confirmEmail` is my address. Invoices stay by law. Needs a proof of identity from the last five minutes. */
export const deleteShopAccount = /*#__PURE__*/ operation<{
  readonly body: {
    /** The customer’s address, to confirm an erasure that cannot be undone. */
    readonly confirmEmail: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/shop/account', {
  openTo: ['customer'],
  stepUp: true,
  body: {
    type: 'object',
    properties: { confirmEmail: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['confirmEmail'],
    additionalProperties: false,
  },
})

/** List the announcements that are visible now, newest first. */
export const getShopAnnouncements = /*#__PURE__*/ operation<{
  readonly query?: GetAdminAuthSessionsQuery | undefined
  readonly data: GetShopAnnouncementsAnswer
}>('GET /api/shop/announcements', { openTo: ['customer'], walk: 'cursor', query: getAdminAuthSessionsQuery })
