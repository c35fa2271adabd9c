/** The tasks of a deployment: one after the other, each with an id that follows from the deployment and its step. */
import { gitFetch, imageBuild, imagePull } from '../../tasks/builds.ts'
import type { TaskKind } from '../../tasks/kind.ts'
import { releaseReplace } from '../../tasks/release-replace.ts'
import { releaseStart } from '../../tasks/release-start.ts'
import { taskIdFor } from '../agent/queue-task.ts'
import type { PlannedBuild, ReleasePlan } from '../applications/release-plan.ts'
import type { Deployment } from './decider.ts'
import { planIn } from './plan.ts'

/** The cause of the tasks. */
export const DEPLOYMENT = 'deployment'

export const taskOf = ({ id }: Pick<Deployment, 'id'>, kind: Pick<TaskKind, 'name'>, nth = 0): string =>
  taskIdFor({ type: DEPLOYMENT, id }, kind, nth)

/** An image that its deployment does not have yet. */
export type NeededImage = { readonly service: string; readonly nth: number } & (
  | { readonly build: PlannedBuild; readonly image?: never }
  | { readonly image: string; readonly build?: never }
)

/** All images of a plan: the built ones first. Services may share one. */
function imagesOf({ builds, services }: ReleasePlan): NeededImage[] {
  const pulled = services.flatMap(({ name: service, image }) => (image === null ? [] : { service, image }))
  return [...builds.map((build) => ({ service: build.service, build })), ...pulled].map((each, nth) => ({
    ...each,
    nth,
  }))
}

/** @param images that the deployment has, by the service */
export const nextImage = (plan: ReleasePlan, images: Deployment['images']): NeededImage | undefined =>
  imagesOf(plan).find(({ service }) => images[service] === undefined)

const taskOfImage = (deployment: Pick<Deployment, 'id'>, { build, nth }: NeededImage): string =>
  taskOf(deployment, build ? imageBuild : imagePull, nth)

/** The image that a task brings. The end of a task may be heard of when its deployment waits for the next image. */
export const imageOfTask = (deployment: Deployment, taskId: string): NeededImage | undefined =>
  imagesOf(planIn(deployment.plan!)).find((image) => taskOfImage(deployment, image) === taskId)

/** Those that may work on its step, if the step has one that can be cancelled. At most one of them was asked for. */
export function openTasksOf(deployment: Deployment): string[] {
  const { state, plan, images } = deployment
  if (state === 'FETCHING') return [taskOf(deployment, gitFetch)]
  if (state === 'STARTING') return [releaseStart, releaseReplace].map((kind) => taskOf(deployment, kind))
  const next = plan === null ? undefined : nextImage(planIn(plan), images)
  if (!next || (state !== 'PULLING' && state !== 'BUILDING')) return []
  return [taskOfImage(deployment, next)]
}
