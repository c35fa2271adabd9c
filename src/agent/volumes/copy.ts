/**
 * Copies volumes by the engine's archives, through containers that are never started: they mount a volume each, so that the
 * engine itself reads and writes owners, modes, times and links.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import { laneOf } from '../../tasks/releases.ts'
import { volumeCopy } from '../../tasks/volumes.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { Labels } from '../engine/owners.ts'
import type { HostEngine } from '../host/engine.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { mustHaveRoom } from './room.ts'
import { removeMade, withScratch } from './scratch.ts'
import type { Mounted, Scratch } from './scratch.ts'
import { resumeAll, standStill } from './writers.ts'

/** What the journal knows: ids of containers that stand still. */
const PAUSED = 'paused'
const OK_MAX = 299

type Payload = z.output<typeof volumeCopy.payload>
type CopyWork = Work<Payload>
type Engine = Pick<HostEngine, 'call' | 'stream' | 'download' | 'upload'>

export function volumeCopyPerformer(engine: Engine): Performer {
  const clearing = new Map<string, Promise<void>>()
  return performer(
    volumeCopy,
    async (work) => {
      // What an attempt before has made is not removed from this one.
      await clearing.get(work.taskId)?.catch(() => {})
      return copyAll(engine, work)
    },
    {
      clear({ taskId, made }) {
        const cleared = clear(engine, taskId, made)
        clearing.set(taskId, cleared)
        return cleared
      },
    },
  )
}

async function clear({ call }: Engine, taskId: string, made: ReadonlyMap<string, string>): Promise<void> {
  await resumeAll(call, idsIn(made))
  await removeMade(call, taskId, { volumes: true })
}

const idsIn = (made: ReadonlyMap<string, string>): string[] => made.get(PAUSED)?.split(' ').filter(Boolean) ?? []

async function copyAll(engine: Engine, work: CopyWork): Promise<z.output<typeof volumeCopy.result>> {
  const { taskId, payload, signal, say } = work
  const ask = askEngine(engine.call, signal)
  const names = payload.volumes.map(({ from }) => from)
  // What an attempt has left that was killed.
  await clear(engine, taskId, work.made)
  try {
    await mustBeThere(ask, payload)
    await mustHaveRoom(ask, names)
    for (const { to } of payload.volumes) await makeVolume(ask, work, to)
    return await withScratch(engine, { taskId, installation: payload.installation, signal }, async (scratch) => {
      const pairs = await mountAll(work, scratch)
      const all = measured()
      const { copies, pausedMs } = await pausing(engine, work, () => copyEach(engine, work, pairs, all))
      await say('The copies are read again', 'STEP')
      for (const [nth, copy] of copies.entries()) await mustBeEqual(engine, work, pairs[nth]!, copy)
      return { ...all.result(), pausedMs }
    })
  } catch (error) {
    // What has failed first is the reason.
    await removeMade(engine.call, taskId, { volumes: true }).catch(() => {})
    throw error
  }
}

const Volume = z.object({ Labels, Driver: z.string() })

/** @throws TaskFailure NO_VOLUME, for one that belongs to something else too */
async function mustBeThere(ask: AskEngine, { installation, from, volumes }: Payload): Promise<void> {
  for (const { from: name } of volumes) {
    const { status, body } = await ask('GET', `/volumes/${name}`, [GONE])
    const found = status === GONE ? undefined : Volume.parse(body)
    const isOwn =
      found?.Labels?.[LABELS.installation] === installation && found.Labels[LABELS.workload] === laneOf(from)
    if (!isOwn) throw new TaskFailure('NO_VOLUME', `The workload has no volume ${name} on the server`)
  }
}

/** Found again by its task, until it is whole. @throws TaskFailure VOLUME_TAKEN */
async function makeVolume(ask: AskEngine, { taskId, payload }: CopyWork, name: string): Promise<void> {
  if ((await ask('GET', `/volumes/${name}`, [GONE])).status !== GONE)
    throw new TaskFailure('VOLUME_TAKEN', `The server has a volume ${name} already`)
  const { installation, to, projectId, environmentId } = payload
  await ask('POST', '/volumes/create', [], {
    Name: name,
    Driver: 'local',
    Labels: {
      [LABELS.installation]: installation,
      [LABELS.workload]: laneOf(to),
      [LABELS.project]: projectId,
      [LABELS.environment]: environmentId,
      [LABELS.task]: taskId,
    },
  })
}

/** Their containers are on the disk of the agent before they stand still. */
async function pausing<Copies>(engine: Engine, work: CopyWork, copy: () => Promise<Copies>) {
  const { payload, signal, note, say } = work
  if (!payload.pause) return { copies: await copy(), pausedMs: 0 }
  const names = payload.volumes.map(({ from }) => from)
  const writers: string[] = []
  let sinceMs: number | undefined
  const onPause = async (ids: readonly string[]) => {
    writers.push(...ids.filter((id) => !writers.includes(id)))
    await note(PAUSED, writers.join(' '))
    sinceMs ??= performance.now()
  }
  let copies: Copies
  try {
    await standStill(engine.call, names, { signal, onPause })
    sinceMs ??= performance.now()
    await say(`${writers.length} containers stand still`, 'STEP')
    copies = await copy()
  } finally {
    await resumeAll(engine.call, writers)
  }
  const pausedMs = Math.round(performance.now() - sinceMs)
  await say(`${writers.length} containers go on after ${pausedMs} ms`, 'STEP')
  return { copies, pausedMs }
}

interface Pair {
  readonly from: string
  readonly to: string
  readonly source: Mounted
  readonly target: Mounted
}

async function mountAll({ payload }: CopyWork, scratch: Scratch): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const { from, to } of payload.volumes)
    pairs.push({ from, to, source: await scratch.mount(from, 'ro'), target: await scratch.mount(to, 'rw') })
  return pairs
}

interface Copy {
  readonly to: string
  readonly bytes: number
  readonly sha256: string
}

async function copyEach(
  engine: Engine,
  { signal, say }: CopyWork,
  pairs: readonly Pair[],
  all: Measure,
): Promise<Copy[]> {
  const copies: Copy[] = []
  for (const { from, to, source, target } of pairs) {
    const read = measured()
    const status = await engine.download(source.archivePath, signal, async (archive) => {
      refuse(await engine.upload(target.rootPath, signal, all.through(read.through(archive))), to)
    })
    refuse(status, from)
    const copy = { to, ...read.result() }
    await say(`${from} is copied to ${to}: ${copy.bytes} bytes`, 'STEP')
    copies.push(copy)
  }
  return copies
}

/** The engine lists the same files in the same order, so that the archive of a copy is that of its source, byte by byte. */
async function mustBeEqual(
  engine: Engine,
  { signal }: CopyWork,
  { target }: Pair,
  { to, sha256 }: Copy,
): Promise<void> {
  const read = measured()
  const status = await engine.download(target.archivePath, signal, async (archive) => {
    for await (const _piece of read.through(archive));
  })
  refuse(status, to)
  if (read.result().sha256 !== sha256) throw new TaskFailure('NOT_EQUAL', `The copy ${to} is not equal to its source`)
}

function refuse(status: number, volume: string): void {
  if (status > OK_MAX)
    throw new TaskFailure('ENGINE_REFUSED', `The engine answered ${status} to the archive of the volume ${volume}`)
}

type Measure = ReturnType<typeof measured>

function measured() {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    async *through(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of archive) {
        hash.update(piece)
        bytes += piece.length
        yield piece
      }
    },
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  }
}
