/** What runs of an application or a preview, as a unit of work reads it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Application } from '../applications/decider.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import { deployments, isOver } from './decider.ts'
import type { Deployment } from './decider.ts'
import { deployLanes } from './lane/decider.ts'
import { runningTurn } from './lane/rules.ts'

/** Undefined: none runs. */
export async function runningDeployment(
  unit: UnitOfWork,
  workload: { readonly id: string },
): Promise<Deployment | undefined> {
  const { runningId } = await unit.look(applicationReleases, workload.id)
  return runningId === null ? undefined : unit.look(deployments, runningId)
}

interface Deployed {
  readonly id: string
  readonly serverId: string
}

/** What has its turn in the lane, which makes containers or is about to. */
export async function turnOf(unit: UnitOfWork, { id, serverId }: Deployed): Promise<Deployment | undefined> {
  const turn = runningTurn(await unit.look(deployLanes, serverId), { id })
  const deployment = turn && (await unit.look(deployments, turn.deploymentId))
  return deployment && !isOver(deployment) ? deployment : undefined
}

/** All that may have containers: what starts, what runs, and what ran before it. */
export async function deployedOf(unit: UnitOfWork, place: Deployed): Promise<Deployment[]> {
  const { runningId, formerId } = await unit.look(applicationReleases, place.id)
  const ids = [runningId, formerId].filter((each) => each !== null)
  const known = await Promise.all(ids.map((each) => unit.look(deployments, each)))
  return [...known, await turnOf(unit, place)].filter((each) => each !== undefined)
}

type Where = Pick<Application, 'projectId' | 'environmentId'>

/** Whether its application was moved since. */
export const isElsewhere = (deployment: Where, now: Where): boolean =>
  deployment.projectId !== now.projectId || deployment.environmentId !== now.environmentId
