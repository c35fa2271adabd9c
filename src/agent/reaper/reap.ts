/** Removes what a scan has flagged, after another look at each object. What has changed since stays. */
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import { AGE_SECONDS_MIN, reaperReap } from '../../tasks/reaper.ts'
import type { KeptWhy, ReapItem } from '../../tasks/reaper.ts'
import type { EngineCall } from '../engine-call.ts'
import { Labels } from '../engine/owners.ts'
import { performer, TaskFailure } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { ageSecondsOf, labelIn } from './inventory.ts'
import { truncateLargeLogs } from './truncate-logs.ts'

/** What the engine tells of one object: labels of networks stand beside their names, all others in the configuration. */
const Seen = z.object({
  Created: z.string(),
  Labels,
  Config: z.object({ Labels }).nullish(),
  Size: z.int().optional(),
})

const PATHS: Readonly<Record<ReapItem['kind'], (id: string) => { readonly look: string; readonly remove: string }>> = {
  CONTAINER: (id) => ({ look: `/containers/${id}/json`, remove: `/containers/${id}?force=true` }),
  NETWORK: (id) => ({ look: `/networks/${id}`, remove: `/networks/${id}` }),
  IMAGE: (id) => ({ look: `/images/${id}/json`, remove: `/images/${id}` }),
}
/** What an object is used by is removed before it. */
const ORDER: readonly ReapItem['kind'][] = ['CONTAINER', 'NETWORK', 'IMAGE']

const GONE = 404
/** Of a network with containers, and of what the engine needs. */
const REFUSED = [403, 409]

interface Reaped {
  readonly kept: KeptWhy | null
  readonly bytes: number
}

const keptFor = (kept: KeptWhy): Reaped => ({ kept, bytes: 0 })

/** @param installation whose objects may be removed */
async function reapOne(
  call: EngineCall,
  { kind, id, workload }: ReapItem,
  installation: string,
  signal: AbortSignal,
): Promise<Reaped> {
  const paths = PATHS[kind](encodeURIComponent(id))
  const looked = await call('GET', paths.look, signal)
  if (looked.status === GONE) return keptFor('GONE')
  const { Created: created, Size: bytes = 0, ...seen } = Seen.parse(looked.body)
  const labels = seen.Config?.Labels ?? seen.Labels ?? {}
  if (labels[LABELS.installation] !== installation) return keptFor('OTHERS')
  if (labelIn(labels, LABELS.workload) !== workload) return keptFor('WORKLOAD')
  const age = ageSecondsOf(Date.parse(created))
  if (age === null || age < AGE_SECONDS_MIN) return keptFor('YOUNG')
  const { status } = await call('DELETE', paths.remove, signal)
  if (status === GONE) return keptFor('GONE')
  if (REFUSED.includes(status)) return keptFor('IN_USE')
  if (status >= 300) throw new TaskFailure('ENGINE_REFUSED', `The engine answered ${status} to the removal of ${kind}`)
  return { kept: null, bytes }
}

const Pruned = z.object({ SpaceReclaimed: z.int().nullish() })

async function pruneBuildCache(call: EngineCall, signal: AbortSignal): Promise<number> {
  const { status, body } = await call('POST', '/build/prune', signal)
  if (status !== 200) throw new TaskFailure('ENGINE_REFUSED', `The engine answered ${status} to the prune of its cache`)
  return Pruned.parse(body).SpaceReclaimed ?? 0
}

type Reap = z.output<typeof reaperReap.payload>

export const reapPerformer = (call: EngineCall): Performer =>
  performer(reaperReap, async (work: Work<Reap>) => {
    const { payload, signal } = work
    const kept: { id: string; why: KeptWhy }[] = []
    let [removed, bytes] = [0, 0]
    const items = payload.items.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind))
    for (const item of items) {
      signal.throwIfAborted()
      const reaped = await reapOne(call, item, payload.installation, signal)
      bytes += reaped.bytes
      if (reaped.kept === null) removed += 1
      else kept.push({ id: item.id, why: reaped.kept })
      await work.say(`${item.kind} ${item.id}: ${reaped.kept ?? 'removed'}`, 'STEP')
    }
    if (payload.pruneBuildCache) bytes += await pruneBuildCache(call, signal)
    if (payload.truncateLogs) bytes += await truncateLargeLogs(call, signal)
    return { removed, kept, bytes }
  })
