/** The end of a deployment, and whose turn it is then. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found, Rejection } from '#kernel/lib/rejection'
import { tasks } from '../agent/decider.ts'
import { placeAt } from '../applications/place.ts'
import type { Place } from '../applications/place.ts'
import { deployments, isOver } from '../deployments/decider.ts'
import type { Deployment } from '../deployments/decider.ts'
import { deployLanes } from '../deployments/lane/decider.ts'
import { openTasksOf } from '../deployments/tasks.ts'
import { buildsMaxOf } from '../quotas/effective-quota.ts'
import { giveRoomBack } from './size-place.ts'

export interface Failure {
  readonly code: string
  readonly message: string
}

/** @throws what is no Rejection */
export function failureIn(error: unknown): Failure {
  if (!(error instanceof Rejection)) throw error
  return { code: error.code, message: error.message }
}

/** The next ones enter in the same append. */
export async function leaveLane(
  unit: UnitOfWork,
  { id: deploymentId, serverId }: Pick<Deployment, 'id' | 'serverId'>,
): Promise<void> {
  const buildsMax = await buildsMaxOf(unit, serverId)
  await unit.decide(deployLanes, serverId, 'Leave', { serverId, deploymentId, buildsMax })
}

/** It ends without success: its server gets the room back that only its containers would have needed. */
export async function giveUpTurn(unit: UnitOfWork, deployment: Deployment): Promise<void> {
  await leaveLane(unit, deployment)
  const place = await placeAt(unit, deployment)
  if (place) await giveRoomBack(unit, place)
}

/** Nothing happens to one that is over. */
export async function failDeployment(unit: UnitOfWork, id: string, failure: Failure): Promise<void> {
  const deployment = found(await unit.load(deployments, id))
  if (isOver(deployment)) return
  await unit.decide(deployments, id, 'Fail', failure)
  await giveUpTurn(unit, deployment)
}

/** Those of a place that wait and the one that runs. @returns whether there were any */
export async function endDeploymentsOf(
  unit: UnitOfWork,
  { workload, serverId }: Pick<Place, 'workload' | 'serverId'>,
  failure: Failure,
): Promise<boolean> {
  const places = (await unit.load(deployLanes, serverId)).filter(({ workloadId }) => workloadId === workload.id)
  for (const { deploymentId } of places) {
    const deployment = await unit.load(deployments, deploymentId)
    await failDeployment(unit, deploymentId, failure)
    const open = deployment ? openTasksOf(deployment) : []
    for (const taskId of open) await unit.decide(tasks, taskId, 'Cancel', {})
  }
  return places.length > 0
}
