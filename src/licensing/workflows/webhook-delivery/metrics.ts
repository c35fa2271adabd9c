/** How the deliveries of webhooks are getting on, for figures and readiness. */
import type { Section } from '#kernel/resource/section'
import { countDeliveries, countWebhooks } from './deliveries.ts'

export const webhookMetrics: NonNullable<Section['metrics']> = [
  {
    name: 'webhook_deliveries',
    help: 'Deliveries of the last 30 days that wait, that failed for good, and that are overdue because nobody makes them',
    label: 'state',
    ask: ({ telemetry, now }) => countDeliveries(telemetry, now),
  },
  {
    name: 'webhooks',
    help: 'Webhooks by status, and those whose last attempt failed',
    label: 'state',
    ask: ({ telemetry }) => countWebhooks(telemetry),
  },
]

/** A receiver that is away is no fault of this service and its own business; that nobody tries is. */
export const webhookChecks: NonNullable<Section['checks']> = [
  {
    name: 'webhooks',
    async ask({ telemetry, now }) {
      const { overdue } = await countDeliveries(telemetry, now)
      return overdue === 0 ? undefined : `deliveries overdue: ${overdue} (is "daybook worker" running?)`
    },
  },
]
