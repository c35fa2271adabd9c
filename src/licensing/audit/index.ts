import type { Stream } from '#kernel/events/event'
import { section } from '#kernel/resource/section'
import { auditTrail } from '#projections/audit-trail'
import { auditRoutes } from './routes.ts'

export const auditSection = (allStreams: () => readonly Stream[]) =>
  section({
    name: 'audit',
    readModels: [auditTrail],
    routes: auditRoutes(allStreams),
  })
