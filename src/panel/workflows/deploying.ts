/** What all steps of deployments use: their tasks, and whose objects on hosts they are. */
import { createHmac } from 'node:crypto'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { settingOf } from '#projections/panel/settings'
import { PAYLOAD_BYTES_MAX } from '../../tasks/kind.ts'
import type { TaskKind } from '../../tasks/kind.ts'
import { releaseRetire } from '../../tasks/releases.ts'
import { installationOf } from '../agent/installation.ts'
import { queueTask } from '../agent/queue-task.ts'
import { aboutOf } from '../applications/about/events.ts'
import type { Place } from '../applications/place.ts'
import type { Deployment } from '../deployments/decider.ts'
import { DEPLOYMENT, taskOf } from '../deployments/tasks.ts'
import { failDeployment } from './end-deployment.ts'

export interface Deploying {
  readonly unit: UnitOfWork
  /** Tells the objects of this panel on hosts. */
  readonly installation: string
  /** The setting: the domain of clean URLs. */
  readonly appsDomain: string
  /** The setting: what Dockerfiles are made from. */
  readonly baseImages: string
  /** What the marks in names of images are made of. */
  readonly imageMarks: string
}

/** What does not depend on a unit of work. */
export async function deployingFor({ vault, read }: Pick<HandlerContext, 'vault' | 'read'>) {
  const [installation, imageMarks, appsDomain, baseImages] = await Promise.all([
    installationOf(vault),
    vault.hmac('names of images', 'marks'),
    settingOf(read, 'appsDomain'),
    settingOf(read, 'baseImages'),
  ])
  return { installation, imageMarks, appsDomain, baseImages }
}

const MARK_CHARACTERS = 32

/** It cannot be guessed from the deployment, and is always the same one, so that an image is found again. */
export const imageMarkOf = ({ imageMarks }: Pick<Deploying, 'imageMarks'>, deploymentId: string): string =>
  createHmac('sha256', imageMarks).update(deploymentId).digest('hex').slice(0, MARK_CHARACTERS)

type PlaceOf = Pick<Place, 'id' | 'projectId' | 'environmentId' | 'preview'>

/** Of what runs of it. */
export const releaseAboutOf = (place: PlaceOf) => ({ ...aboutOf(place), previewId: place.preview?.id ?? null })

interface Step<Payload> {
  readonly deployment: Pick<Deployment, 'id' | 'serverId' | 'projectId'>
  readonly kind: TaskKind<Payload>
  readonly payload: Payload
  readonly nth?: number
}

const NOT_TELLABLE = {
  code: 'CONFIGURATION_TOO_LARGE',
  message: 'What the containers are told has more than 64 KiB, or a path that is too long: shorten paths',
}

/** What no task can say fails the deployment: it would be tried again for ever. */
const isTellable = <Payload>({ payload: schema }: TaskKind<Payload>, payload: Payload): boolean =>
  schema.safeParse(payload).success && Buffer.byteLength(JSON.stringify(payload)) <= PAYLOAD_BYTES_MAX

export async function queueStep<Payload>(
  { unit }: Pick<Deploying, 'unit'>,
  { deployment, kind, payload, nth = 0 }: Step<Payload>,
): Promise<void> {
  const { id, serverId, projectId } = deployment
  if (!isTellable(kind, payload)) return failDeployment(unit, id, NOT_TELLABLE)
  const taskId = taskOf(deployment, kind, nth)
  await queueTask(unit, kind, { taskId, serverId, projectId, payload, cause: { type: DEPLOYMENT, id } })
}

interface Retirement {
  /** The deployment that ends them. Each one asks once, and a second one asks again. */
  readonly byId: string
  readonly drainSeconds: number
  readonly imageIds?: readonly string[]
  /** When what waits for it gives up. Undefined: nothing waits. */
  readonly deadlineMs?: number
}

/**
 * The containers of a deployment go. It is the cause of the task: their last words belong to its log.
 * @param deploymentId that has made them
 */
export async function retireRelease(
  deploying: Deploying,
  { workload, serverId, projectId, stopSeconds }: Place,
  deploymentId: string,
  { byId, drainSeconds, imageIds = [], ...rest }: Retirement,
): Promise<void> {
  const payload = {
    installation: deploying.installation,
    workload,
    deploymentId,
    drainSeconds,
    stopSeconds,
    imageIds: [...imageIds],
  }
  const taskId = taskOf({ id: byId }, releaseRetire)
  const cause = { type: DEPLOYMENT, id: deploymentId }
  await queueTask(deploying.unit, releaseRetire, { taskId, serverId, projectId, payload, cause, ...rest })
}
