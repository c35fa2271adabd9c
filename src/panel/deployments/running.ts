/** What runs of an application or a preview, as a unit of work reads it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Application } from '../applications/decider.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import { deployments } from './decider.ts'
import type { Deployment } from './decider.ts'

/** Undefined: none runs. */
export async function runningDeployment(
  unit: UnitOfWork,
  workload: { readonly id: string },
): Promise<Deployment | undefined> {
  const { runningId } = await unit.look(applicationReleases, workload.id)
  return runningId === null ? undefined : unit.look(deployments, runningId)
}

type Where = Pick<Application, 'projectId' | 'environmentId'>

/** Whether its application was moved since. */
export const isElsewhere = (deployment: Where, now: Where): boolean =>
  deployment.projectId !== now.projectId || deployment.environmentId !== now.environmentId
