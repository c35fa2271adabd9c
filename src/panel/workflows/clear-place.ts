/** What a place leaves behind goes: its deployments end, and its server removes what it has of it by a task. */
import { releaseRemove } from '../../tasks/releases.ts'
import { queueTask, taskIdFor } from '../agent/queue-task.ts'
import type { Place } from '../applications/place.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import type { Deploying } from './deploying.ts'
import { endDeploymentsOf } from './end-deployment.ts'
import type { Failure } from './end-deployment.ts'
import { liftWorkload } from './place-workload.ts'

/** In the append that removes it. */
export async function clearPlace(
  deploying: Deploying,
  place: Place,
  { failure, deleteVolumes }: { readonly failure: Failure; readonly deleteVolumes: boolean },
): Promise<void> {
  const { unit } = deploying
  const { workload, serverId, preview, dataCopy } = place
  const hadOpen = await endDeploymentsOf(unit, place, failure)
  const { isBegun } = await unit.load(applicationReleases, workload.id)
  // What a copy that still runs has made is removed by its own end.
  const hasData = preview === null && dataCopy?.state === 'DONE'
  // One that was never started, and has no copied data, has left nothing there.
  if (hadOpen || isBegun || hasData) await clearServer(deploying, place, deleteVolumes)
  await liftWorkload(unit, { serverId, workload })
}

async function clearServer(deploying: Deploying, place: Place, deleteVolumes: boolean): Promise<void> {
  const { unit, installation } = deploying
  const { workload, serverId, projectId, stopSeconds } = place
  const { kept, isProxied, proxyRevision } = await unit.load(applicationReleases, workload.id)
  const cause = { type: workload.kind.toLowerCase(), id: workload.id }
  const imageIds = [...new Set(kept.flatMap((each) => each.imageIds))]
  const payload = {
    installation,
    workload,
    proxyRevision: isProxied ? proxyRevision + 1 : null,
    stopSeconds,
    deleteVolumes,
    imageIds,
  }
  await queueTask(unit, releaseRemove, { taskId: taskIdFor(cause, releaseRemove), serverId, projectId, payload, cause })
}
