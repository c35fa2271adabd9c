/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { webhookEvents } from './inputs.ts'
import type { Webhook, WebhookDelivery, WebhookKey } from './schemas.ts'

/** Receive signed notices of the payment provider. Repeated notices and notices of unknown objects change nothing. */
export const postWebhooksPaymentsByProvider = /*#__PURE__*/ operation<{
  readonly params: {
    /** The payment provider. `manual` is a payment by hand. */
    readonly provider: string
  }
  readonly body: unknown
  readonly data: {
    /** The message was stored. */
    readonly received: true
  }
}>('POST /api/webhooks/payments/{provider}', { openTo: [], body: {} })

/** List every event that a webhook can subscribe to, and the fields of its data. */
export const getAdminWebhooksEvents = /*#__PURE__*/ operation<{
  readonly data: {
    /** The names of the events that are sent; `*` is all of them. */
    readonly events: readonly {
      /** Only messages about events of this kind. */
      readonly type: string
      /** The kind of record that the event is about. */
      readonly subjectType: string
      /** The fields of the event’s data. */
      readonly fields: readonly string[]
    }[]
  }
}>('GET /api/admin/webhooks/events', { openTo: ['staff'], permission: 'settings:view' })

/** List webhooks. Their secrets are never returned. */
export const getAdminWebhooks = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'PENDING' | 'ACTIVE' | 'DISABLED' | undefined
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
        readonly items: readonly Webhook[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Webhook[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/webhooks', {
  openTo: ['staff'],
  permission: 'settings:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['PENDING', 'ACTIVE', 'DISABLED'] },
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

/** Create a webhook (Standard Webhooks). Its secret is returned only here. It receives events after it answered a ping with 2xx. */
export const postAdminWebhooks = /*#__PURE__*/ operation<{
  readonly body: {
    /** Where messages are sent. */
    readonly url: string
    /** The names of the events that are sent; `*` is all of them. */
    readonly events: readonly string[]
    /** Whether messages about one record arrive in their order: `subject`, or `none` to be faster. */
    readonly ordering?: 'subject' | 'none' | undefined
    /** Whether messages are also signed with an Ed25519 key. */
    readonly ed25519?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly data: {
    /** The webhook. */
    readonly webhook: Webhook
    /** The secret. It is shown only here. */
    readonly secret: string
  }
}>('POST /api/admin/webhooks', {
  openTo: ['staff'],
  permission: 'settings:manage',
  shownOnce: ['secret'],
  body: {
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, maxLength: 2048 },
      events: webhookEvents,
      ordering: { default: 'subject', type: 'string', enum: ['subject', 'none'] },
      ed25519: { default: false, type: 'boolean' },
    },
    required: ['url', 'events'],
    additionalProperties: false,
  },
})

/** Read a webhook. */
export const getAdminWebhooksById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: Webhook
}>('GET /api/admin/webhooks/{id}', { openTo: ['staff'], permission: 'settings:view' })

/** Change, disable or enable a webhook. A new URL or an enabled webhook must answer a ping before its deliveries continue. */
export const patchAdminWebhooksById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly body: {
    /** Where messages are sent. */
    readonly url?: string | undefined
    /** The names of the events that are sent; `*` is all of them. */
    readonly events?: readonly string[] | undefined
    /** Whether messages about one record arrive in their order: `subject`, or `none` to be faster. */
    readonly ordering?: 'subject' | 'none' | undefined
    /** Whether messages are also signed with an Ed25519 key. */
    readonly ed25519?: boolean | undefined
    /** Whether messages are sent. */
    readonly active?: boolean | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Webhook
}>('PATCH /api/admin/webhooks/{id}', {
  openTo: ['staff'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, maxLength: 2048 },
      events: webhookEvents,
      ordering: { type: 'string', enum: ['subject', 'none'] },
      ed25519: { type: 'boolean' },
      active: { type: 'boolean' },
    },
    additionalProperties: false,
  },
})

/** Delete a webhook and its deliveries. */
export const deleteAdminWebhooksById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/webhooks/{id}', { openTo: ['staff'], permission: 'settings:manage' })

/** Send one ping to a webhook. The result is listed among its deliveries. */
export const postAdminWebhooksByIdPing = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly from: { readonly status: unknown }
  readonly data: {
    /** The delivery of the test message. */
    readonly deliveryId: string
  }
}>('POST /api/admin/webhooks/{id}/ping', {
  openTo: ['staff'],
  permission: 'settings:manage',
  from: { status: ['PENDING', 'ACTIVE'] },
})

/** Create a new secret, returned only in this reply. The old one also signs for a day, or for overlapMinutes. */
export const postAdminWebhooksByIdRotateSecret = /*#__PURE__*/ operation<{
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
  readonly data: {
    /** The webhook. */
    readonly webhook: Webhook
    /** The secret. It is shown only here. */
    readonly secret: string
  }
}>('POST /api/admin/webhooks/{id}/rotate-secret', {
  openTo: ['staff'],
  permission: 'settings:manage',
  shownOnce: ['secret'],
  body: {
    default: {},
    type: 'object',
    properties: { overlapMinutes: { default: 1440, type: 'integer', minimum: 0, maximum: 1440 } },
    additionalProperties: false,
  },
})

/** List the deliveries of a webhook in the last 30 days, with the answer to every attempt. */
export const getAdminWebhooksByIdDeliveries = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly query?:
    | {
        /** The state of the record. */
        readonly status?: 'WAITING' | 'DELIVERED' | 'FAILED' | undefined
        /** Only messages about events of this kind. */
        readonly type?: string | undefined
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
        readonly items: readonly WebhookDelivery[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly WebhookDelivery[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/webhooks/{id}/deliveries', {
  openTo: ['staff'],
  permission: 'settings:view',
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['WAITING', 'DELIVERED', 'FAILED'] },
      type: { type: 'string', maxLength: 100 },
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

/** Repeat a delivery at once and out of order, with the same webhook-id. */
export const postAdminWebhooksDeliveriesByIdRedeliver = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: WebhookDelivery
}>('POST /api/admin/webhooks/deliveries/{id}/redeliver', { openTo: ['staff'], permission: 'settings:manage' })

/** Read the public key that verifies v1a signatures of a webhook, as a JWK set (RFC 7517). */
export const getWebhooksByIdKeys = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly data: {
    /** Public keys as JWKs. */
    readonly keys: readonly WebhookKey[]
  }
}>('GET /api/webhooks/{id}/keys', { openTo: [] })
