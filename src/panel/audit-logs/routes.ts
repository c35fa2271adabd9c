import { z } from 'zod'
import { route } from '#kernel/http/route'
import { auditTrail } from '#projections/audit-trail'
import { platform } from '../identity/access.ts'

export const auditLogRoutes = [
  route('GET /api/admin/audit-logs/actions', {
    does: 'The actions that the audit trail holds, each once, in alphabetical order.',
    access: platform('audit:view'),
    reply: z.array(z.string()),
    handle: async ({ read }) => {
      const rows = await auditTrail.in(read).select('action').distinct().orderBy('action').execute()
      return rows.map(({ action }) => action)
    },
  }),
]
