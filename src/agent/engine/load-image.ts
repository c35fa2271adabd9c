/** Loads the image of the archive that the transfer of a task brings. */
import { z } from 'zod'
import type { EnsuredImage } from '../../tasks/engine.ts'
import type { EngineCall } from '../engine-call.ts'
import type { AgentHost } from '../host/setup.ts'
import type { Work } from '../performer.ts'
import { receiveArchive } from './image-archive.ts'
import { giveName, imageIdOf } from './image-names.ts'
import { loadArchive } from './load-archive.ts'
import { readList } from './read-list.ts'

const MIB = 1_048_576
/** A cancelled task takes back what it has loaded. */
const UNDO_MS = 30_000

const Images = z.array(z.object({ Id: z.string(), RepoTags: z.array(z.string()).nullish() }))
type Images = z.output<typeof Images>

/** What the archive holds beside the wanted image is taken back, and names that it moved are put back. */
export async function loadImage(host: AgentHost, work: Work<EnsuredImage>): Promise<void> {
  const { payload, signal, say } = work
  await say(`Receiving ${payload.name}`, 'STEP')
  const archive = await receiveArchive(work, host.directory, payload.sha256!)
  try {
    const before = await readList(host.call, '/images/json?all=true', Images, signal)
    const loaded: string[] = []
    await say(`Loading ${Math.ceil(archive.bytes / MIB)} MiB`, 'STEP')
    const [failed] = await Promise.allSettled([loadArchive(host, archive, signal, loaded)])
    const [kept] = await Promise.allSettled([keepWanted(host.call, payload, before, loaded)])
    // What was refused first is the reason.
    for (const end of [failed, kept]) if (end.status === 'rejected') throw end.reason
  } finally {
    await archive.close()
  }
}

async function keepWanted(
  call: EngineCall,
  { name, digest }: EnsuredImage,
  before: Images,
  loaded: readonly string[],
): Promise<void> {
  if (loaded.length === 0) return
  const signal = AbortSignal.timeout(UNDO_MS)
  const remove = (what: string) => call('DELETE', `/images/${encodeURIComponent(what)}`, signal)
  const isWanted = (await imageIdOf(call, digest, signal)) !== undefined
  // A name of its own, so that it stays when the other ones go.
  if (isWanted) await giveName(call, digest, name, signal)
  for (const each of loaded) {
    const imageId = await imageIdOf(call, each, signal)
    if (imageId === undefined || (each === name && isWanted)) continue
    const former = before.find(({ RepoTags }) => RepoTags?.includes(each))
    const isNew = !before.some(({ Id }) => Id === imageId) && !(isWanted && imageId === digest)
    if (former) await giveName(call, former.Id, each, signal)
    else if (each !== imageId) await remove(each)
    if (isNew) await remove(imageId)
  }
}
