/** What applications and previews hold on their servers. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Place } from '../applications/place.ts'
import type { Deployment } from '../deployments/decider.ts'
import { planIn } from '../deployments/plan.ts'
import { runningDeployment, turnOf } from '../deployments/running.ts'
import { serverLoad } from '../servers/load/decider.ts'
import type { Reservation } from '../servers/load/rules.ts'
import { reservedBy, resizeWorkload } from './place-workload.ts'

/** The most of what its configuration says, of what runs, and of what is about to run: each of them may be larger. */
async function neededBy(unit: UnitOfWork, place: Place): Promise<Reservation> {
  const deployed = [await runningDeployment(unit, place.workload), await startingDeployment(unit, place)]
  const plans = deployed.flatMap((each) => (each?.plan ? planIn(each.plan) : []))
  const all = [reservedBy(place), ...plans.map(({ services }) => reservedBy(...services))]
  return {
    cpuMillis: Math.max(...all.map(({ cpuMillis }) => cpuMillis)),
    memoryMiB: Math.max(...all.map(({ memoryMiB }) => memoryMiB)),
    diskMiB: 0,
  }
}

/** @throws Rejection 404 · 409 QUOTA_REACHED | CAPACITY, only if it grows */
export async function sizePlace(unit: UnitOfWork, place: Place): Promise<void> {
  const { workload, serverId } = place
  await resizeWorkload(unit, { serverId, workload, ...(await neededBy(unit, place)) })
}

/** After the end of a deployment, which nothing may refuse. */
export async function giveRoomBack(unit: UnitOfWork, place: Place): Promise<void> {
  const { workload, serverId } = place
  await unit.decide(serverLoad, serverId, 'GiveBack', { serverId, workload, ...(await neededBy(unit, place)) })
}

/** The one whose containers are made, or are there and have no requests yet. */
async function startingDeployment(unit: UnitOfWork, { workload, serverId }: Place): Promise<Deployment | undefined> {
  const deployment = await turnOf(unit, { id: workload.id, serverId })
  const hasContainers = deployment?.step === 'STARTING' || deployment?.step === 'SWITCHING'
  return hasContainers ? deployment : undefined
}
