/** What a deployment builds, and which services it starts. It is kept sealed with the deployment, as JSON. */
import { z } from 'zod'
import { ONLY_SERVICE, ReleaseHealth, ReleaseService } from '../../tasks/releases.ts'
import type { Application } from '../applications/decider.ts'

const { name, command, port, replicas, memoryMiB, cpuMillis, volumes, stopSeconds, dependsOn, aliases } =
  ReleaseService.shape

const PlannedBuild = z.strictObject({
  service: name,
  directory: z.string(),
  /** Below the directory. Null: `text` is the Dockerfile. */
  dockerfile: z.string().nullable(),
  text: z.string().nullable(),
  target: z.string().nullable(),
  args: z.array(z.strictObject({ name: z.string(), value: z.string() })),
})
export type PlannedBuild = z.output<typeof PlannedBuild>

const PlannedService = z.strictObject({
  name,
  /** Of the service whose image it runs: of a build, or of `image`. */
  imageOf: name,
  /** Pulled for it. Null: it is built. */
  image: z.string().nullable(),
  /** What its source itself sets; variables of the application replace them. */
  environment: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  command,
  port,
  replicas,
  memoryMiB,
  cpuMillis,
  volumes,
  health: ReleaseHealth,
  stopSeconds,
  dependsOn,
  aliases,
})
export type PlannedService = z.output<typeof PlannedService>

export const ReleasePlan = z.strictObject({
  builds: z.array(PlannedBuild),
  services: z.array(PlannedService),
  /** The service that requests go to. */
  http: name,
  drainSeconds: z.int(),
})
export type ReleasePlan = z.output<typeof ReleasePlan>

export const planIn = (text: string): ReleasePlan => ReleasePlan.parse(JSON.parse(text))

type Running = Pick<
  Application,
  'port' | 'command' | 'replicas' | 'memoryMiB' | 'cpuMillis' | 'healthCheck' | 'stopSeconds'
>

/** What the configuration of an application says of the containers of its only service. */
const asConfigured = ({ healthCheck, port, command, replicas, memoryMiB, cpuMillis, stopSeconds }: Running) => ({
  port,
  command,
  replicas,
  memoryMiB,
  cpuMillis,
  stopSeconds,
  health: healthCheck,
})

/** The plan of earlier images with the configuration of now. The services of a Compose file stay as it says. */
export function planAgain(plan: ReleasePlan, application: Application): ReleasePlan {
  const { drainSeconds } = application
  const isOne = plan.services.length === 1
  const services = isOne ? plan.services.map((each) => ({ ...each, ...asConfigured(application) })) : plan.services
  return { ...plan, services, drainSeconds }
}

/** With another tag or digest than the application names. */
const withTag = (image: string, tag: string | null): string =>
  tag === null ? image : `${image.replace(/(?::[^/:@]+)?(?:@.*)?$/, '')}:${tag}`

export function planOf(application: Application, imageTag: string | null): ReleasePlan {
  const { source, slug, drainSeconds } = application
  const service = {
    name: ONLY_SERVICE,
    imageOf: ONLY_SERVICE,
    image: withTag(source.image, imageTag),
    environment: [],
    volumes: [],
    dependsOn: [],
    aliases: [slug],
    ...asConfigured(application),
  }
  return { builds: [], services: [service], http: ONLY_SERVICE, drainSeconds }
}
