/** A container of a release. What the panel says changes nothing of it but what is named here. */
import { availableParallelism } from 'node:os'
import { LABELS } from '../../tasks/labels.ts'
import { laneOf } from '../../tasks/releases.ts'
import type { PublishedPort, Release, ReleaseService } from '../../tasks/releases.ts'

const MIB = 1_048_576
const NANOS_PER_MILLI = 1_000_000
const MILLIS_PER_CPU = 1_000
const PROCESSES_MAX = 512
/** What programs need that begin as root and go on as another user. */
const CAPABILITIES = ['CHOWN', 'SETUID', 'SETGID', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'NET_BIND_SERVICE']
const LOG = { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } }

export interface Replica {
  readonly service: ReleaseService
  /** From 1 on. */
  readonly replica: number
}

export const replicasOf = (service: ReleaseService): Replica[] =>
  Array.from({ length: service.replicas }, (_, nth) => ({ service, replica: nth + 1 }))

/** The engine refuses a second one. */
export const containerName = ({ deploymentId }: Pick<Release, 'deploymentId'>, { service, replica }: Replica): string =>
  `daybook-${deploymentId}-${service.name}-${replica}`

export const ownersOfWorkload = (workload: Release['workload']): string => `${laneOf(workload)}/`
export const ownersOf = ({ workload, deploymentId }: Pick<Release, 'workload' | 'deploymentId'>): string =>
  `${ownersOfWorkload(workload)}${deploymentId}/`
/** Of an address. */
export const ownerOf = (release: Release, { service, replica }: Replica): string =>
  `${ownersOf(release)}${service.name}/${replica}`

export const labelsOfWorkload = ({ installation, workload }: Pick<Release, 'installation' | 'workload'>) => ({
  [LABELS.installation]: installation,
  [LABELS.workload]: laneOf(workload),
})

export const labelsOfDeployment = (of: Pick<Release, 'installation' | 'workload' | 'deploymentId'>) => ({
  ...labelsOfWorkload(of),
  [LABELS.deployment]: of.deploymentId,
})

/** Of volumes, which outlive the deployment. */
export const labelsOfVolume = (release: Release) => ({
  ...labelsOfWorkload(release),
  [LABELS.project]: release.projectId,
  [LABELS.environment]: release.environmentId,
})

export interface ContainerPlan extends Replica {
  readonly release: Release
  readonly taskId: string
  readonly network: string
  readonly address: string
  /** `NAME=value` */
  readonly env: readonly string[]
  readonly slice: string | undefined
}

/**
 * Until its release is healthy, it is not started again: then the reason of its end is still known.
 * Source: Docker Engine API 1.41, ContainerCreate.
 */
export const containerOf = ({ release, taskId, service, replica, network, address, env, slice }: ContainerPlan) => ({
  Image: service.imageId,
  ExposedPorts: Object.fromEntries(publishedBy({ service, replica }).map((each) => [inEngine(each), {}])),
  ...(service.command && { Cmd: service.command }),
  Env: env,
  Labels: {
    ...labelsOfVolume(release),
    [LABELS.task]: taskId,
    [LABELS.deployment]: release.deploymentId,
    [LABELS.service]: service.name,
    [LABELS.replica]: String(replica),
  },
  StopTimeout: service.stopSeconds,
  ...(service.health.kind !== 'IMAGE' && { Healthcheck: { Test: ['NONE'] } }),
  HostConfig: {
    ...limitsOf(service),
    PidsLimit: PROCESSES_MAX,
    CapDrop: ['ALL'],
    CapAdd: CAPABILITIES,
    SecurityOpt: ['no-new-privileges'],
    RestartPolicy: { Name: 'no' },
    LogConfig: LOG,
    NetworkMode: network,
    PortBindings: bindingsOf(publishedBy({ service, replica })),
    Mounts: service.volumes.map(({ volume, mountPath }) => ({ Type: 'volume', Source: volume, Target: mountPath })),
    ...(slice !== undefined && { CgroupParent: slice }),
  },
  NetworkingConfig: {
    EndpointsConfig: { [network]: { IPAMConfig: { IPv4Address: address }, Aliases: service.aliases } },
  },
})

const publishedBy = ({ service, replica }: Replica): readonly PublishedPort[] =>
  replica === 1 ? service.published : []

const inEngine = ({ containerPort, protocol }: PublishedPort): string => `${containerPort}/${protocol.toLowerCase()}`

/** A port of a container may have several of the host. */
function bindingsOf(published: readonly PublishedPort[]) {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {}
  for (const each of published)
    (bindings[inEngine(each)] ??= []).push({ HostIp: each.ip ?? '', HostPort: String(each.port) })
  return bindings
}

const limitsOf = ({ memoryMiB, cpuMillis }: ReleaseService) => ({
  Memory: memoryMiB * MIB,
  MemorySwap: memoryMiB * MIB,
  NanoCpus: Math.min(cpuMillis, availableParallelism() * MILLIS_PER_CPU) * NANOS_PER_MILLI,
})
