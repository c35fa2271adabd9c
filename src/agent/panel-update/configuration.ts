/** The configuration of the new container: that of the old one, without what the old one had of its image. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import { Labels } from '../engine/owners.ts'
import { RELEASE_VARIABLE } from './environment-file.ts'

const Names = z.record(z.string(), z.unknown()).nullish()
const Config = z.looseObject({
  Cmd: z.array(z.string()).nullish(),
  Env: z.array(z.string()).nullish(),
  Labels,
  ExposedPorts: Names,
  Volumes: Names,
  Hostname: z.string().nullish(),
})
export const SeenImage = z.object({ Id: z.string(), Config })
export type SeenImage = z.output<typeof SeenImage>

const Endpoint = z.looseObject({
  IPAMConfig: z.unknown(),
  Links: z.unknown(),
  DriverOpts: z.unknown(),
  Aliases: z.array(z.string()).nullish(),
  IPAddress: z.string().nullish(),
})
export const SeenContainer = z.object({
  Id: z.string(),
  /** With a leading slash. */
  Name: z.string(),
  Image: z.string(),
  Config: Config.extend({ Image: z.string() }),
  HostConfig: z.looseObject({
    NetworkMode: z.string(),
    AutoRemove: z.boolean().nullish(),
    Binds: z.array(z.string()).nullish(),
    Mounts: z.array(z.looseObject({ Target: z.string() })).nullish(),
    RestartPolicy: z.looseObject({ Name: z.string() }),
  }),
  Mounts: z.array(z.looseObject({ Type: z.string(), Name: z.string().nullish(), Destination: z.string() })),
  NetworkSettings: z.object({
    Ports: z.record(z.string(), z.array(z.object({ HostIp: z.string(), HostPort: z.string() })).nullable()).nullish(),
    Networks: z.record(z.string(), Endpoint),
  }),
  State: z.object({
    Status: z.string(),
    Running: z.boolean(),
    Health: z.object({ Status: z.string() }).nullish(),
  }),
})
export type SeenContainer = z.output<typeof SeenContainer>

/** As docker names a container within its network, and by default its host. */
const SHORT_ID = 12

export interface NewContainer {
  readonly spec: object
  /** Of the spec, and of those that are connected after it is made. */
  readonly networks: readonly (readonly [name: string, endpoint: object])[]
}

interface New {
  readonly image: string
  readonly taskId: string
  /** Of the file of the image. */
  readonly sha256: string
}

/** Source: Docker Engine API 1.41, ContainerCreate. */
export function successorOf(old: SeenContainer, ofImage: SeenImage, { image, taskId, sha256 }: New): NewContainer {
  const { Binds, ...host } = old.HostConfig
  const networks = networksOf(old)
  const [first] = networks
  const spec = {
    ...ownConfig(old, ofImage),
    Env: [...environmentOf(old, ofImage), `${RELEASE_VARIABLE}=${sha256}`],
    Image: image,
    Labels: { ...without(old.Config.Labels, ofImage.Config.Labels), [LABELS.task]: taskId },
    HostConfig: { ...host, Binds: [...(Binds ?? []), ...anonymousVolumes(old)] },
    ...(first && { NetworkingConfig: { EndpointsConfig: { [first[0]]: first[1] } } }),
  }
  return { spec, networks }
}

export const MIGRATE = ['panel', 'migrate']

/** Runs once, in the networks and with the environment of the old one. It listens nowhere. */
export function migrationOf(old: SeenContainer, ofImage: SeenImage, made: New): NewContainer {
  const { spec, networks } = successorOf(old, ofImage, made)
  const { HostConfig, ...config } = spec as { HostConfig: object }
  const quiet = { PortBindings: {}, PublishAllPorts: false, RestartPolicy: { Name: 'no' }, AutoRemove: false }
  const nameless = networks.map(([name, endpoint]) => [name, { ...endpoint, IPAMConfig: null, Aliases: [] }] as const)
  const [first] = nameless
  return {
    spec: {
      ...config,
      Cmd: MIGRATE,
      // Not those of its project: a container that is kept for its log is no service of it.
      Labels: { [LABELS.task]: made.taskId },
      Healthcheck: { Test: ['NONE'] },
      HostConfig: { ...HostConfig, ...quiet },
      ...(first && { NetworkingConfig: { EndpointsConfig: { [first[0]]: first[1] } } }),
    },
    networks: nameless,
  }
}

/** What equals the image's was not set by the operator: the new image has its own. */
function ownConfig({ Id, Config: own }: SeenContainer, { Config: image }: SeenImage): object {
  const isOwn = ([name, value]: [string, unknown]) => !isDeepStrictEqual(value, image[name])
  return {
    ...Object.fromEntries(Object.entries(own).filter(isOwn)),
    ExposedPorts: without(own.ExposedPorts, image.ExposedPorts),
    Volumes: without(own.Volumes, image.Volumes),
    Hostname: own.Hostname === Id.slice(0, SHORT_ID) ? '' : own.Hostname,
  }
}

const environmentOf = ({ Config: own }: SeenContainer, { Config: image }: SeenImage): string[] =>
  own.Env?.filter((each) => !image.Env?.includes(each) && !each.startsWith(`${RELEASE_VARIABLE}=`)) ?? []

function without<Value>(
  all: Readonly<Record<string, Value>> | null | undefined,
  image: Readonly<Record<string, Value>> | null | undefined,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(all ?? {}).filter(([name, value]) => !isDeepStrictEqual(image?.[name], value)),
  )
}

/** Else the new one had new ones. */
function anonymousVolumes({ HostConfig: { Binds, Mounts: set }, Mounts }: SeenContainer): string[] {
  const named = [...(Binds ?? []).map((each) => each.split(':')[1]), ...(set ?? []).map(({ Target }) => Target)]
  return Mounts.flatMap(({ Type, Name, Destination }) =>
    Type === 'volume' && Name && !named.includes(Destination) ? `${Name}:${Destination}` : [],
  )
}

/** The one that the container is made in first. Its host's, and those of another container, are no networks of its own. */
function networksOf({ Id, HostConfig: { NetworkMode: mode }, NetworkSettings: { Networks } }: SeenContainer) {
  if (mode === 'host' || mode === 'none' || mode.startsWith('container:')) return []
  const first = mode === 'default' ? 'bridge' : mode
  return Object.entries(Networks)
    .toSorted(([one], [other]) => Number(other === first) - Number(one === first))
    .map(([name, { IPAMConfig, Links, DriverOpts, Aliases }]) => {
      const aliases = (Aliases ?? []).filter((each) => each !== Id.slice(0, SHORT_ID))
      return [name, { IPAMConfig, Links, DriverOpts, Aliases: aliases }] as const
    })
}
