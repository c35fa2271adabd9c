/** Images of a workload that it needs no more. */
import { z } from 'zod'
import { deploymentInName } from '../../tasks/builds.ts'
import type { deployed } from '../../tasks/releases.ts'
import { GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'

/** A container was made of it meanwhile. */
const CONFLICT = 409

const Image = z.object({ Id: z.string(), RepoTags: z.array(z.string()).nullish(), Size: z.int().min(0) })
const Containers = z.array(z.object({ ImageID: z.string() }))

type Workload = z.output<typeof deployed>

/**
 * A name with the id of the workload is its own, and goes. An image goes that has no other name, and no container.
 * @param until the names of later deployments stay: one that is building now may have made the same image
 * @returns the bytes that were freed, with layers that other images share
 */
export async function removeImages(
  ask: AskEngine,
  workload: Workload,
  imageIds: readonly string[],
  until?: string,
): Promise<number> {
  const isOwn = (name: string): boolean =>
    name.includes(workload.id) && (until === undefined || deploymentInName(name) <= until)
  let bytes = 0
  for (const imageId of new Set(imageIds)) bytes += await removeImage(ask, isOwn, imageId)
  return bytes
}

const Images = z.array(z.object({ Id: z.string(), RepoTags: z.array(z.string()).nullish() }))

/** That have a name with its id: also those of deployments that have failed. */
export async function imagesOf(ask: AskEngine, { id }: Workload): Promise<string[]> {
  const all = Images.parse((await ask('GET', '/images/json')).body)
  return all.flatMap(({ Id, RepoTags }) => (RepoTags?.some((name) => name.includes(id)) === true ? [Id] : []))
}

async function removeImage(ask: AskEngine, isOwn: (name: string) => boolean, imageId: string): Promise<number> {
  const { status, body } = await ask('GET', `/images/${imageId}/json`, [GONE])
  if (status === GONE) return 0
  const { RepoTags, Size } = Image.parse(body)
  const containers = Containers.parse((await ask('GET', '/containers/json?all=true')).body)
  if (containers.some(({ ImageID }) => ImageID === imageId)) return 0
  const own = (RepoTags ?? []).filter(isOwn)
  const remove = async (what: string) =>
    (await ask('DELETE', `/images/${encodeURIComponent(what)}`, [GONE, CONFLICT])).status
  for (const name of own) await remove(name)
  const isShared = (RepoTags ?? []).length > own.length
  if (isShared || (await remove(imageId)) === CONFLICT) return 0
  return Size
}
