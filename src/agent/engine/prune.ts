/** Removes what no container uses. Volumes hold data: they stay. */
import { z } from 'zod'
import { enginePrune } from '../../tasks/engine.ts'
import type { PRUNED_PARTS } from '../../tasks/engine.ts'
import { LABELS } from '../../tasks/labels.ts'
import type { EngineCall } from '../engine-call.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer } from '../performer.ts'

type Part = (typeof PRUNED_PARTS)[number]

const KEPT = [LABELS.workload, LABELS.project, LABELS.environment, LABELS.platform]

const Pruned = z.object({
  SpaceReclaimed: z.int().min(0).nullish(),
  ImagesDeleted: z.array(z.object({ Deleted: z.string().optional() })).nullish(),
  NetworksDeleted: z.array(z.string()).nullish(),
  CachesDeleted: z.array(z.string()).nullish(),
})

const PATHS: Readonly<Record<Part, { readonly path: string; readonly filters: object }>> = {
  IMAGES: { path: '/images/prune', filters: { dangling: ['true'], 'label!': KEPT } },
  NETWORKS: { path: '/networks/prune', filters: { 'label!': KEPT } },
  CACHE: { path: '/build/prune', filters: {} },
}

export const prunePerformer = (call: EngineCall): Performer =>
  performer(enginePrune, async ({ payload, signal, say }) => {
    let [removed, bytes] = [0, 0]
    for (const part of new Set(payload.parts)) {
      const { path, filters } = PATHS[part]
      const text = encodeURIComponent(JSON.stringify({ ...filters, until: [`${payload.olderThanHours}h`] }))
      const { status, body } = await call('POST', `${path}?filters=${text}`, signal)
      const pruned = Pruned.safeParse(body)
      if (status !== 200 || !pruned.success)
        throw new TaskFailure('ENGINE_REFUSED', `The engine answered ${status} to the prune of ${part}`)
      const { SpaceReclaimed, ImagesDeleted, NetworksDeleted, CachesDeleted } = pruned.data
      const images = (ImagesDeleted ?? []).filter(({ Deleted }) => Deleted !== undefined)
      const number = images.length + (NetworksDeleted?.length ?? 0) + (CachesDeleted?.length ?? 0)
      removed += number
      bytes += SpaceReclaimed ?? 0
      await say(`${part}: ${number} removed`, 'STEP')
    }
    return { removed, bytes }
  })
