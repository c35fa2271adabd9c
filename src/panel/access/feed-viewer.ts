/** The readers of the panel's change feed. */
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { ChangeFeedDependencies } from '#kernel/resource/change-feed'
import type { Section } from '#kernel/resource/section'
import { canConcern } from './audiences.ts'
import type { Audience, FeedViewer } from './audiences.ts'
import { rightsIn } from './project-access.ts'
import { callerOfSession, findLiveSession } from './user-caller.ts'

type FeedReaders = Pick<ChangeFeedDependencies<FeedViewer>, 'audiences' | 'canConcern' | 'viewerOf'>

export const feedReaders = (read: ReadDatabase, sections: readonly Section<Audience>[]): FeedReaders => ({
  audiences: new Map(sections.flatMap(({ visibleTo }) => Object.entries(visibleTo))),
  canConcern,
  async viewerOf({ sid }, now) {
    const session = await findLiveSession(read, sid, now)
    return session && viewer(read, callerOfSession(session, now))
  },
})

function viewer(read: ReadDatabase, caller: FeedViewer['caller']): FeedViewer {
  const rights = new Map<string, ReturnType<typeof rightsIn>>()
  return {
    caller,
    read,
    rightsIn(projectId) {
      const known = rights.get(projectId) ?? rightsIn(read, caller, projectId)
      rights.set(projectId, known)
      return known
    },
  }
}
