import type { Stream } from '#kernel/events/event'
import { section } from '#kernel/resource/section'
import { webhookTable } from '#projections/licensing/webhooks'
import { webhookChecks, webhookMetrics } from '../workflows/webhook-delivery/metrics.ts'
import { webhooks } from './decider.ts'
import { webhookEvents, webhookRequests } from './events.ts'
import { webhookReactions, webhookTimers } from './reactions.ts'
import { webhookRoutes } from './routes.ts'

export const webhooksSection = (allStreams: () => readonly Stream[]) =>
  section({
    name: 'webhooks',
    streams: [webhookEvents, webhookRequests],
    deciders: [webhooks],
    readModels: [webhookTable],
    routes: webhookRoutes(allStreams),
    reactions: webhookReactions(allStreams),
    timers: webhookTimers,
    metrics: webhookMetrics,
    checks: webhookChecks,
  })
