import { z } from 'zod'
import { RateLimiter } from '#kernel/credentials/rate-limit'
import { answer, liveReply, route } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { sseAccess } from '../access/access.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { changeFeed } from './change-feed.ts'

const Position = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,15})$/, 'must be a position')
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be a position')

/** Each opening may read 10,000 events. Ten windows can reconnect every two seconds for half a minute. */
const OPENINGS = { name: 'event-streams', max: 120, perSeconds: 60 }

/** @throws Rejection 400 */
function positionIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const { success, data } = Position.safeParse(header)
  return success ? data : reject('invalid', 'The header Last-Event-ID: must be a position', 'INVALID_INPUT')
}

export const eventRoutes = [
  route('GET /api/events/stream', {
    does: 'Stream changes `{position, kind, ids}`. Takes an `sseToken` or a session; resumes after `lastEventId`.',
    access: sseAccess,
    query: z.strictObject({ sseToken: z.string().max(100).optional(), lastEventId: Position.optional() }),
    reply: liveReply,
    async handle({ caller, query, header, service, abortSignal, telemetry, now }) {
      const from = positionIn(header('last-event-id')) ?? query.lastEventId
      const user = userCallerOf(caller)
      await new RateLimiter(telemetry).take(OPENINGS, user.userId, now)
      return answer(service(changeFeed).open({ accountId: user.userId, sid: user.sid, from, ended: abortSignal }))
    },
  }),
]
