import { section } from '#kernel/resource/section'
import { auditTrail } from '#projections/audit-trail'
import { auditLogRoutes } from './routes.ts'

export const auditLogsSection = section({ name: 'audit-logs', readModels: [auditTrail], routes: auditLogRoutes })
