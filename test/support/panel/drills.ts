/** An operation that does what the request says, for what goes wrong while one runs. */
import { z } from 'zod'
import { reject } from '#kernel/lib/rejection'
import { operation } from '#kernel/resource/operation'
import { operationJobs } from '#kernel/resource/operation-jobs'
import { operationRoutes } from '#kernel/resource/operation-routes'
import { operationTable } from '#kernel/resource/operation-table'
import { section } from '#kernel/resource/section'
import { projectViewers } from '#panel/access/audiences'
import { panelLists } from '#panel/access/panel-lists'
import { inProject } from '#panel/access/project-access'
import { projectRoutes } from '#panel/access/project-routes'
import { sealedForProject } from '#panel/projects/events'

const drills = operation('Drill', {
  of: { projectId: z.uuid() },
  stream: 'drills',
  fields: { does: z.enum(['wait', 'break', 'be busy']) },
  result: {},
  timeoutSeconds: 60,
  sealedFor: sealedForProject,
})

const drillTable = operationTable(drills)

const drillJobs = operationJobs('drills', drills, {
  table: drillTable,
  async perform({ does }, { signal, log }) {
    await log(`began to ${does}`)
    if (does === 'break') throw new Error('the drill of ada@example.com broke')
    if (does === 'be busy') reject('unavailable', 'Others are first')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await log('was told to stop')
    signal.throwIfAborted()
    return {}
  },
})

const view = inProject()
const { request, read, log } = operationRoutes(drills, { table: drillTable, view, lists: panelLists })

export const drillsSection = section({
  name: 'drills',
  deciders: [drills],
  visibleTo: { drills: projectViewers },
  readModels: [drillTable],
  routes: [
    projectRoutes(view).change('POST /api/projects/:id/drills', {
      does: 'Start a drill.',
      ...request,
      decide: ({ unit, projectId, body }) => request.decide(unit, { projectId }, body),
    }),
    read('GET /api/projects/:id/drills/:drillId', 'Read a drill.'),
    log('GET /api/projects/:id/drills/:drillId/log', 'Read the log of a drill.'),
  ],
  ...drillJobs,
})
