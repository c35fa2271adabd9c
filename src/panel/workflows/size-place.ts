/** What applications and previews hold on their servers. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Place } from '../applications/place.ts'
import type { ReleasePlan } from '../applications/release-plan.ts'
import { planIn } from '../deployments/plan.ts'
import { runningDeployment } from '../deployments/running.ts'
import { reservedBy, resizeWorkload } from './place-workload.ts'

/**
 * The most of what its configuration says, of what runs, and of what is about to run: each of them may be larger.
 * @param starting the plan of a deployment that makes its containers
 * @throws Rejection 404 · 409 QUOTA_REACHED | CAPACITY, only if it grows
 */
export async function sizePlace(unit: UnitOfWork, place: Place, starting?: ReleasePlan): Promise<void> {
  const { workload, serverId } = place
  const running = (await runningDeployment(unit, workload))?.plan
  const plans = [...(running ? [planIn(running)] : []), ...(starting ? [starting] : [])]
  const all = [reservedBy(place), ...plans.map(({ services }) => reservedBy(...services))]
  await resizeWorkload(unit, {
    serverId,
    workload,
    cpuMillis: Math.max(...all.map(({ cpuMillis }) => cpuMillis)),
    memoryMiB: Math.max(...all.map(({ memoryMiB }) => memoryMiB)),
    diskMiB: 0,
  })
}
