/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Stream changes `{position, kind, ids}` that my permissions show. Resumes after `lastEventId`; ends when my permissions change. */
export const getAdminEventsStream = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The position after which the feed goes on. */
        readonly lastEventId?: string | undefined
      }
    | undefined
  readonly data: Response
}>('GET /api/admin/events/stream', {
  openTo: ['staff'],
  answers: 'stream',
  query: {
    type: 'object',
    properties: { lastEventId: { type: 'string', pattern: '^(?:0|[1-9]\\d{0,15})$' } },
    required: [],
  },
})
