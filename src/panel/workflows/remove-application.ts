/** The end of an application: everything of it goes in one append, and what its server has of it by a task. */
import { releaseRemove } from '../../tasks/releases.ts'
import { tasks } from '../agent/decider.ts'
import { queueTask, taskIdFor } from '../agent/queue-task.ts'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import { applicationRoster } from '../applications/roster/decider.ts'
import { deployments } from '../deployments/decider.ts'
import { deployLanes } from '../deployments/lane/decider.ts'
import { openTasksOf } from '../deployments/tasks.ts'
import { projectContents } from '../projects/contents/decider.ts'
import { freePorts } from './application-addresses.ts'
import { APPLICATION } from './applications.ts'
import { deployedOf } from './deploying.ts'
import type { Deploying } from './deploying.ts'
import { failDeployment } from './end-deployment.ts'
import { liftWorkload } from './place-workload.ts'
import { removeSchedulesOf } from './scheduled-deploys.ts'

const DELETED = { code: 'APPLICATION_GONE', message: 'The application was deleted' }

/** Nothing happens if it is not there. */
export async function removeApplication(
  deploying: Deploying,
  applicationId: string,
  { deleteVolumes }: { readonly deleteVolumes: boolean },
): Promise<void> {
  const { unit } = deploying
  const application = await unit.load(applications, applicationId)
  if (!application) return
  const { projectId, serverId } = application
  const hadOpen = await endDeployments(deploying, application)
  const { isBegun } = await unit.load(applicationReleases, applicationId)
  const { dataCopy } = application
  if (dataCopy?.state === 'RUNNING') await unit.decide(tasks, dataCopy.taskId, 'Cancel', {})
  // One that was never started, and has no copied data, has left nothing there.
  if (hadOpen || isBegun || dataCopy) await clearServer(deploying, application, deleteVolumes)
  await removeSchedulesOf(unit, applicationId)
  await unit.decide(applications, applicationId, 'Delete', {})
  await unit.decide(applicationRoster, undefined, 'Strike', { applicationId })
  await unit.decide(projectContents, projectId, 'Remove', { projectId, kind: APPLICATION, itemId: applicationId })
  await liftWorkload(unit, { serverId, workload: { kind: APPLICATION, id: applicationId } })
  await freePorts(unit, application)
}

/** Those that wait and the one that runs. @returns whether there were any */
async function endDeployments({ unit }: Deploying, { id, serverId }: Application): Promise<boolean> {
  const places = (await unit.load(deployLanes, serverId)).filter(({ workloadId }) => workloadId === id)
  for (const { deploymentId } of places) {
    const deployment = await unit.load(deployments, deploymentId)
    await failDeployment(unit, deploymentId, DELETED)
    const open = deployment ? openTasksOf(deployment) : []
    for (const taskId of open) await unit.decide(tasks, taskId, 'Cancel', {})
  }
  return places.length > 0
}

async function clearServer(deploying: Deploying, application: Application, deleteVolumes: boolean): Promise<void> {
  const { unit, installation } = deploying
  const { id, serverId, projectId, stopSeconds } = application
  const { kept, isProxied, proxyRevision } = await unit.load(applicationReleases, id)
  const cause = { type: 'application', id }
  const about = { serverId, projectId, cause }
  const imageIds = [...new Set(kept.flatMap((each) => each.imageIds))]
  const revision = isProxied ? proxyRevision + 1 : null
  const payload = {
    installation,
    workload: deployedOf(id),
    proxyRevision: revision,
    stopSeconds,
    deleteVolumes,
    imageIds,
  }
  await queueTask(unit, releaseRemove, { ...about, taskId: taskIdFor(cause, releaseRemove), payload })
}
