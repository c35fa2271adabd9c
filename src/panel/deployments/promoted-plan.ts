/** The plan of an application with the images of another one's deployment. */
import { reject } from '#kernel/lib/rejection'
import type { Place } from '../applications/place.ts'
import { isComposed } from '../applications/policy.ts'
import { releasePlanOf } from '../applications/release-plan.ts'
import type { PlanSettings, ReleasePlan } from '../applications/release-plan.ts'
import type { Deployment } from './decider.ts'
import { planIn } from './plan.ts'

const rejectOtherServices = (): never =>
  reject('conflict', 'The two applications do not have the same services', 'OTHER_SERVICES')

/**
 * Its containers are as the application is configured. Each image is named by its id, so that nothing is built, and the
 * server keeps it for this application, too.
 * @throws Rejection 400 as `mustBeAllowed` · 409 OTHER_SERVICES | NO_COMPOSE_FILE
 */
export function promotedPlanOf(
  application: Place,
  { plan, images }: Pick<Deployment, 'plan' | 'images'>,
  settings: PlanSettings,
): ReleasePlan {
  const { services } = planIn(plan!)
  const imageIds = new Map(services.map(({ name, buildOf }) => [name, images[buildOf ?? name]]))
  if (isComposed(application.source)) return composed(releasePlanOf(application, {}, settings), imageIds)
  const [imageId, ...others] = imageIds.values()
  if (imageId === undefined || others.length > 0) return rejectOtherServices()
  return releasePlanOf(application, { imageId }, settings)
}

function composed(plan: ReleasePlan, imageIds: ReadonlyMap<string, string | undefined>): ReleasePlan {
  const services = plan.services.map((service) => {
    const image = imageIds.get(service.name) ?? rejectOtherServices()
    return { ...service, buildOf: null, image }
  })
  if (services.length !== imageIds.size) rejectOtherServices()
  return { ...plan, builds: [], services }
}
