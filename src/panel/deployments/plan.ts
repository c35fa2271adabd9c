/** The plan of a deployment, which is kept sealed with it, as JSON. */
import type { Application } from '../applications/decider.ts'
import type { PlannedService, ReleasePlan } from '../applications/release-plan.ts'
import { rolloverOf } from '../applications/rollover.ts'

export const planIn = (text: string): ReleasePlan => JSON.parse(text) as ReleasePlan

/** The service that requests go to; without one, the first. */
export const mainServiceOf = ({ services }: ReleasePlan): PlannedService =>
  services.find(({ isHttp }) => isHttp) ?? services[0]!

type Running = Pick<
  Application,
  'port' | 'command' | 'replicas' | 'memoryMiB' | 'cpuMillis' | 'healthCheck' | 'stopSeconds'
>

/** What the configuration of an application says of the containers of its only service. */
const asConfigured = ({ healthCheck, port, command, replicas, memoryMiB, cpuMillis, stopSeconds }: Running) => ({
  port,
  isHttp: port !== null,
  command,
  replicas,
  memoryMiB,
  cpuMillis,
  stopSeconds,
  health: healthCheck,
})

/** The plan of earlier images with the configuration of now. The services of a Compose file stay as it says. */
export function planAgain(plan: ReleasePlan, application: Application): ReleasePlan {
  const [only, ...others] = plan.services
  const services = others.length > 0 ? plan.services : [{ ...only!, ...asConfigured(application) }]
  return { ...plan, services, rollover: rolloverOf(application, { services }) }
}

/** With another tag or digest than the application names. */
export const withTag = (image: string, tag: string | null): string =>
  tag === null ? image : `${image.replace(/(?::[^/:@]+)?(?:@.*)?$/, '')}:${tag}`
