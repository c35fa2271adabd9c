/** How far an application can be scaled, and why no further. */
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { inApplication } from '../../access/application-access.ts'
import { planIn } from '../../deployments/plan.ts'
import { runningDeployment } from '../../deployments/running.ts'
import { quotaOfServer } from '../../quotas/effective-quota.ts'
import { serverLoad } from '../../servers/load/decider.ts'
import { freeOf, limitsInEffect } from '../../servers/load/rules.ts'
import { composeServices } from '../compose/services.ts'
import { applications } from '../decider.ts'
import type { Application } from '../decider.ts'
import { isComposed } from '../policy.ts'
import { stopFirstReasons } from '../rollover.ts'
import { replicasMaxOf, SCALE_REASONS, scaleReasons } from './replicas.ts'

const free = z.int().nullable()

const Scale = z
  .object({
    replicas: z.int(),
    max: z.int().describe('The most replicas of this size that its server has room for now.'),
    memoryMiB: z.int().describe('Of each replica.'),
    cpuMillis: z.int().describe('Of each replica.'),
    free: z.object({ memoryMiB: free, cpuMillis: free }).describe('What is free on its server. Null: no limit.'),
    rollover: z
      .enum(['START_FIRST', 'STOP_FIRST'])
      .describe('How a new release replaces the one before: beside it, or after it has stopped.'),
    reasons: z
      .array(z.object({ code: z.enum(SCALE_REASONS), message: z.string() }))
      .describe('Why it cannot be scaled further, and what its rollover follows from.'),
  })
  .meta({ id: 'ApplicationScale' })

interface Mounting {
  readonly volumes: readonly { readonly mountPath: string }[]
}

/** As it would be planned now. Of a Compose file in a repository, the services that run are known. */
async function servicesOf(unit: UnitOfWork, { id, source, files, volumes }: Application): Promise<readonly Mounting[]> {
  if (!isComposed(source)) return [{ volumes }]
  if (files.compose !== null) return composeServices(files.compose)
  const plan = (await runningDeployment(unit, { id }))?.plan
  return plan ? planIn(plan).services : []
}

async function scaleOf(unit: UnitOfWork, id: string): Promise<z.input<typeof Scale>> {
  const application = found(await unit.look(applications, id))
  const { serverId, replicas, memoryMiB, cpuMillis } = application
  const { sums } = await unit.look(serverLoad, serverId)
  const left = freeOf(limitsInEffect(await quotaOfServer(unit, serverId)), sums)
  const max = replicasMaxOf(application, left)
  const stopFirst = stopFirstReasons(application, { services: await servicesOf(unit, application) })
  return {
    replicas,
    max,
    memoryMiB,
    cpuMillis,
    free: { memoryMiB: left.memoryMiB, cpuMillis: left.cpuMillis },
    rollover: stopFirst.length > 0 ? 'STOP_FIRST' : 'START_FIRST',
    reasons: scaleReasons(application, max, stopFirst),
  }
}

export const applicationScaleRoutes = [
  route('GET /api/applications/:id/scale', {
    does: 'Tell how far an application can be scaled on its server, and how a new release replaces the one before.',
    access: inApplication('apps:view'),
    reply: Scale,
    handle: ({ run, params: { id } }) => run((unit) => scaleOf(unit, id)),
  }),
]
