import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import { withoutKey } from '#kernel/lib/without-key'
import { projectContentsEvents } from './events.ts'

type Placed = DataOf<typeof projectContentsEvents.ProjectItemPlaced>
type Gone = DataOf<typeof projectContentsEvents.ProjectItemGone>
type Item = Pick<Placed, 'kind' | 'environmentId'>

/** By kind and id. */
type Contents = Readonly<Record<string, Item>>

const EMPTY: Contents = {}

export const projectContents = decider(projectContentsEvents, {
  initial: EMPTY,
  snapshot: { version: 1, everyEvents: 500, sealedFor: () => 'installation' },
  evolve: {
    ProjectItemPlaced: (all, { kind, itemId, environmentId }) => ({
      ...all,
      [keyOf({ kind, itemId })]: { kind, environmentId },
    }),
    ProjectItemGone: (all, gone) => withoutKey(all, keyOf(gone)),
  },
  commands: {
    /** @param ask.most by the quota of the project, of this kind; null: no limit */
    Place: (all, { most, ...ask }: Placed & { readonly most: number | null }) => {
      const present = Object.values(all).filter(({ kind }) => kind === ask.kind).length
      if (most !== null && present >= most)
        reject(
          'conflict',
          `The quota of this project allows ${most} of the kind ${ask.kind}: delete one first`,
          'QUOTA_REACHED',
        )
      return [projectContentsEvents.ProjectItemPlaced(ask)]
    },
    /** Nothing happens if it is not there. */
    Remove: (all, ask: Gone) => (all[keyOf(ask)] ? [projectContentsEvents.ProjectItemGone(ask)] : []),
    /** @param ask.environmentId null: the whole project */
    MustBeEmpty: (all, { environmentId }: { readonly environmentId: string | null }) => {
      const items = Object.values(all).filter((item) => environmentId === null || item.environmentId === environmentId)
      const kinds = Map.groupBy(items, ({ kind }) => kind)
      const counts = [...kinds].map(([kind, of]) => `${of.length} ${kind}`).toSorted()
      const what = environmentId === null ? 'project' : 'environment'
      if (counts.length > 0)
        reject('conflict', `The ${what} is not empty (${counts.join(', ')}): delete or move that first`, 'NOT_EMPTY')
      return []
    },
  },
})

/** Ids of one kind, in the order in which they came. */
export const itemsIn = (all: Contents, kind: string): string[] =>
  Object.keys(all)
    .filter((key) => all[key]!.kind === kind)
    .map((key) => key.slice(kind.length + 1))

const keyOf = ({ kind, itemId }: Gone | Pick<Placed, 'kind' | 'itemId'>): string => `${kind}/${itemId}`
