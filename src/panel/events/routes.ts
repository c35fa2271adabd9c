import { z } from 'zod'
import { changeFeedRoute } from '#kernel/resource/change-feed-route'
import { sseAccess } from '../access/access.ts'
import { userCallerOf } from '../access/user-caller.ts'

export const eventRoutes = [
  changeFeedRoute('GET /api/events/stream', {
    does: 'Stream changes `{position, kind, ids}`. Takes an `sseToken` or a session; resumes after `lastEventId`.',
    access: sseAccess,
    query: { sseToken: z.string().max(100).optional() },
    readerOf(caller) {
      const { userId, sid } = userCallerOf(caller)
      return { accountId: userId, sid }
    },
  }),
]
