/** Lists what an installation has made on this host. */
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import { inventory, INVENTORY_ITEMS_MAX, LABEL_MAX, LeftItem, NAME_MAX } from '../../tasks/reaper.ts'
import type { EngineCall } from '../engine-call.ts'
import { Labels } from '../engine/owners.ts'
import { asker } from '../performer.ts'
import type { Asker } from '../performer.ts'

const Containers = z.array(
  z.object({ Id: z.string(), Names: z.array(z.string()), Created: z.number(), Labels, SizeRw: z.int().optional() }),
)
const Networks = z.array(z.object({ Id: z.string(), Name: z.string(), Created: z.string(), Labels }))
const Images = z.array(
  z.object({ Id: z.string(), RepoTags: z.array(z.string()).nullish(), Created: z.number(), Size: z.int(), Labels }),
)
const Volumes = z.object({
  Volumes: z.array(z.object({ Name: z.string(), CreatedAt: z.string().optional(), Labels })).nullish(),
})

/** Of the host whose engine has made the object, so that no other clock matters. */
export function ageSecondsOf(madeMs: number): number | null {
  return Number.isFinite(madeMs) ? Math.max(0, Math.floor((Date.now() - madeMs) / 1_000)) : null
}

/** No panel gives one that is longer than it reads. */
export function labelIn(labels: Labels, name: string): string | null {
  const label = labels?.[name]
  return label !== undefined && label.length <= LABEL_MAX ? label : null
}

const labelled = (labels: Labels) => ({
  task: labelIn(labels, LABELS.task),
  workload: labelIn(labels, LABELS.workload),
  project: labelIn(labels, LABELS.project),
})

const short = (name: string): string => name.slice(0, NAME_MAX)

export const inventoryAsker = (call: EngineCall): Asker =>
  asker(inventory, async ({ installation }, { signal }) => {
    const filters = encodeURIComponent(JSON.stringify({ label: [`${LABELS.installation}=${installation}`] }))
    const list = async (path: string) => (await call('GET', `${path}filters=${filters}`, signal)).body
    const [containers, networks, images, { Volumes: volumes }] = [
      Containers.parse(await list('/containers/json?all=true&')),
      Networks.parse(await list('/networks?')),
      Images.parse(await list('/images/json?')),
      Volumes.parse(await list('/volumes?')),
    ]
    const items: LeftItem[] = [
      ...containers.map((each) => ({
        kind: 'CONTAINER' as const,
        id: each.Id,
        name: short((each.Names[0] ?? '').replace(/^\//, '')),
        ageSeconds: ageSecondsOf(each.Created * 1_000),
        bytes: null,
        ...labelled(each.Labels),
      })),
      ...networks.map((each) => ({
        kind: 'NETWORK' as const,
        id: each.Id,
        name: short(each.Name),
        ageSeconds: ageSecondsOf(Date.parse(each.Created)),
        bytes: null,
        ...labelled(each.Labels),
      })),
      ...images.map((each) => ({
        kind: 'IMAGE' as const,
        id: each.Id,
        name: short(each.RepoTags?.[0] ?? ''),
        ageSeconds: ageSecondsOf(each.Created * 1_000),
        bytes: each.Size,
        ...labelled(each.Labels),
      })),
      ...(volumes ?? []).map((each) => ({
        kind: 'VOLUME' as const,
        id: each.Name,
        name: short(each.Name),
        ageSeconds: ageSecondsOf(Date.parse(each.CreatedAt ?? '')),
        bytes: null,
        ...labelled(each.Labels),
      })),
    ]
    // One that cannot be told leaves the others.
    const told = items.filter((each) => LeftItem.safeParse(each).success)
    return { items: told.slice(0, INVENTORY_ITEMS_MAX), isCut: told.length > INVENTORY_ITEMS_MAX }
  })
