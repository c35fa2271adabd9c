/** What follows from the end of a task of a deployment. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found } from '#kernel/lib/rejection'
import { imageBuild, imagePull } from '../../tasks/builds.ts'
import { proxyPut } from '../../tasks/proxy.ts'
import { releaseReplace } from '../../tasks/release-replace.ts'
import { releaseStart } from '../../tasks/release-start.ts'
import { releaseRetire } from '../../tasks/releases.ts'
import { tasks } from '../agent/decider.ts'
import type { Task } from '../agent/decider.ts'
import type { MayCommit } from '../agent/kinds.ts'
import { taskIdFor } from '../agent/queue-task.ts'
import { placeAt } from '../applications/place.ts'
import { applicationReleases, lastReleased } from '../applications/release/decider.ts'
import { deployments, isOver } from '../deployments/decider.ts'
import type { Deployment } from '../deployments/decider.ts'
import { deployLanes } from '../deployments/lane/decider.ts'
import { runningTurn } from '../deployments/lane/rules.ts'
import { planIn } from '../deployments/plan.ts'
import { DEPLOYMENT, imageOfTask, nextImage } from '../deployments/tasks.ts'
import { releaseAboutOf, retireRelease } from './deploying.ts'
import type { Deploying } from './deploying.ts'
import { failDeployment, giveUpTurn, leaveLane } from './end-deployment.ts'
import { putProxy, putRelease } from './put-proxy.ts'
import { goOn, retireRunning, stepOf } from './run-deployment.ts'
import { giveRoomBack } from './size-place.ts'

export type EndedTask = Pick<
  Task,
  'taskId' | 'causeId' | 'state' | 'result' | 'errorCode' | 'errorMessage' | 'kind' | 'payload'
>

const NOT_SWITCHED = { code: 'NOT_SWITCHED', message: 'The agent began to switch, and does not say that it has' }

/** A task that was abandoned or has expired tells nothing itself. */
const failureOf = ({ state, errorCode, errorMessage }: EndedTask) =>
  state === 'EXPIRED'
    ? { code: 'SERVER_OFFLINE', message: 'The agent of the server did not take the work in time' }
    : { code: errorCode ?? state, message: errorMessage ?? '' }

/** @returns the deployment if it goes on: it is neither over nor cancelled, and its task has succeeded */
export async function goesOn(deploying: Deploying, task: EndedTask): Promise<Deployment | undefined> {
  const { unit } = deploying
  const deployment = await unit.load(deployments, task.causeId)
  if (!deployment) return undefined
  const isOpen = !isOver(deployment)
  if (isOpen && deployment.state !== 'CANCELLING' && task.state === 'SUCCEEDED') return deployment
  if (isOpen && deployment.state === 'CANCELLING') {
    await unit.decide(deployments, deployment.id, 'NoteCancelled', {})
    await giveUpTurn(unit, deployment)
  } else if (isOpen) await failDeployment(unit, deployment.id, failureOf(task))
  await clearAfter(deploying, deployment)
  return undefined
}

/** Without success: its containers, if any are left, and its images that no release has. */
async function clearAfter(deploying: Deploying, deployment: Deployment): Promise<void> {
  const { unit } = deploying
  const { id, state, images } = deployment
  const place = await placeAt(unit, deployment)
  if (!place) return
  const all = [...new Set(Object.values(images))]
  if (state === 'SUCCEEDED' || all.length === 0) return
  const { kept } = await unit.look(applicationReleases, place.workload.id)
  const used = new Set(kept.flatMap((each) => each.imageIds))
  const imageIds = all.filter((imageId) => !used.has(imageId))
  await retireRelease(deploying, place, id, { byId: id, drainSeconds: 0, imageIds })
}

/** An image was pulled or built. */
export async function noteImage(deploying: Deploying, task: EndedTask): Promise<void> {
  const deployment = await goesOn(deploying, task)
  if (!deployment) return
  const kind = task.kind === imageBuild.name ? imageBuild : imagePull
  const { imageId, ...told } = kind.result.parse(JSON.parse(task.result!))
  const had = imageOfTask(deployment, task.taskId)
  if (!had) return
  const after = nextImage(planIn(deployment.plan!), { ...deployment.images, [had.service]: imageId })
  const repoDigest = 'repoDigest' in told ? told.repoDigest : null
  const built = { service: had.service, imageId, repoDigest, step: stepOf(after) }
  const noted = await deploying.unit.decide(deployments, deployment.id, 'NoteImage', built)
  // Noted before, with all that follows from it.
  if (noted.length > 0) await goOn(deploying, deployment.id)
}

/** All containers are healthy, and their task would lead the requests to them. From then on a cancel comes too late. */
export async function maySwitch(unit: UnitOfWork, { causeId, payload }: Task): Promise<MayCommit> {
  const deployment = await unit.load(deployments, causeId)
  if (deployment?.state === 'SWITCHING') return 'NOW'
  const place = deployment?.state === 'STARTING' ? await placeAt(unit, deployment) : undefined
  if (!deployment || !place) return 'NO'
  const { fragment } = releaseStart.payload.parse(JSON.parse(payload))
  const { proxyRevision } = await unit.load(applicationReleases, place.workload.id)
  // What was told meanwhile leads to the release before, and comes after this task.
  if (fragment?.revision !== proxyRevision) return 'LATER'
  await unit.decide(deployments, deployment.id, 'NoteReady', {})
  return 'NOW'
}

/** All containers are healthy, and have the requests or get them by another task; or none goes on. */
export async function noteStarted(deploying: Deploying, task: EndedTask): Promise<void> {
  const { unit } = deploying
  const deployment = await goesOnOrUndone(deploying, task)
  if (!deployment) return
  const { switched = false } = releaseStart.result.parse(JSON.parse(task.result!))
  const cause = { type: DEPLOYMENT, id: deployment.id }
  if (deployment.state === 'SWITCHING') {
    if (switched) return noteReleased(deploying, deployment)
    // The other task was asked for when this was noted before.
    if (await unit.look(tasks, taskIdFor(cause, proxyPut))) return
    await failDeployment(unit, deployment.id, NOT_SWITCHED)
    await clearAfter(deploying, deployment)
    return undo(deploying, deployment)
  }
  if (deployment.state !== 'STARTING') return
  await unit.decide(deployments, deployment.id, 'NoteReady', {})
  const place = found(await placeAt(unit, deployment))
  const plan = planIn(deployment.plan!)
  const isAsked = await putProxy(deploying, { place, plan, release: deployment.id, cause })
  if (!isAsked) await noteReleased(deploying, deployment)
}

/** The new containers get the requests, and those before them have stopped; or all is as it was. */
export async function noteReplaced(deploying: Deploying, task: EndedTask): Promise<void> {
  const { unit } = deploying
  if (task.state !== 'SUCCEEDED') {
    const before = await unit.load(deployments, task.causeId)
    await goesOn(deploying, task)
    return undo(deploying, before)
  }
  const deployment = found(await unit.load(deployments, task.causeId))
  const noted = await unit.decide(deployments, deployment.id, 'NoteReplaced', {})
  if (noted.length === 0) return
  await noteReleased(deploying, deployment)
  const place = found(await placeAt(unit, deployment))
  const { proxyRevision } = await unit.load(applicationReleases, place.workload.id)
  const { fragment } = releaseReplace.payload.parse(JSON.parse(task.payload))
  // What was told meanwhile led to the containers before them.
  const isOld = fragment.revision !== proxyRevision
  if (isOld) await putRelease(deploying, place, { type: `${DEPLOYMENT}-replaced`, id: deployment.id })
}

/** The proxy sends requests to the new containers, or to none. */
export async function noteSwitched(deploying: Deploying, task: EndedTask): Promise<void> {
  const deployment = await goesOnOrUndone(deploying, task)
  if (deployment?.state === 'STOPPING')
    return retireRunning(deploying, deployment, found(await placeAt(deploying.unit, deployment)))
  if (deployment) await noteReleased(deploying, deployment)
}

/** As `goesOn`. Where a switch has begun and does not go on, requests are led back. */
async function goesOnOrUndone(deploying: Deploying, task: EndedTask): Promise<Deployment | undefined> {
  const before = await deploying.unit.load(deployments, task.causeId)
  const deployment = await goesOn(deploying, task)
  if (!deployment && before?.state === 'SWITCHING') await undo(deploying, before)
  return deployment
}

/** The containers that were to take over get no request, whatever the proxy has taken of them. */
async function undo(deploying: Deploying, deployment: Deployment | undefined): Promise<void> {
  const place = deployment && (await placeAt(deploying.unit, deployment))
  if (place) await putRelease(deploying, place, { type: `${DEPLOYMENT}-undone`, id: deployment.id })
}

/** It runs from now on. What clears up after it cannot fail it. */
async function noteReleased(deploying: Deploying, deployment: Deployment): Promise<void> {
  const { unit } = deploying
  const { id } = deployment
  const place = found(await placeAt(unit, deployment))
  const { keepImages, drainSeconds, workload } = place
  await unit.decide(deployments, id, 'Succeed', {})
  await leaveLane(unit, deployment)
  const former = await unit.load(applicationReleases, workload.id)
  const imageIds = [...new Set(Object.values(deployment.images))]
  const release = { about: releaseAboutOf(place), deploymentId: id, imageIds, keepImages }
  const [released] = await unit.decide(applicationReleases, workload.id, 'Release', release)
  await giveRoomBack(unit, place)
  const dropped = released?.type === 'ApplicationReleased' ? released.data.dropped : []
  const formerId = lastReleased(former)
  const retirement = { byId: id, drainSeconds, imageIds: dropped }
  if (formerId !== undefined) await retireRelease(deploying, place, formerId, retirement)
}

/** The containers of a release are gone. A deployment that stops it has succeeded; an earlier release may go meanwhile. */
export async function noteRetired({ unit }: Deploying, task: EndedTask): Promise<void> {
  const { workload, deploymentId } = releaseRetire.payload.parse(JSON.parse(task.payload))
  const { runningId } = await unit.look(applicationReleases, workload.id)
  if (deploymentId !== runningId) return
  const retired = await unit.look(deployments, deploymentId)
  const place = retired && (await placeAt(unit, retired))
  if (!place) return
  const lane = await unit.load(deployLanes, place.serverId)
  const running = runningTurn(lane, workload)
  const stopping = running && (await unit.load(deployments, running.deploymentId))
  if (stopping?.state !== 'STOPPING') return
  if (task.state !== 'SUCCEEDED') return failDeployment(unit, stopping.id, failureOf(task))
  await unit.decide(deployments, stopping.id, 'Succeed', {})
  await unit.decide(applicationReleases, workload.id, 'Stop', {
    about: releaseAboutOf(place),
    deploymentId: stopping.id,
  })
  await giveRoomBack(unit, place)
  await leaveLane(unit, stopping)
}
