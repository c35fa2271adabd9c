/** What applications hold on their servers. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { DEPLOYED_KINDS } from '../../tasks/releases.ts'
import type { Application } from '../applications/decider.ts'
import type { ApplicationValues } from '../applications/events.ts'
import type { ReleasePlan } from '../applications/release-plan.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import { deployments } from '../deployments/decider.ts'
import { planIn } from '../deployments/plan.ts'
import type { Reservation } from '../servers/load/rules.ts'
import { resizeWorkload } from './place-workload.ts'

const [APPLICATION] = DEPLOYED_KINDS

type Sized = Pick<ApplicationValues, 'replicas' | 'memoryMiB' | 'cpuMillis'>

export const reservedBy = (...all: readonly Sized[]): Reservation => ({
  cpuMillis: all.reduce((sum, { replicas, cpuMillis }) => sum + replicas * cpuMillis, 0),
  memoryMiB: all.reduce((sum, { replicas, memoryMiB }) => sum + replicas * memoryMiB, 0),
  diskMiB: 0,
})

/**
 * The most of what its configuration says, of what runs, and of what is about to run: each of them may be larger.
 * @param starting the plan of a deployment that makes its containers
 * @throws Rejection 404 · 409 QUOTA_REACHED | CAPACITY, only if it grows
 */
export async function sizeApplication(
  unit: UnitOfWork,
  application: Application,
  starting?: ReleasePlan,
): Promise<void> {
  const { id, serverId } = application
  const { runningId } = await unit.look(applicationReleases, id)
  const running = runningId === null ? undefined : (await unit.look(deployments, runningId))?.plan
  const plans = [...(running ? [planIn(running)] : []), ...(starting ? [starting] : [])]
  const all = [reservedBy(application), ...plans.map(({ services }) => reservedBy(...services))]
  await resizeWorkload(unit, {
    serverId,
    workload: { kind: APPLICATION, id },
    cpuMillis: Math.max(...all.map(({ cpuMillis }) => cpuMillis)),
    memoryMiB: Math.max(...all.map(({ memoryMiB }) => memoryMiB)),
    diskMiB: 0,
  })
}
