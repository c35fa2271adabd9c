/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Stream changes `{position, kind, ids}`. Takes an `sseToken` or a session; resumes after `lastEventId`. */
export const getEventsStream = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** A token for one connection of a browser, which cannot send a header there. */
        readonly sseToken?: string | undefined
        /** The position after which the feed goes on. */
        readonly lastEventId?: string | undefined
      }
    | undefined
  readonly data: Response
}>('GET /api/events/stream', {
  openTo: ['user'],
  answers: 'stream',
  query: {
    type: 'object',
    properties: {
      sseToken: { type: 'string', maxLength: 100 },
      lastEventId: { type: 'string', pattern: '^(?:0|[1-9]\\d{0,15})$' },
    },
    required: [],
  },
})
