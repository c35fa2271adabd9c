/** What still runs with older values of shared variables. */
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { applicationTable } from '#projections/panel/applications'
import { deploymentTable } from '#projections/panel/deployments'
import { somewhereInProject } from '../../access/project-access.ts'
import { hasPermission } from '../../access/rights.ts'
import { isShared, variablesAt } from '../../applications/env/effective.ts'
import type { SourcedVariable } from '../../applications/env/effective.ts'
import { deployments } from '../../deployments/decider.ts'
import type { Deployment } from '../../deployments/decider.ts'
import { isElsewhere } from '../../deployments/running.ts'
import { projectEnvironments } from '../environments/decider.ts'

const VIEW = 'apps:view'

const Stale = z
  .object({
    applicationId: z.uuid(),
    deploymentId: z.uuid().describe('The deployment whose containers run.'),
    names: z.array(z.string()).describe('The shared variables that have another value now, are new or are gone.'),
    since: z.iso.datetime().describe('When its containers were made, with the values of then or of an earlier time.'),
  })
  .meta({ id: 'StaleSharedEnv' })

interface RunningRelease {
  readonly deploymentId: string
  readonly environmentId: string
  readonly since: string | null
}

/** The oldest first. */
const runningIn = (read: ReadDatabase, projectId: string): Promise<RunningRelease[]> =>
  applicationTable
    .queryIn(read)
    .innerJoin(deploymentTable.as('deployment'), 'deployment.id', 'applications.runningId')
    .where('applications.projectId', '=', projectId)
    .select(['deployment.id as deploymentId', 'applications.environmentId', 'deployment.startingAt as since'])
    .orderBy('deployment.startingAt')
    .orderBy('deployment.id')
    .execute()

/** A shared variable that the application replaces by its own reaches no container. */
const sharedIn = (all: readonly SourcedVariable[]): ReadonlyMap<string, string> =>
  new Map(all.filter((each) => each.inEffect && isShared(each)).map(({ name, value }) => [name, value]))

interface Place {
  readonly projectId: string
  readonly environmentId: string
}

/**
 * Of values of then and of now, both with the variables that the application had then. Its containers may be of the place
 * that it was moved from.
 */
async function changedNames(unit: UnitOfWork, deployment: Deployment, place: Place, now: number): Promise<string[]> {
  const { applicationId: id, projectId, environmentId, variables } = deployment
  if (variables === null) return []
  if (!isElsewhere(deployment, place) && variables.project === now) return []
  const [before, after] = [
    sharedIn(await variablesAt(unit, { id, projectId, environmentId }, variables)),
    sharedIn(await variablesAt(unit, { id, ...place }, { ...variables, project: now })),
  ]
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted()
}

async function staleOf(unit: UnitOfWork, projectId: string, running: readonly RunningRelease[]) {
  const now = await unit.revisionOf(projectEnvironments, projectId)
  const stale: z.input<typeof Stale>[] = []
  for (const { deploymentId, environmentId, since } of running) {
    const deployment = await unit.look(deployments, deploymentId)
    const names = deployment ? await changedNames(unit, deployment, { projectId, environmentId }, now) : []
    if (names.length > 0) {
      const { applicationId, requestedAt } = deployment!
      stale.push({ applicationId, deploymentId, names, since: since ?? requestedAt })
    }
  }
  return stale
}

export const staleEnvRoutes = [
  route('GET /api/projects/:id/shared-env/stale', {
    does: 'List what runs with shared variables that have changed since, by their names. A restart uses the values of now.',
    access: somewhereInProject(VIEW),
    reply: z.array(Stale),
    async handle({ read, run, params: { id }, ruleResult: { rights } }) {
      const running = await runningIn(read, id)
      const seen = running.filter(({ environmentId }) => hasPermission(rights, VIEW, environmentId))
      return run((unit) => staleOf(unit, id, seen))
    },
  }),
]
