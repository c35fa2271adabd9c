/**
 * Removes what is old and no container uses. Volumes hold data: they stay. The agent itself decides, object by object:
 * filters of the engine keep only what has all labels that they name.
 */
import { z } from 'zod'
import { enginePrune } from '../../tasks/engine.ts'
import type { PRUNED_PARTS } from '../../tasks/engine.ts'
import type { EngineCall } from '../engine-call.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer } from '../performer.ts'
import { NetworkUser, PREDEFINED_NETWORKS, usesNetwork } from './networks.ts'
import { isManaged, isPlatform, Labels } from './owners.ts'
import { readList, Size } from './read-list.ts'

type Part = (typeof PRUNED_PARTS)[number]

const HOUR_MS = 3_600_000
/** It vanished meanwhile, or something needs it. */
const STAYS = [403, 404, 409]

const Images = z.array(z.object({ Id: z.string(), Created: z.number(), Size, Labels }))
const Networks = z.array(
  z.object({
    Id: z.string(),
    Name: z.string(),
    Created: z.string(),
    Scope: z.string(),
    ConfigOnly: z.boolean().nullish(),
    Labels,
  }),
)
const Containers = z.array(NetworkUser)
const PrunedCache = z.object({ SpaceReclaimed: z.int().min(0).nullish(), CachesDeleted: z.array(z.string()).nullish() })

interface Pruning {
  readonly call: EngineCall
  readonly olderThanHours: number
  readonly signal: AbortSignal
}

interface Removed {
  readonly removed: number
  readonly bytes: number
}

/** @returns how many the engine removed, and their bytes @throws TaskFailure ENGINE_REFUSED */
async function removeAll(
  { call, signal }: Pruning,
  folder: string,
  all: readonly { readonly Id: string; readonly Size?: number | null | undefined }[],
): Promise<Removed> {
  let [removed, bytes] = [0, 0]
  for (const { Id: id, Size } of all) {
    const { status } = await call('DELETE', `/${folder}/${encodeURIComponent(id)}`, signal)
    if (STAYS.includes(status)) continue
    if (status >= 300)
      throw new TaskFailure('ENGINE_REFUSED', `The engine answered ${status} to the removal of one of its ${folder}`)
    removed += 1
    bytes += Size ?? 0
  }
  return { removed, bytes }
}

const isFree = (of: Labels): boolean => !isManaged(of) && !isPlatform(of)

const isOld = (madeMs: number, { olderThanHours }: Pruning): boolean => Date.now() - madeMs > olderThanHours * HOUR_MS

const DANGLING = encodeURIComponent(JSON.stringify({ dangling: ['true'] }))

const PRUNE: Readonly<Record<Part, (pruning: Pruning) => Promise<Removed>>> = {
  async IMAGES(pruning) {
    const { call, signal } = pruning
    const all = await readList(call, `/images/json?filters=${DANGLING}`, Images, signal)
    const free = all.filter(({ Labels: own, Created }) => isFree(own) && isOld(Created * 1_000, pruning))
    // Without force, the engine keeps what a container was made of, running or not.
    return removeAll(pruning, 'images', free)
  },
  async NETWORKS(pruning) {
    const { call, signal } = pruning
    const all = await readList(call, '/networks', Networks, signal)
    const containers = await readList(call, '/containers/json?all=true', Containers, signal)
    const free = all.filter(
      (each) =>
        // Networks of a Swarm serve other hosts, too.
        each.Scope === 'local' &&
        !each.ConfigOnly &&
        !PREDEFINED_NETWORKS.includes(each.Name) &&
        isFree(each.Labels) &&
        isOld(Date.parse(each.Created), pruning) &&
        !containers.some((container) => usesNetwork(container, each)),
    )
    return removeAll(pruning, 'networks', free)
  },
  async CACHE({ call, olderThanHours, signal }) {
    const filters = encodeURIComponent(JSON.stringify({ until: [`${olderThanHours}h`] }))
    const { status, body } = await call('POST', `/build/prune?filters=${filters}`, signal)
    const pruned = PrunedCache.safeParse(body)
    if (status !== 200 || !pruned.success)
      throw new TaskFailure('ENGINE_REFUSED', `The engine answered ${status} to the prune of its cache`)
    return { removed: pruned.data.CachesDeleted?.length ?? 0, bytes: pruned.data.SpaceReclaimed ?? 0 }
  },
}

export const prunePerformer = (call: EngineCall): Performer =>
  performer(enginePrune, async ({ payload, signal, say }) => {
    const pruning = { call, olderThanHours: payload.olderThanHours, signal }
    let [removed, bytes] = [0, 0]
    for (const part of new Set(payload.parts)) {
      const pruned = await PRUNE[part](pruning)
      removed += pruned.removed
      bytes += pruned.bytes
      await say(`${part}: ${pruned.removed} removed`, 'STEP')
    }
    return { removed, bytes }
  })
