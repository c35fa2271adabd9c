import { changeFeedRoute } from '#kernel/resource/change-feed-route'
import { staff } from '../access/access.ts'
import { staffOf } from '../access/staff-caller.ts'

export const eventRoutes = [
  changeFeedRoute('GET /api/admin/events/stream', {
    does: 'Stream changes `{position, kind, ids}` that my permissions show. Resumes after `lastEventId`; ends when my permissions change.',
    access: staff(),
    readerOf(caller) {
      const { staffId, sid } = staffOf(caller)
      return { accountId: staffId, sid }
    },
  }),
]
