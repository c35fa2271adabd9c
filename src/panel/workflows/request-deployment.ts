/** Asks for a deployment of an application or a preview, which waits for its turn on its server. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { found, reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { deploymentTable } from '#projections/panel/deployments'
import { tasks } from '../agent/decider.ts'
import { mustHaveItsData } from '../applications/data/rules.ts'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { placeAt, placeOf } from '../applications/place.ts'
import type { Place } from '../applications/place.ts'
import { applicationReleases, lastReleased } from '../applications/release/decider.ts'
import { deployments } from '../deployments/decider.ts'
import type { Deployment } from '../deployments/decider.ts'
import type { DeploymentCause, DeploymentKind, VariableRevisions } from '../deployments/events.ts'
import { deployLanes } from '../deployments/lane/decider.ts'
import { promotedPlanOf } from '../deployments/promoted-plan.ts'
import { isElsewhere } from '../deployments/running.ts'
import { openTasksOf } from '../deployments/tasks.ts'
import { projectEnvironments } from '../projects/environments/decider.ts'
import { buildsMaxOf } from '../quotas/effective-quota.ts'
import { leaveLane } from './end-deployment.ts'

export interface DeploymentRequest {
  readonly applicationId: string
  /** What is deployed. Absent: the application itself. */
  readonly previewId?: string | undefined
  readonly cause: { readonly type: DeploymentCause; readonly id: string | null }
  /** Instead of what the application names. */
  readonly commit?: string | undefined
  readonly branch?: string | undefined
  readonly imageTag?: string | undefined
  readonly alwaysBuilds?: boolean | undefined
}

/** By no person: a newer one takes the place of those that wait. */
export const AUTOMATIC: readonly DeploymentCause[] = ['WEBHOOK', 'SCHEDULE']

interface Asked extends DeploymentRequest {
  readonly kind: DeploymentKind
  readonly fromId: string | null
  readonly variables: VariableRevisions | null
}

/**
 * Makes a new version of it run.
 * @returns the id of the deployment @throws Rejection 404 · 409 NOTHING_TO_DEPLOY
 */
export async function requestDeployment(unit: UnitOfWork, ask: DeploymentRequest): Promise<string> {
  const { applicationId, previewId = null } = ask
  const place = found(await placeAt(unit, { applicationId, previewId }))
  if (ask.imageTag !== undefined && place.source.kind !== 'IMAGE')
    reject('conflict', 'The application is not one of an image, so that it has no tag', 'NOTHING_TO_DEPLOY')
  if ((ask.commit !== undefined || ask.branch !== undefined) && place.source.kind === 'IMAGE')
    reject('conflict', 'The application has no repository: it takes neither a commit nor a branch', 'NOTHING_TO_DEPLOY')
  return request(unit, place, { ...ask, kind: 'DEPLOY', fromId: null, variables: null })
}

/**
 * Runs the images of a deployment that succeeded again.
 * @param ask.then whether its containers get the variables of then
 * @throws Rejection 404 · 409 NOT_SUCCESSFUL | IMAGE_GONE
 */
export async function requestRollback(
  unit: UnitOfWork,
  ask: DeploymentRequest & { readonly fromId: string; readonly then: boolean },
): Promise<string> {
  const application = found(await unit.look(applications, ask.applicationId))
  const from = found(await unit.look(deployments, ask.fromId))
  found(from.applicationId === application.id || undefined)
  if (from.state !== 'SUCCEEDED' || from.kind === 'STOP' || from.previewId !== null)
    reject('conflict', 'Only a deployment of the application itself that succeeded can run again', 'NOT_SUCCESSFUL')
  const images = Object.values(from.images)
  const { kept } = await unit.look(applicationReleases, application.id)
  if (!kept.some(({ imageIds }) => images.every((imageId) => imageIds.includes(imageId))))
    reject('conflict', 'An image of that deployment is no longer kept: deploy its commit again', 'IMAGE_GONE')
  const variables = ask.then ? await variablesOfThen(unit, from, application) : null
  return request(unit, placeOf(application), { ...ask, kind: 'ROLLBACK', variables })
}

/** An application that was moved since gets what its new place shares now, and nothing of the place before. */
async function variablesOfThen(
  unit: UnitOfWork,
  { variables, ...then }: Deployment,
  { projectId, environmentId }: Application,
): Promise<VariableRevisions | null> {
  if (variables === null || !isElsewhere(then, { projectId, environmentId })) return variables
  return { ...variables, project: await unit.revisionOf(projectEnvironments, projectId) }
}

/** Nothing of it is built, so that its base images do not matter. */
const NO_BUILD = { baseImages: '' }

/**
 * @param fromId a deployment of another application, whose images would run
 * @throws Rejection 404 · 409 OTHER_SERVER, and as `promotedPlanOf`
 */
export async function mustBePromotable(unit: UnitOfWork, application: Application, fromId: string): Promise<void> {
  const from = found(await unit.look(deployments, fromId))
  if (from.serverId !== application.serverId)
    reject('conflict', 'The two applications are on different servers, and images stay on theirs', 'OTHER_SERVER')
  promotedPlanOf(placeOf(application), from, NO_BUILD)
}

/**
 * Runs the images of a deployment of another application, as this one is configured.
 * @throws Rejection 404, and as `mustBePromotable`
 */
export async function requestPromotion(
  unit: UnitOfWork,
  ask: DeploymentRequest & { readonly fromId: string },
): Promise<string> {
  const application = found(await unit.look(applications, ask.applicationId))
  await mustBePromotable(unit, application, ask.fromId)
  return request(unit, placeOf(application), { ...ask, kind: 'PROMOTE', variables: null })
}

/**
 * The deployment that a rollback goes back to: the newest one of the commit, or the last one before that which runs.
 * @throws Rejection 404 · 409 NOT_SUCCESSFUL
 */
export async function rollbackTarget(
  unit: UnitOfWork,
  read: ReadDatabase,
  applicationId: string,
  { deploymentId, commit }: { readonly deploymentId?: string | undefined; readonly commit?: string | undefined },
): Promise<string> {
  if (deploymentId !== undefined) return deploymentId
  if (commit === undefined) {
    const release = await unit.look(applicationReleases, applicationId)
    const last = lastReleased(release)
    const before = release.kept.find((each) => each.deploymentId !== last)
    return before?.deploymentId ?? reject('conflict', 'No earlier deployment succeeded', 'NOT_SUCCESSFUL')
  }
  const row = await deploymentTable
    .queryIn(read)
    .select('id')
    .where('applicationId', '=', applicationId)
    .where('commit', '=', commit)
    .where('status', '=', 'SUCCEEDED')
    .where('previewId', 'is', null)
    .orderBy('position', 'desc')
    .executeTakeFirst()
  return row?.id ?? reject('conflict', 'No deployment of that commit succeeded', 'NOT_SUCCESSFUL')
}

/** @throws Rejection 404 · 409 NEVER_DEPLOYED */
export async function requestAgain(
  unit: UnitOfWork,
  ask: DeploymentRequest & { readonly kind: 'RESTART' | 'START' | 'STOP' },
): Promise<string> {
  const application = found(await unit.look(applications, ask.applicationId))
  const last = lastReleased(await unit.look(applicationReleases, application.id))
  const fromId = last ?? reject('conflict', 'The application was never deployed', 'NEVER_DEPLOYED')
  return request(unit, placeOf(application), { ...ask, fromId, variables: null })
}

/** @throws Rejection 409 DATA_COPYING */
async function request(unit: UnitOfWork, place: Place, ask: Asked): Promise<string> {
  if (!place.preview) mustHaveItsData(place)
  const { id: applicationId, projectId, environmentId, serverId, source, workload, preview } = place
  const deploymentId = unit.newId()
  const { kind, cause, commit = null, branch = null, imageTag = null, alwaysBuilds = false, fromId, variables } = ask
  const about = { deploymentId, applicationId, projectId, environmentId }
  await unit.decide(deployments, deploymentId, 'Request', {
    ...about,
    serverId,
    previewId: preview?.id ?? null,
    kind,
    cause,
    commit,
    branch,
    imageTag,
    alwaysBuilds,
    fromId,
    variables,
  })
  const isAutomatic = AUTOMATIC.includes(cause.type)
  if (isAutomatic) await supersede(unit, { serverId, workloadId: workload.id, byId: deploymentId })
  await unit.decide(deployLanes, serverId, 'Join', {
    serverId,
    deploymentId,
    workloadId: workload.id,
    projectId,
    builds: kind === 'DEPLOY' && source.kind !== 'IMAGE',
    isAutomatic,
    buildsMax: await buildsMaxOf(unit, serverId),
  })
  return deploymentId
}

interface Superseding {
  readonly serverId: string
  readonly workloadId: string
  readonly byId: string
}

/** What a person has asked for is never left out. */
async function supersede(unit: UnitOfWork, { serverId, workloadId, byId }: Superseding): Promise<void> {
  const waiting = (await unit.load(deployLanes, serverId)).filter(
    ({ isRunning, isAutomatic, ...joined }) => joined.workloadId === workloadId && !isRunning && isAutomatic,
  )
  for (const { deploymentId: id } of waiting) {
    await unit.decide(deployments, id, 'Supersede', { byId })
    await leaveLane(unit, { id, serverId })
  }
}

/** What waits ends at once. What runs ends when its task does. @throws Rejection 404 · 409 TOO_LATE */
export async function cancelDeployment(unit: UnitOfWork, id: string, applicationId: string): Promise<void> {
  const before = found(await unit.load(deployments, id))
  found(before.applicationId === applicationId || undefined)
  await unit.decide(deployments, id, 'Cancel', {})
  const { state } = found(await unit.load(deployments, id))
  if (before.state === 'QUEUED') await leaveLane(unit, before)
  const open = state === 'CANCELLING' ? openTasksOf(before) : []
  for (const taskId of open) await unit.decide(tasks, taskId, 'Cancel', {})
}
