/** Removals of what nothing expects on hosts any more. What comes of one are the ends of its tasks. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

const item = z.object({ serverId: z.uuid(), kind: z.string(), id: z.string() })

const events = eventsAbout({ reapId: z.uuid() })({
  ReapAsked: {
    fields: {
      /** Of the scan that its items come from. */
      scanId: z.uuid(),
      items: z.array(item),
      pruneBuildCache: z.boolean(),
      truncateLogs: z.boolean(),
    },
    sentence: ({ reapId, scanId, items, pruneBuildCache, truncateLogs }) =>
      `asked in ${reapId} to remove ${items.length} objects of scan ${scanId} from hosts` +
      `${pruneBuildCache ? ', and build caches' : ''}${truncateLogs ? ', and to empty large logs' : ''}`,
  },
})

/** One stream for each removal: no rule spans two. */
export const reapEvents = stream('reap', events)
