/** What the agent makes on the engine to copy volumes, and how it goes again. */
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import type { EngineCall } from '../engine-call.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import type { HostEngine } from '../host/engine.ts'
import { TaskFailure } from '../performer.ts'
import { containersWith, removeContainer } from '../releases/containers.ts'

/** An archive without a file: nothing of what is made of it can run. */
async function* emptyTar(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(1_024)
}

/** Where its one volume is in each container. */
const PLACE = 'volume'
const UNDO_MS = 60_000
const IN_USE = 409

export interface Mounted {
  /** Reads the volume, with its own owner and mode. */
  readonly archivePath: string
  /** Writes what was read so. */
  readonly rootPath: string
}

export interface Scratch {
  mount(volume: string, mode: 'ro' | 'rw'): Promise<Mounted>
}

interface Making {
  readonly taskId: string
  readonly installation: string
  readonly signal: AbortSignal
}

/** All that it makes is gone in the end. */
export async function withScratch<Result>(
  engine: Pick<HostEngine, 'call' | 'stream'>,
  making: Making,
  work: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  try {
    const imageId = await makeImage(engine, making)
    const ask = askEngine(engine.call, making.signal)
    return await work({ mount: (volume, mode) => mount(ask, making, { imageId, volume, isReadOnly: mode === 'ro' }) })
  } finally {
    await removeMade(engine.call, making.taskId, { volumes: false })
  }
}

const Imported = z.object({ status: z.string().regex(/^sha256:[0-9a-f]{64}$/) })

async function makeImage({ stream }: Pick<HostEngine, 'stream'>, { taskId, installation, signal }: Making) {
  const labels = { [LABELS.installation]: installation, [LABELS.task]: taskId }
  const changes = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${JSON.stringify(value)}`)
  const query = changes.map((change) => `&changes=${encodeURIComponent(change)}`).join('')
  let imageId: string | undefined
  await stream(
    `/images/create?fromSrc=-${query}`,
    signal,
    async (told) => {
      imageId ??= Imported.safeParse(told).data?.status
    },
    emptyTar(),
  )
  return imageId ?? refuse()
}

const refuse = (): never => {
  throw new TaskFailure('ENGINE_REFUSED', 'The engine does not make an empty image')
}

const Made = z.object({ Id: z.string() })

interface Wanted {
  readonly imageId: string
  readonly volume: string
  readonly isReadOnly: boolean
}

/** Source: Docker Engine API 1.41, ContainerCreate. It is never started. */
async function mount(
  ask: AskEngine,
  { taskId, installation }: Making,
  { imageId: Image, volume: Source, isReadOnly: ReadOnly }: Wanted,
): Promise<Mounted> {
  const { body } = await ask('POST', '/containers/create', [], {
    Image,
    Cmd: ['nothing'],
    Labels: { [LABELS.installation]: installation, [LABELS.task]: taskId },
    HostConfig: {
      NetworkMode: 'none',
      Mounts: [{ Type: 'volume', Source, Target: `/${PLACE}`, ReadOnly, VolumeOptions: { NoCopy: true } }],
    },
  })
  const { Id } = Made.parse(body)
  return {
    archivePath: `/containers/${Id}/archive?path=${encodeURIComponent(`/${PLACE}`)}`,
    rootPath: `/containers/${Id}/archive?path=${encodeURIComponent('/')}`,
  }
}

const Images = z.array(z.object({ Id: z.string() }))
const Volumes = z.object({ Volumes: z.array(z.object({ Name: z.string() })).nullish() })

/** What a task has made. @param volumes whether its copies go too */
export async function removeMade(
  call: EngineCall,
  taskId: string,
  { volumes }: { readonly volumes: boolean },
): Promise<void> {
  const ask = askEngine(call, AbortSignal.timeout(UNDO_MS))
  const label = `${LABELS.task}=${taskId}`
  const filters = encodeURIComponent(JSON.stringify({ label: [label] }))
  for (const { Id } of await containersWith(ask, { [LABELS.task]: taskId })) await removeContainer(ask, Id)
  for (const { Id } of Images.parse((await ask('GET', `/images/json?filters=${filters}`)).body))
    await ask('DELETE', `/images/${Id}?force=true`, [GONE, IN_USE])
  if (!volumes) return
  const { Volumes: all } = Volumes.parse((await ask('GET', `/volumes?filters=${filters}`)).body)
  for (const { Name } of all ?? []) await ask('DELETE', `/volumes/${Name}`, [GONE])
}
