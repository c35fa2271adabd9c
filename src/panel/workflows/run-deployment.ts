/** How a deployment begins, and the tasks of its steps. */
import { found } from '#kernel/lib/rejection'
import { imageBuild, imagePull } from '../../tasks/builds.ts'
import { releaseStart } from '../../tasks/releases.ts'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { applicationEnv } from '../applications/env/decider.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import { deployments } from '../deployments/decider.ts'
import type { Deployment } from '../deployments/decider.ts'
import type { DeploymentStep } from '../deployments/events.ts'
import { planAgain, planIn, planOf } from '../deployments/plan.ts'
import type { PlannedService } from '../deployments/plan.ts'
import { DEPLOYMENT, nextImage } from '../deployments/tasks.ts'
import type { NeededImage } from '../deployments/tasks.ts'
import { projectEnvironments } from '../projects/environments/decider.ts'
import { deployedOf, queueStep, retireRelease } from './deploying.ts'
import type { Deploying } from './deploying.ts'
import { failDeployment } from './end-deployment.ts'
import { putProxy } from './put-proxy.ts'

const GONE = { code: 'APPLICATION_GONE', message: 'The application was deleted' }

/** One that has begun, or is over, decides nothing. */
export async function startDeployment(deploying: Deploying, id: string): Promise<void> {
  const { unit } = deploying
  const deployment = found(await unit.load(deployments, id))
  if (deployment.state !== 'QUEUED') return
  const application = await unit.look(applications, deployment.applicationId)
  if (!application) await failDeployment(unit, id, GONE)
  else if (deployment.kind === 'STOP') await stopRunning(deploying, deployment, application)
  else if (deployment.fromId !== null) await startAgain(deploying, deployment, application)
  else await startNew(deploying, deployment, application)
}

async function startNew(deploying: Deploying, { id, imageTag }: Deployment, application: Application): Promise<void> {
  const { unit } = deploying
  await unit.decide(deployments, id, 'Start', { step: 'PULLING' })
  await unit.decide(deployments, id, 'Plan', { plan: JSON.stringify(planOf(application, imageTag)) })
  await goOn(deploying, id)
}

/** The images of an earlier deployment, with its own variables or those of now. */
async function startAgain(deploying: Deploying, deployment: Deployment, application: Application): Promise<void> {
  const { unit } = deploying
  const { id, kind } = deployment
  const { plan, images } = found(await unit.look(deployments, deployment.fromId!))
  const before = planIn(plan!)
  const now = kind === 'ROLLBACK' ? before : planAgain(before, application)
  await unit.decide(deployments, id, 'Plan', { plan: JSON.stringify(now) })
  await unit.decide(deployments, id, 'Adopt', { images })
  await goOn(deploying, id)
}

async function stopRunning(deploying: Deploying, deployment: Deployment, application: Application): Promise<void> {
  const { unit } = deploying
  await unit.decide(deployments, deployment.id, 'Start', { step: 'STOPPING' })
  const { isProxied } = await unit.load(applicationReleases, application.id)
  const cause = { type: DEPLOYMENT, id: deployment.id }
  if (isProxied) await putProxy(deploying, { application, plan: undefined, release: null, cause })
  else await retireRunning(deploying, application)
}

/** The containers that run go when the proxy has nothing more for them. */
export async function retireRunning(deploying: Deploying, application: Application): Promise<void> {
  const { runningId } = await deploying.unit.load(applicationReleases, application.id)
  const { drainSeconds } = application
  if (runningId !== null) await retireRelease(deploying, application, runningId, { drainSeconds })
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

const tagOf = ({ id, applicationId }: Deployment, service: string): string =>
  `daybook/${applicationId}/${service}:${id}`

async function getImage(deploying: Deploying, deployment: Deployment, next: NeededImage): Promise<void> {
  const { installation } = deploying
  const { service, nth } = next
  const common = { installation, workload: deployedOf(deployment.applicationId), deploymentId: deployment.id }
  const tag = tagOf(deployment, service)
  if (!next.build)
    return queueStep(deploying, {
      deployment,
      kind: imagePull,
      payload: { ...common, reference: next.image, tag },
      nth,
    })
  const { directory, dockerfile, target } = next.build
  const payload = {
    ...common,
    service,
    context: 'FETCHED' as const,
    directory,
    dockerfile,
    target,
    tag,
    timeoutSeconds: 1_800,
  }
  await queueStep(deploying, { deployment, kind: imageBuild, payload, nth })
}

async function startContainers(deploying: Deploying, deployment: Deployment): Promise<void> {
  const { unit, installation } = deploying
  const { id, applicationId, projectId, environmentId } = deployment
  const variables = deployment.variables ?? {
    application: await unit.revisionOf(applicationEnv, applicationId),
    project: await unit.revisionOf(projectEnvironments, projectId),
  }
  const application = found(await unit.look(applications, applicationId))
  await unit.decide(deployments, id, 'UseVariables', { variables })
  const payload = {
    installation,
    workload: deployedOf(applicationId),
    projectId,
    environmentId,
    deploymentId: id,
    services: planIn(deployment.plan!).services.map((service) => serviceOf(service, deployment)),
    outboundIp: application.outboundIp,
  }
  await queueStep(deploying, { deployment, kind: releaseStart, payload })
}

function serviceOf({ imageOf, image: _i, environment: _e, ...service }: PlannedService, { images }: Deployment) {
  return { ...service, imageId: found(images[imageOf]) }
}
