/** The state of webhook deliveries, for metrics and readiness. */
import type { Section } from '#kernel/resource/section'
import { countDeliveries, countWebhooks } from './deliveries.ts'

export const webhookMetrics: NonNullable<Section['metrics']> = [
  {
    name: 'webhook_deliveries',
    help: 'Deliveries of the last 30 days that wait, that failed permanently, and that are overdue because no worker attempts them',
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

/** An unavailable receiver is not a fault of this service; a missing worker is. */
export const webhookChecks: NonNullable<Section['checks']> = [
  {
    name: 'webhooks',
    async ask({ telemetry, now }) {
      const { overdue } = await countDeliveries(telemetry, now)
      return overdue === 0 ? undefined : `deliveries overdue: ${overdue} (is "daybook worker" running?)`
    },
  },
]
