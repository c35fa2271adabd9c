/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Series } from './schemas.ts'

/** Read business figures: customers, subscriptions and licenses by status, and monthly recurring revenue. */
export const getAdminMetricsSummary = /*#__PURE__*/ operation<{
  readonly data: {
    /** When it happened. */
    readonly at: string
    /** Customers by state. */
    readonly customers: {
      /** The number in this state. */
      readonly ACTIVE: number
      /** The number in this state. */
      readonly SUSPENDED: number
      /** The number in this state. */
      readonly ERASED: number
    }
    /** Customers that were created in the last 30 days. */
    readonly newCustomers30Days: number
    /** The subscriptions. */
    readonly subscriptions: {
      /** The number in this state. */
      readonly INCOMPLETE: number
      /** The number in this state. */
      readonly TRIALING: number
      /** The number in this state. */
      readonly ACTIVE: number
      /** The number in this state. */
      readonly PAST_DUE: number
      /** The number in this state. */
      readonly UNPAID: number
      /** The number in this state. */
      readonly PAUSED: number
      /** The number in this state. */
      readonly CANCELLED: number
      /** The number in this state. */
      readonly EXPIRED: number
    }
    /** The licenses. */
    readonly licenses: {
      /** The number in this state. */
      readonly ACTIVE: number
      /** The number in this state. */
      readonly GRACE: number
      /** The number in this state. */
      readonly EXPIRED: number
      /** The number in this state. */
      readonly SUSPENDED: number
      /** The number in this state. */
      readonly REVOKED: number
    }
    /** Revenue of a month by currency. Yearly prices count a twelfth. */
    readonly monthlyRecurring: readonly {
      /** The currency, as a code of ISO 4217. */
      readonly currency: string
      /** The amount. */
      readonly amount: number
      /** The subscriptions. */
      readonly subscriptions: number
      /** The number of seats. */
      readonly seats: number
    }[]
    readonly configured: {
      readonly mail: boolean
      /** The payments of the customer. */
      readonly payments: boolean
    }
  }
}>('GET /api/admin/metrics/summary', { openTo: ['staff'], permission: 'settings:view' })

/** Read business figures over time: licenses, subscriptions, panels, recurring revenue, and what was new. */
export const getAdminMetricsSeries = /*#__PURE__*/ operation<{
  readonly query: {
    /** licenses by effective status, subscriptions by status, panels heard of or silent, recurring revenue of a month by currency, or what was new. A license that another one replaced is not among the revocations. */
    readonly of: 'licenses' | 'subscriptions' | 'panels' | 'recurring' | 'new'
    /** The first day, in UTC. Default: 90 days before the last one. */
    readonly from?: string | undefined
    /** The last day, in UTC. Default: today, as it is so far. */
    readonly to?: string | undefined
    /** Days, weeks from Monday, or months; the first one is whole. At most 400. */
    readonly step?: 'day' | 'week' | 'month' | undefined
  }
  readonly data: Series
}>('GET /api/admin/metrics/series', {
  openTo: ['staff'],
  permission: 'settings:view',
  query: {
    type: 'object',
    properties: {
      of: {
        type: 'string',
        enum: ['licenses', 'subscriptions', 'panels', 'recurring', 'new'],
        description:
          'licenses by effective status, subscriptions by status, panels heard of or silent, recurring revenue of a month by currency, or what was new. A license that another one replaced is not among the revocations.',
      },
      from: {
        type: 'string',
        format: 'date',
        description: 'The first day, in UTC. Default: 90 days before the last one.',
      },
      to: { type: 'string', format: 'date', description: 'The last day, in UTC. Default: today, as it is so far.' },
      step: {
        default: 'day',
        type: 'string',
        enum: ['day', 'week', 'month'],
        description: 'Days, weeks from Monday, or months; the first one is whole. At most 400.',
      },
    },
    required: ['of'],
  },
})

/** Get the metrics in the Prometheus text format. Other addresses than the allowed ones get 404. */
export const getMetrics = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /metrics', { openTo: [], answers: 'stream' })
