import { z } from 'zod'
import { route } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import { applicationsStats, ContainerStats } from '../../tasks/applications.ts'
import { inApplication } from '../access/application-access.ts'
import { ask } from '../agent/asks.ts'
import { containersAsked } from './logs/containers.ts'

const ALL = { service: null, deploymentId: null }

export const applicationStatsRoutes = [
  route('GET /api/applications/:id/stats/live', {
    does: 'Measure what each running container of an application, or of a preview of it, uses now.',
    access: inApplication('apps:view'),
    refuses: [409],
    query: z.strictObject({ previewId: uuid.optional().describe('Absent: those of the application itself.') }),
    reply: z.array(ContainerStats.meta({ id: 'ContainerStats' })),
    async handle(call) {
      const { application } = call.ruleResult
      const asked = await containersAsked(call, application, { ...ALL, previewId: call.query.previewId })
      return (await ask(call, applicationsStats, application.serverId, asked)).containers
    },
  }),
]
