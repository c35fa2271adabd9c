/** Lists what the engine holds. */
import { z } from 'zod'
import {
  containersList,
  EngineContainer,
  EngineImage,
  EngineNetwork,
  EngineVolume,
  imagesList,
  networksList,
  OBJECTS_MAX,
  volumesList,
} from '../../tasks/engine.ts'
import type { AskKind } from '../../tasks/kind.ts'
import type { EngineCall } from '../engine-call.ts'
import { asker } from '../performer.ts'
import type { Asker } from '../performer.ts'
import { NetworkUser, PREDEFINED_NETWORKS, usesNetwork } from './networks.ts'
import { isManaged, isPlatform, Labels, workloadOf } from './owners.ts'
import { readList, Size } from './read-list.ts'

/** The engine measures disks for sizes, which may take minutes. */
const MEASURE_MS = 5_000
const TEXT_MAX = 300
const ITEMS_MAX = 50

const Containers = z.array(
  NetworkUser.extend({
    Id: z.string(),
    Names: z.array(z.string()),
    Image: z.string(),
    ImageID: z.string(),
    Created: z.number(),
    State: z.string(),
    Status: z.string(),
    SizeRw: Size,
    Labels,
    Mounts: z.array(z.object({ Type: z.string(), Name: z.string().optional() })).nullish(),
  }),
)
const Images = z.array(
  z.object({
    Id: z.string(),
    RepoTags: z.array(z.string()).nullish(),
    Created: z.number(),
    Size,
    Labels,
  }),
)
const Networks = z.array(
  z.object({
    Id: z.string(),
    Name: z.string(),
    Created: z.string(),
    Driver: z.string(),
    Internal: z.boolean(),
    Labels,
  }),
)
const Volumes = z.object({
  Volumes: z
    .array(
      z.object({
        Name: z.string(),
        Driver: z.string(),
        CreatedAt: z.string().optional(),
        Labels,
        UsageData: z.object({ Size }).nullish(),
      }),
    )
    .nullish(),
})

type Container = z.output<typeof Containers>[number]

interface Measured<Value> {
  readonly all: Value
  readonly hasSizes: boolean
}

/** With sizes if the engine knows them soon, else without. */
async function measured<Schema extends z.ZodType>(
  call: EngineCall,
  paths: { readonly sized: string; readonly plain: string },
  schema: Schema,
  signal: AbortSignal,
): Promise<Measured<z.output<Schema>>> {
  try {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(MEASURE_MS)])
    return { all: await readList(call, paths.sized, schema, soon), hasSizes: true }
  } catch {
    signal.throwIfAborted()
    return { all: await readList(call, paths.plain, schema, signal), hasSizes: false }
  }
}

const containersOn = (call: EngineCall, signal: AbortSignal): Promise<Container[]> =>
  readList(call, '/containers/json?all=true', Containers, signal)

const nameOf = ({ Names }: Container): string => (Names[0] ?? '').replace(/^\//, '')

/** The engine writes the year 1 for what it does not know. */
function timeOf(made: number | string | undefined): string | null {
  const ms = typeof made === 'number' ? made * 1_000 : Date.parse(made ?? '')
  return ms > 0 ? new Date(ms).toISOString() : null
}

const short = (text: string): string => text.slice(0, TEXT_MAX)

const ownersOf = (of: Labels, installation: string) => ({
  workload: workloadOf(of, installation),
  isManaged: isManaged(of),
  isPlatform: isPlatform(of),
})

interface ListCall {
  readonly call: EngineCall
  readonly installation: string
  readonly signal: AbortSignal
}

async function listContainers({ call, installation, signal }: ListCall) {
  const plain = '/containers/json?all=true'
  const { all, hasSizes } = await measured(call, { sized: `${plain}&size=true`, plain }, Containers, signal)
  return all.map((each) => ({
    id: each.Id,
    name: short(nameOf(each)),
    image: short(each.Image),
    imageId: each.ImageID,
    state: short(each.State),
    status: short(each.Status),
    // The engine leaves 0 out.
    size: hasSizes ? (each.SizeRw ?? 0) : null,
    createdAt: timeOf(each.Created),
    ...ownersOf(each.Labels, installation),
  }))
}

async function listImages({ call, installation, signal }: ListCall) {
  const containers = await containersOn(call, signal)
  return (await readList(call, '/images/json', Images, signal)).map((each) => ({
    id: each.Id,
    tags: (each.RepoTags ?? [])
      .filter((tag) => tag !== '<none>:<none>')
      .slice(0, ITEMS_MAX)
      .map(short),
    size: each.Size ?? null,
    containers: containers.filter(({ ImageID }) => ImageID === each.Id).length,
    createdAt: timeOf(each.Created),
    ...ownersOf(each.Labels, installation),
  }))
}

async function listNetworks({ call, installation, signal }: ListCall) {
  const containers = await containersOn(call, signal)
  return (await readList(call, '/networks', Networks, signal)).map((each) => ({
    id: each.Id,
    name: short(each.Name),
    driver: short(each.Driver),
    isInternal: each.Internal,
    isPredefined: PREDEFINED_NETWORKS.includes(each.Name),
    containers: containers.filter((container) => usesNetwork(container, each)).length,
    size: null,
    createdAt: timeOf(each.Created),
    ...ownersOf(each.Labels, installation),
  }))
}

async function listVolumes({ call, installation, signal }: ListCall) {
  const containers = await containersOn(call, signal)
  const { all } = await measured(call, { sized: '/system/df', plain: '/volumes' }, Volumes, signal)
  const mounting = (name: string) =>
    containers.filter(({ Mounts }) => Mounts?.some(({ Type, Name }) => Type === 'volume' && Name === name))
  return (all.Volumes ?? []).map((each) => ({
    name: each.Name,
    driver: short(each.Driver),
    size: each.UsageData?.Size ?? null,
    containers: mounting(each.Name)
      .slice(0, ITEMS_MAX)
      .map((container) => short(nameOf(container))),
    createdAt: timeOf(each.CreatedAt),
    ...ownersOf(each.Labels, installation),
  }))
}

export function engineAskers(call: EngineCall): readonly Asker[] {
  const lister = <Item>(
    kind: AskKind<{ installation: string }, { items: Item[] }>,
    item: z.ZodType<Item>,
    list: (asked: ListCall) => Promise<Item[]>,
  ): Asker =>
    asker(kind, async ({ installation }, { signal }) => {
      const items = await list({ call, installation, signal })
      // One that cannot be told leaves the others.
      return { items: items.filter((each) => item.safeParse(each).success).slice(0, OBJECTS_MAX) }
    })
  return [
    lister(containersList, EngineContainer, listContainers),
    lister(imagesList, EngineImage, listImages),
    lister(networksList, EngineNetwork, listNetworks),
    lister(volumesList, EngineVolume, listVolumes),
  ]
}
