import { z } from 'zod'
import { route } from '#kernel/http/route'
import { applicationsStats, ContainerStats } from '../../tasks/applications.ts'
import { inApplication } from '../access/application-access.ts'
import { ask } from '../agent/asks.ts'
import { containersAsked } from './logs/containers.ts'

const ALL = { service: null, deploymentId: null }

export const applicationStatsRoutes = [
  route('GET /api/applications/:id/stats/live', {
    does: 'Measure what each running container of an application uses now.',
    access: inApplication('apps:view'),
    refuses: [409],
    reply: z.array(ContainerStats.meta({ id: 'ContainerStats' })),
    async handle(call) {
      const { application } = call.ruleResult
      const asked = await containersAsked(call, application, ALL)
      return (await ask(call, applicationsStats, application.serverId, asked)).containers
    },
  }),
]
