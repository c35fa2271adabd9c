/** Releases: the containers of one deployment of an application, and how they come and go. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { ImageId, VolumeName } from './engine.ts'
import { taskKind } from './kind.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const SERVICES_MAX = 20
export const REPLICAS_MAX = 8
export const VOLUMES_MAX = 10
export const PUBLISHED_MAX = 49
export const KEPT_IMAGES_MAX = 20
const VARIABLES_MAX = 2_000
/** Of the whole workload: of each service, each replica. */
const CONTAINERS_MAX = SERVICES_MAX * REPLICAS_MAX
/** What the engine takes to make, to start and to stop containers, beside what each container asks for. */
const SLACK_MS = MINUTE_MS

export const DEPLOYED_KINDS = ['APPLICATION', 'PREVIEW'] as const

/** What is deployed. */
export const deployed = z.strictObject({ kind: z.enum(DEPLOYED_KINDS), id: uuid })
export const installation = z.string().min(1).max(100)
/** The service of an application that is one image. */
export const ONLY_SERVICE = 'app'
export const ServiceName = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/)
export const containerPort = z.int().min(1).max(65_535)
const seconds = z.int().min(0).max(600)
const argv = z.array(z.string().max(4_096)).min(1).max(64)
/** Absolute, without `..`, and not the root. */
export const mountPath = z
  .string()
  .max(300)
  .regex(/^(?:\/(?!\.{1,2}(?:\/|$))[^/\0:]+)+$/)

/** Of a request, with what it asks for; encoded. */
const requestPath = z
  .string()
  .max(500)
  .regex(/^\/[!-~]*$/)

export const ReleaseHealth = z.strictObject({
  kind: z.enum(['HTTP', 'TCP', 'COMMAND', 'IMAGE', 'NONE']),
  /** Null: `/`. */
  path: requestPath.nullable(),
  /** Of the kind COMMAND. In a task it is null, and among the secrets; not so in those of an earlier version of the panel. */
  command: argv.nullable(),
  intervalSeconds: seconds,
  timeoutSeconds: seconds,
  startSeconds: seconds,
  successes: z.int().min(1).max(10),
})
export type ReleaseHealth = z.output<typeof ReleaseHealth>

/** A port of the host that the engine itself leads to a container. Those of TCP are the proxy's. */
export const PublishedPort = z.strictObject({
  /** Of the host. Null: all of them. */
  ip: z.union([z.ipv4(), z.ipv6()]).nullable(),
  port: containerPort,
  containerPort,
  protocol: z.literal('UDP'),
})
export type PublishedPort = z.output<typeof PublishedPort>

export const ReleaseService = z.strictObject({
  name: ServiceName,
  imageId: ImageId,
  /** Null: that of the secrets. Not null: asked for by an earlier version of the panel. */
  command: argv.nullable(),
  /** That its health check asks. */
  port: containerPort.nullable(),
  replicas: z.int().min(1).max(REPLICAS_MAX),
  memoryMiB: z.int().min(16),
  cpuMillis: z.int().min(50),
  volumes: z.array(z.strictObject({ volume: VolumeName, mountPath })).max(VOLUMES_MAX),
  /** Of its first replica: no other container can have the same ones, so that such a release replaces the one before. */
  published: z.array(PublishedPort).max(PUBLISHED_MAX),
  health: ReleaseHealth,
  stopSeconds: seconds,
  /** Services that are healthy before this one is started. */
  dependsOn: z.array(ServiceName).max(SERVICES_MAX),
  /** Names that lead to it within its environment. */
  aliases: z.array(ServiceName).max(4),
})
export type ReleaseService = z.output<typeof ReleaseService>

export const releaseFields = {
  installation,
  workload: deployed,
  projectId: uuid,
  environmentId: uuid,
  deploymentId: uuid,
  services: z.array(ReleaseService).min(1).max(SERVICES_MAX),
  /** Connections of its containers leave from this address of the host. Null: from the one that the host chooses. */
  outboundIp: z.union([z.ipv4(), z.ipv6()]).nullable(),
}

export type Release = z.output<z.ZodObject<typeof releaseFields>>

/** A name has one meaning, what a check asks is named, and no service waits for itself. */
export function isConsistent({ services }: { readonly services: readonly ReleaseService[] }): boolean {
  const names = new Set(services.map(({ name }) => name))
  const isNamed = ({ port, health: { kind } }: ReleaseService): boolean =>
    port !== null || (kind !== 'HTTP' && kind !== 'TCP')
  return names.size === services.length && services.every(isNamed) && isOrdered(services)
}

/** Whether each service depends on others alone, without a circle. */
function isOrdered(services: readonly ReleaseService[]): boolean {
  const started = new Set<string>()
  for (;;) {
    const isNext = ({ name, dependsOn }: ReleaseService) =>
      !started.has(name) && dependsOn.every((on) => started.has(on))
    const next = services.filter(isNext)
    if (next.length === 0) return started.size === services.length
    for (const { name } of next) started.add(name)
  }
}

const variableName = z
  .string()
  .max(256)
  .regex(/^[^=\0]+$/)
const variableValue = z.string().regex(/^[^\0]*$/)

/** The secrets of a task that starts containers. */
export const ReleaseSecrets = z.strictObject({
  env: z
    .array(z.strictObject({ service: ServiceName, name: variableName, value: variableValue }))
    .max(VARIABLES_MAX * SERVICES_MAX),
  /** People write passwords into commands. Absent: those of the payload count. */
  commands: z
    .array(
      z.strictObject({
        service: ServiceName,
        /** Null: that of the image. */
        command: argv.nullable(),
        /** Of a health check of the kind COMMAND. */
        health: argv.nullable(),
      }),
    )
    .max(SERVICES_MAX)
    .optional(),
})
export type ReleaseSecrets = z.output<typeof ReleaseSecrets>

export const ReleaseContainer = z.strictObject({
  service: ServiceName,
  replica: z.int().min(1).max(REPLICAS_MAX),
  containerId: z.string().regex(/^[0-9a-f]{64}$/),
  /** In the network of its environment. It keeps it while it is there. */
  address: z.ipv4(),
  healthyMs: z.int().min(0),
})
export type ReleaseContainer = z.output<typeof ReleaseContainer>

/** Of one release. */
export const releaseContainers = z.array(ReleaseContainer).max(CONTAINERS_MAX)

/** How long they may take to get healthy, one after the other. */
export const startMsOf = (services: readonly ReleaseService[]): number =>
  services.reduce((sum, { health }) => sum + health.startSeconds * 1_000, SLACK_MS)

/** What changes a workload is done one after the other. */
export const laneOf = ({ kind, id }: z.output<typeof deployed>): string => `${kind}/${id}`

/** What clears up waits for a server that is offline, as long as it is a server of the panel. */
const clearing = {
  pool: 'release',
  needs: ['engine'],
  deadlineMs: 365 * DAY_MS,
  retryOn: ['ENGINE_DOWN'],
} as const
/** About a week, since the longest wait between two attempts is an hour. */
const REMOVE_ATTEMPTS = 170
const RETIRE_ATTEMPTS = 12

/**
 * The containers of a deployment go, once the proxy has no request for them or their time is over. The last 1 MiB of what
 * they have said is in its log.
 */
export const releaseRetire = taskKind('release.retire', 1, {
  payload: z.strictObject({
    installation,
    workload: deployed,
    deploymentId: uuid,
    drainSeconds: seconds,
    stopSeconds: seconds,
    /** Removed unless a container uses them. */
    imageIds: z.array(ImageId).max(KEPT_IMAGES_MAX * SERVICES_MAX),
  }),
  result: z.strictObject({
    drainedMs: z.int().min(0),
    /** Connections that were open when their time was over. */
    cut: z.int().min(0),
    freedBytes: z.int().min(0),
  }),
  // Beside what follows: a connection may stay for minutes.
  lane: ({ deploymentId }) => `retire/${deploymentId}`,
  runMs: ({ drainSeconds, stopSeconds }) => (drainSeconds + stopSeconds) * 1_000 + 5 * MINUTE_MS,
  onRestart: 'repeat',
  shows: ['deploymentId', 'drainedMs', 'cut', 'freedBytes'],
  ...clearing,
  attempts: RETIRE_ATTEMPTS,
})

/** Everything of a workload goes: what leads to it, its containers, the images that it alone uses, and its volumes if that is asked. */
export const releaseRemove = taskKind('release.remove', 1, {
  payload: z.strictObject({
    installation,
    workload: deployed,
    /** Of the proxy, which is to know nothing of it. Null: it was told nothing. */
    proxyRevision: z.int().min(1).nullable(),
    stopSeconds: seconds,
    deleteVolumes: z.boolean(),
    imageIds: z.array(ImageId).max(KEPT_IMAGES_MAX * SERVICES_MAX),
  }),
  result: z.strictObject({ freedBytes: z.int().min(0), keptVolumes: z.array(VolumeName).max(100) }),
  lane: ({ workload }) => laneOf(workload),
  runMs: () => 15 * MINUTE_MS,
  onRestart: 'repeat',
  shows: ['freedBytes', 'keptVolumes'],
  ...clearing,
  attempts: REMOVE_ATTEMPTS,
  retryMsMax: HOUR_MS,
  retryOn: ['ENGINE_DOWN', 'ENGINE_REFUSED', 'PROXY_DOWN', 'IN_USE'],
})
