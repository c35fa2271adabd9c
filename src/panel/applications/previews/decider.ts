import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { withoutKey } from '#kernel/lib/without-key'
import { previewEvents } from './events.ts'

type Opened = DataOf<typeof previewEvents.PreviewOpened>
type Closed = DataOf<typeof previewEvents.PreviewClosed>

export interface Preview extends Pick<Opened, 'pullRequest' | 'ref' | 'repository' | 'asOf'> {
  readonly id: string
  /** When it was deployed last, or opened. */
  readonly activeAt: string
}

interface Previews {
  /** By their ids. */
  readonly open: Readonly<Record<string, Preview>>
  /** By the numbers of their pull requests: what the provider told when they were closed, and when that was noted. */
  readonly closed: Readonly<Record<string, { readonly asOf: string; readonly at: string }>>
}

const NONE: Previews = { open: {}, closed: {} }

/** No provider tries to deliver for so long. */
const REMEMBERED_MS = 30 * 86_400_000

/** What an earlier delivery has told of the time after this one. */
const isOvertaken = ({ closed }: Previews, { pullRequest, asOf }: Pick<Opened, 'pullRequest' | 'asOf'>): boolean =>
  (closed[pullRequest]?.asOf ?? '') >= asOf

export const previewOf = ({ open }: Previews, pullRequest: number): Preview | undefined =>
  Object.values(open).find((each) => each.pullRequest === pullRequest)

const later = (one: string, other: string): string => (one > other ? one : other)

export const previews = decider(previewEvents, {
  initial: NONE,
  snapshot: { version: 1, everyEvents: 500, sealedFor: () => 'installation' },
  evolve: {
    PreviewOpened: ({ open, closed }, { previewId: id, pullRequest, ref, repository, asOf }, at) => ({
      closed,
      open: { ...open, [id]: { id, pullRequest, ref, repository, asOf, activeAt: at.toISOString() } },
    }),
    PreviewUpdated: ({ open, closed }, { previewId: id, asOf }, at) => ({
      closed,
      open: { ...open, [id]: { ...open[id]!, asOf: later(asOf, open[id]!.asOf), activeAt: at.toISOString() } },
    }),
    PreviewClosed: ({ open, closed }, { previewId, pullRequest, asOf }, at) => {
      const oldest = new Date(at.getTime() - REMEMBERED_MS).toISOString()
      const recent = Object.entries(closed).filter(([, each]) => each.at > oldest)
      return {
        open: withoutKey(open, previewId),
        closed: { ...Object.fromEntries(recent), [pullRequest]: { asOf, at: at.toISOString() } },
      }
    },
  },
  commands: {
    /** Nothing happens if it was closed later than the provider tells. @throws Rejection 409 TOO_MANY */
    Open: (all, { limit, ...ask }: Opened & { readonly limit: number }) => {
      if (isOvertaken(all, ask)) return []
      if (Object.keys(all.open).length >= limit)
        reject('conflict', `The application may have ${limit} previews at once: close a pull request first`, 'TOO_MANY')
      return [previewEvents.PreviewOpened(ask)]
    },
    Update: ({ open }, ask: DataOf<typeof previewEvents.PreviewUpdated>) => {
      found(open[ask.previewId])
      return [previewEvents.PreviewUpdated(ask)]
    },
    /**
     * Its pull request was closed. One that nothing was heard of is noted, so that no late delivery opens it.
     * @param ask.previewId of a preview that was not open
     */
    NoteClosed: (all, ask: Omit<Closed, 'wasOpen' | 'why'>) => {
      const known = previewOf(all, ask.pullRequest)
      if (known ? known.asOf > ask.asOf : isOvertaken(all, ask)) return []
      const previewId = known?.id ?? ask.previewId
      const wasOpen = known !== undefined
      return [previewEvents.PreviewClosed({ ...ask, previewId, wasOpen, why: 'PULL_REQUEST' })]
    },
    /** Whatever the provider says: what it tells later opens it again. Nothing happens if it is not there. */
    Close: ({ open }, { about, previewId, why }: Closing) => {
      const known = open[previewId]
      if (!known) return []
      const { pullRequest, asOf } = known
      return [previewEvents.PreviewClosed({ ...about, previewId, pullRequest, asOf, wasOpen: true, why })]
    },
  },
})

interface Closing {
  readonly about: Pick<Closed, 'applicationId' | 'projectId' | 'environmentId' | 'serverId'>
  readonly previewId: string
  readonly why: Closed['why']
}
