/** How a deployment begins, and the tasks of its steps. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found } from '#kernel/lib/rejection'
import { gitFetch, imageBuild, imageNameOf, imagePull } from '../../tasks/builds.ts'
import { releaseReplace } from '../../tasks/release-replace.ts'
import { releaseStart } from '../../tasks/release-start.ts'
import type { ReleaseService } from '../../tasks/releases.ts'
import { applications } from '../applications/decider.ts'
import { baseImagesIn } from '../applications/detector/base-images.ts'
import { applicationEnv } from '../applications/env/decider.ts'
import { placeAt } from '../applications/place.ts'
import type { Place } from '../applications/place.ts'
import { publishedOf } from '../applications/published-ports.ts'
import { releasePlanOf } from '../applications/release-plan.ts'
import type { ReleasePlan } from '../applications/release-plan.ts'
import { applicationReleases, lastReleased } from '../applications/release/decider.ts'
import { gitSourceOf } from '../applications/webhook/watched-branch.ts'
import { deployments } from '../deployments/decider.ts'
import type { Deployment } from '../deployments/decider.ts'
import type { DeploymentStep } from '../deployments/events.ts'
import { mainServiceOf, planAgain, planIn, withTag } from '../deployments/plan.ts'
import { promotedPlanOf } from '../deployments/promoted-plan.ts'
import { runningDeployment } from '../deployments/running.ts'
import { DEPLOYMENT, nextImage } from '../deployments/tasks.ts'
import type { NeededImage } from '../deployments/tasks.ts'
import { projectEnvironments } from '../projects/environments/decider.ts'
import { APPLICATION } from './applications.ts'
import { imageMarkOf, queueStep, releaseAboutOf, retireRelease } from './deploying.ts'
import type { Deploying } from './deploying.ts'
import { failDeployment, failureIn, leaveLane } from './end-deployment.ts'
import type { Failure } from './end-deployment.ts'
import { putProxy, takeFragment, takeNeededFragment } from './put-proxy.ts'
import { sizePlace } from './size-place.ts'

const GONE = { code: 'APPLICATION_GONE', message: 'The application was deleted, or its preview was closed' }

/** One that has begun, or is over, decides nothing. */
export async function startDeployment(deploying: Deploying, id: string): Promise<void> {
  const { unit } = deploying
  const deployment = found(await unit.load(deployments, id))
  if (deployment.state !== 'QUEUED') return
  const place = await placeAt(unit, deployment)
  if (!place) return failDeployment(unit, id, GONE)
  await unit.decide(applicationReleases, place.workload.id, 'Begin', { about: releaseAboutOf(place) })
  if (deployment.kind === 'STOP') await stopRunning(deploying, deployment, place)
  else if (deployment.kind === 'PROMOTE') await startPromoted(deploying, deployment, place)
  else if (deployment.fromId !== null) await startAgain(deploying, deployment, place)
  else await startNew(deploying, deployment, place)
}

/** What its source asks for first: a fetch, a pull, or a build of what the application itself has. */
async function startNew(deploying: Deploying, deployment: Deployment, place: Place): Promise<void> {
  const { source } = place
  if (source.kind === 'GIT') return fetchSource(deploying, deployment, place)
  const image = source.kind === 'IMAGE' ? { image: withTag(source.image, deployment.imageTag) } : {}
  await startPlanned(deploying, deployment, () => releasePlanOf(place, image, settingsOf(deploying)))
}

const SOURCE_GONE = { code: 'IMAGE_GONE', message: 'The application that the images come from was deleted' }

/** The images of another application. The server gives each a name of this one, so that it keeps them for both. */
async function startPromoted(deploying: Deploying, deployment: Deployment, place: Place): Promise<void> {
  const from = found(await deploying.unit.look(deployments, deployment.fromId!))
  const source = await deploying.unit.look(applications, from.applicationId)
  if (!source) return failDeployment(deploying.unit, deployment.id, SOURCE_GONE)
  await startPlanned(deploying, deployment, () => promotedPlanOf(place, from, settingsOf(deploying)), from.fetched)
}

async function startPlanned(
  deploying: Deploying,
  { id }: Deployment,
  make: () => ReleasePlan,
  fetched: Deployment['fetched'] = null,
): Promise<void> {
  const { unit } = deploying
  const planned = planOrFailure(make)
  if ('failure' in planned) return failDeployment(unit, id, planned.failure)
  await unit.decide(deployments, id, 'Start', { step: stepOf(nextImage(planned.plan, {})) })
  if (fetched) await unit.decide(deployments, id, 'NoteCommit', fetched)
  await unit.decide(deployments, id, 'Plan', { plan: JSON.stringify(planned.plan) })
  await goOn(deploying, id)
}

/** Variables that are no secrets reach a build by its arguments, which a made Dockerfile must name. */
export const settingsOf = ({ baseImages }: Deploying, buildArgs: readonly string[] = []) => ({ baseImages, buildArgs })

/** What the application or its repository says may not be planned. */
export function planOrFailure(make: () => ReleasePlan): { readonly plan: ReleasePlan } | { readonly failure: Failure } {
  try {
    return { plan: make() }
  } catch (error) {
    return { failure: failureIn(error) }
  }
}

async function fetchSource(deploying: Deploying, deployment: Deployment, place: Place): Promise<void> {
  const { unit, installation } = deploying
  const source = gitSourceOf(place)!
  const { id, commit, branch, alwaysBuilds } = deployment
  await unit.decide(deployments, id, 'Start', { step: 'FETCHING' })
  const running = await runningDeployment(unit, place.workload)
  const payload = {
    installation,
    workload: place.workload,
    deploymentId: id,
    url: source.url,
    ref: commit ?? branch ?? source.branch,
    directory: source.directory,
    watch: { from: alwaysBuilds ? null : (running?.fetched?.commit ?? null), paths: [...source.watchPaths] },
  }
  await queueStep(deploying, { deployment, kind: gitFetch, payload })
}

/** The images of an earlier deployment, with its own variables or those of now. */
async function startAgain(deploying: Deploying, deployment: Deployment, place: Place): Promise<void> {
  const { unit } = deploying
  const { id, kind, fromId } = deployment
  const release = await unit.look(applicationReleases, place.workload.id)
  // What was released while it waited is what a restart is of.
  const newest = lastReleased(release) ?? fromId!
  const { plan, images, fetched } = found(await unit.look(deployments, kind === 'ROLLBACK' ? fromId! : newest))
  const before = planIn(plan!)
  const now = kind === 'ROLLBACK' ? before : planAgain(before, place)
  await unit.decide(deployments, id, 'Plan', { plan: JSON.stringify(now) })
  await unit.decide(deployments, id, 'Adopt', { images })
  if (fetched) await unit.decide(deployments, id, 'NoteCommit', fetched)
  await goOn(deploying, id)
}

async function stopRunning(deploying: Deploying, deployment: Deployment, place: Place): Promise<void> {
  const { unit } = deploying
  await unit.decide(deployments, deployment.id, 'Start', { step: 'STOPPING' })
  const { isProxied } = await unit.load(applicationReleases, place.workload.id)
  const cause = { type: DEPLOYMENT, id: deployment.id }
  if (isProxied) await putProxy(deploying, { place, plan: undefined, release: null, cause })
  else await retireRunning(deploying, deployment, place)
}

/** The containers that run go when the proxy has nothing more for them. Without any, the deployment is over. */
export async function retireRunning(deploying: Deploying, by: Deployment, place: Place): Promise<void> {
  const { unit } = deploying
  const { runningId } = await unit.load(applicationReleases, place.workload.id)
  const { drainSeconds } = place
  const retirement = { byId: by.id, drainSeconds, deadlineMs: releaseStart.deadlineMs }
  if (runningId !== null) return retireRelease(deploying, place, runningId, retirement)
  await unit.decide(deployments, by.id, 'Succeed', {})
  await leaveLane(unit, by)
}

/** The next image, or the containers when all images are there. */
export async function goOn(deploying: Deploying, id: string): Promise<void> {
  const deployment = found(await deploying.unit.load(deployments, id))
  const next = nextImage(planIn(deployment.plan!), deployment.images)
  await (next ? getImage(deploying, deployment, next) : startContainers(deploying, deployment))
}

/** What a deployment does to get an image. */
export const stepOf = (next: NeededImage | undefined): DeploymentStep =>
  next === undefined ? 'STARTING' : next.build ? 'BUILDING' : 'PULLING'

async function getImage(deploying: Deploying, deployment: Deployment, next: NeededImage): Promise<void> {
  const { unit, installation } = deploying
  const { service, nth } = next
  const { workload, buildTimeoutSeconds: timeoutSeconds } = found(await placeAt(unit, deployment))
  const common = { installation, workload, deploymentId: deployment.id }
  const mark = imageMarkOf(deploying, deployment.id)
  const tag = imageNameOf(workload, { deploymentId: deployment.id, service, mark })
  if (!next.build) {
    const from = await ownerOfPromoted(unit, deployment)
    const payload = { ...common, reference: next.image, ...(from && { from }), tag }
    return queueStep(deploying, { deployment, kind: imagePull, payload, nth })
  }
  const { context, directory, dockerfile, target } = next.build
  // What the operator has named may be there without a registry.
  const localImages = [...new Set(Object.values(baseImagesIn(deploying.baseImages)))]
  const payload = { ...common, service, context, directory, dockerfile, target, tag, localImages, timeoutSeconds }
  await queueStep(deploying, { deployment, kind: imageBuild, payload, nth })
}

/** An application names its images, and only a promotion takes those of another one. */
async function ownerOfPromoted(unit: UnitOfWork, { kind, fromId }: Deployment) {
  if (kind !== 'PROMOTE') return undefined
  const { applicationId: id } = found(await unit.look(deployments, fromId!))
  return { kind: APPLICATION, id } as const
}

async function startContainers(deploying: Deploying, deployment: Deployment): Promise<void> {
  const { unit, installation } = deploying
  const { id, applicationId, projectId } = deployment
  const variables = deployment.variables ?? {
    application: await unit.revisionOf(applicationEnv, applicationId),
    project: await unit.revisionOf(projectEnvironments, projectId),
  }
  const place = found(await placeAt(unit, deployment))
  await unit.decide(deployments, id, 'UseVariables', { variables })
  const plan = planIn(deployment.plan!)
  const payload = {
    installation,
    workload: place.workload,
    projectId,
    environmentId: place.networkId,
    deploymentId: id,
    services: servicesOf(plan, deployment, place),
    outboundIp: place.outboundIp,
  }
  const failure = await failureToPlace(deploying, place)
  if (failure) return failDeployment(unit, id, failure)
  const { runningId: replaces } = await unit.load(applicationReleases, place.workload.id)
  if (replaces === null || !isStopFirst(plan, place)) {
    const needed = await takeNeededFragment(deploying, { place, plan, release: id })
    const own = { ...payload, ...(needed && { fragment: needed }) }
    return queueStep(deploying, { deployment, kind: releaseStart, payload: own })
  }
  const fragment = await takeFragment(deploying, { place, plan, release: id })
  const { drainSeconds } = place
  await queueStep(deploying, {
    deployment,
    kind: releaseReplace,
    payload: { ...payload, replaces, drainSeconds, fragment },
  })
}

/** Its server must have the room for what its containers are, which a rollback may enlarge. */
async function failureToPlace({ unit }: Deploying, place: Place) {
  try {
    await sizePlace(unit, place)
    return undefined
  } catch (error) {
    return failureIn(error)
  }
}

/** An earlier plan may not know what is asked for now. The engine gives a port to one container alone. */
const isStopFirst = (plan: ReleasePlan, place: Place): boolean =>
  plan.rollover === 'STOP_FIRST' || place.rollover === 'STOP_FIRST' || publishedOf(place).length > 0

/** Its ports are those of now, as its addresses are, and not of its plan. Its commands are secrets of the task. */
function servicesOf(plan: ReleasePlan, { images }: Deployment, place: Place): ReleaseService[] {
  const main = mainServiceOf(plan)
  return plan.services.map((planned) => {
    const { buildOf, image: _i, environment: _e, isHttp: _h, ...service } = planned
    const published = planned === main ? publishedOf(place) : []
    const health = { ...service.health, command: null }
    return { ...service, command: null, health, published, imageId: found(images[buildOf ?? service.name]) }
  })
}
