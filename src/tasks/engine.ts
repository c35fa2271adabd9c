/** What the container engine of a host holds, and changes to it. */
import { z } from 'zod'
import { machineText } from '#kernel/lib/display-text'
import { askKind, taskKind } from './kind.ts'

/** Of each list: what is beyond is not told. */
export const OBJECTS_MAX = 1_000
const MOUNTS_MAX = 50
const TAGS_MAX = 50

export const ContainerId = z.string().regex(/^[0-9a-f]{64}$/)
export const ImageId = z.string().regex(/^sha256:[0-9a-f]{64}$/)
/** Networks of the engine have ids like containers; those of a Swarm 25 characters. */
export const NetworkId = z.string().regex(/^(?:[0-9a-f]{64}|[0-9a-z]{25})$/)
export const VolumeName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{1,254}$/)

/** Of the kind of a workload, and of its id. A longer one names no workload. */
export const WORKLOAD_WORD_MAX = 100
const workloadWord = z.string().max(WORKLOAD_WORD_MAX)

const installation = z.string().min(1).max(100)
const text = machineText(300)
const bytes = z.int().min(0).nullable()

const objectFields = {
  createdAt: z.iso.datetime().nullable().describe('By the clock of the host. Null: the engine does not know it.'),
  workload: z
    .object({ kind: workloadWord, id: workloadWord })
    .nullable()
    .describe('For what the panel has made it. Null: it belongs to no workload of this panel.'),
  isManaged: z.boolean().describe('Whether a panel manages it, this one or another one on the same engine.'),
  isPlatform: z.boolean().describe('Whether it is a part of the panel’s own installation.'),
}

export const EngineContainer = z.object({
  id: ContainerId,
  name: text,
  image: text.describe('As its maker named the image.'),
  imageId: z.string().max(100),
  state: text.describe('The word of the engine: `running`, `exited`, `paused` and others.'),
  status: text.describe('The sentence of the engine, such as `Up 2 hours`.'),
  size: bytes.describe('What the container has written, in bytes. Null: the engine has not told it.'),
  ...objectFields,
})

export const EngineImage = z.object({
  id: ImageId,
  tags: z.array(text).max(TAGS_MAX),
  size: bytes.describe('In bytes, with layers that other images share.'),
  containers: z.int().min(0).describe('How many containers were made of it, running or not.'),
  ...objectFields,
})

export const EngineNetwork = z.object({
  id: NetworkId,
  name: text,
  driver: text,
  isInternal: z.boolean().describe('Whether its containers reach nothing outside.'),
  isPredefined: z.boolean().describe('Whether the engine itself has made it. It cannot be removed.'),
  containers: z.int().min(0).describe('How many containers are made to use it, running or not.'),
  size: z.null().describe('Networks have no size.'),
  ...objectFields,
})

export const EngineVolume = z.object({
  name: z.string().max(255),
  driver: text,
  size: bytes.describe('In bytes. Null: the engine has not measured it.'),
  containers: z.array(text).max(MOUNTS_MAX).describe('The names of the containers that mount it, running or not.'),
  ...objectFields,
})

/** Why an object is not changed. The panel looks before it asks, and the agent before it acts. */
export const REFUSALS = {
  NOT_FOUND: 'The host has no such object',
  OWN_PANEL: 'The container is a part of the panel’s own installation',
  PLATFORM_IMAGE: 'The panel’s own installation runs on the image',
  PREDEFINED: 'The container engine itself needs the network',
  MANAGED: 'It belongs to a workload of a panel, or to the panel itself',
  IN_USE: 'A container uses it, or it is a container that runs',
} as const
export type EngineRefusal = keyof typeof REFUSALS

const list = <const Name extends string, Item>(name: Name, item: z.ZodType<Item>) =>
  askKind(`${name}.list`, 1, {
    params: z.strictObject({ installation }),
    answer: z.strictObject({ items: z.array(item).max(OBJECTS_MAX) }),
    needs: ['engine'],
    waitMs: 10_000,
  })

export const containersList = list('containers', EngineContainer)
export const imagesList = list('images', EngineImage)
export const networksList = list('networks', EngineNetwork)
export const volumesList = list('volumes', EngineVolume)

export const CONTAINER_ACTIONS = ['start', 'stop', 'restart', 'remove', 'kill'] as const
export type ContainerAction = (typeof CONTAINER_ACTIONS)[number]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const once = { attempts: 3, retryOn: ['ENGINE_DOWN'], onRestart: 'repeat', needs: ['engine'] } as const

export const containersAct = taskKind('containers.act', 1, {
  payload: z.strictObject({ containerId: ContainerId, action: z.enum(CONTAINER_ACTIONS) }),
  result: z.strictObject({ state: text }),
  lane: ({ containerId }) => `container/${containerId}`,
  pool: 'quick',
  deadlineMs: 10 * MINUTE_MS,
  runMs: () => MINUTE_MS,
  shows: ['action', 'state'],
  ...once,
})

const removal = <const Name extends string, Payload>(name: Name, payload: z.ZodType<Payload>) =>
  taskKind(`${name}.remove`, 1, {
    payload,
    result: z.strictObject({ bytes }),
    lane: () => 'engine',
    pool: 'quick',
    deadlineMs: 10 * MINUTE_MS,
    runMs: () => 5 * MINUTE_MS,
    shows: ['bytes'],
    ...once,
  })

export const imagesRemove = removal('images', z.strictObject({ id: ImageId }))
export const networksRemove = removal('networks', z.strictObject({ id: NetworkId }))
export const volumesRemove = removal('volumes', z.strictObject({ name: VolumeName }))

/** Of an archive that a transfer brings. */
export const IMAGE_BYTES_MAX = 4 * 1_024 ** 3

const part = '[a-z0-9]+(?:[._-]+[a-z0-9]+)*'
/** With its tag. Without a host it is one of Docker Hub. Source: distribution/reference. */
export const ImageName = z
  .string()
  .max(255)
  .regex(new RegExp(`^${part}(?::\\d{1,5}(?=/))?(?:/${part})*:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$`))

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * PULL: the digest is that of the manifest in the registry that the name names. TRANSFER: it is the id of the image, and the
 * transfer of the task brings an archive of `docker save`.
 */
const imagesEnsurePayload = z
  .strictObject({
    name: ImageName,
    digest: ImageId,
    from: z.enum(['PULL', 'TRANSFER']),
    /** Of the archive. */
    sha256: Sha256.optional(),
  })
  .refine(({ from, sha256 }) => (from === 'TRANSFER') === (sha256 !== undefined))
export type EnsuredImage = z.output<typeof imagesEnsurePayload>

/** The image is on the host, under its name. */
export const imagesEnsure = taskKind('images.ensure', 1, {
  payload: imagesEnsurePayload,
  result: z.strictObject({ imageId: ImageId }),
  lane: ({ name }) => `image/${name}`,
  pool: 'io',
  deadlineMs: 2 * HOUR_MS,
  runMs: () => HOUR_MS,
  shows: ['name', 'digest', 'from', 'imageId'],
  ...once,
})

export const PRUNED_PARTS = ['IMAGES', 'NETWORKS', 'CACHE'] as const

export const enginePrune = taskKind('engine.prune', 1, {
  payload: z.strictObject({
    olderThanHours: z.int().min(1).max(8_760),
    parts: z.array(z.enum(PRUNED_PARTS)).min(1).max(PRUNED_PARTS.length),
  }),
  result: z.strictObject({ removed: z.int().min(0), bytes: z.int().min(0) }),
  lane: () => 'engine',
  pool: 'io',
  deadlineMs: HOUR_MS,
  runMs: () => HOUR_MS / 2,
  shows: ['olderThanHours', 'parts', 'removed', 'bytes'],
  ...once,
})
