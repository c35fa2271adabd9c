/** The route of a change feed. */
import { z } from 'zod'
import { answer, liveReply, route } from '../http/route.ts'
import type { Access, Caller, Route, RouteLine } from '../http/route.ts'
import { reject } from '../lib/rejection.ts'
import { changeFeed } from './change-feed.ts'

const Position = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,15})$/, 'must be a position')
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be a position')

/** @throws Rejection 400 */
function positionIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const { success, data } = Position.safeParse(header)
  return success ? data : reject('invalid', 'The header Last-Event-ID: must be a position', 'INVALID_INPUT')
}

interface ChangeFeedRouteSpec {
  readonly does: string
  readonly access: Access
  /** Query parameters of the access. */
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly readerOf: (caller: Caller) => { readonly accountId: string; readonly sid: string }
}

export function changeFeedRoute(line: RouteLine, { does, access, query = {}, readerOf }: ChangeFeedRouteSpec): Route {
  // The compiler cannot infer parameters that are given as an open record.
  const Query = z.strictObject({ ...query, lastEventId: Position.optional() }) as unknown as z.ZodType<{
    readonly lastEventId?: number
  }>
  return route(line, {
    does,
    access,
    query: Query,
    reply: liveReply,
    async handle({ caller, query: { lastEventId }, header, service, abortSignal, now }) {
      const from = positionIn(header('last-event-id')) ?? lastEventId
      const { accountId, sid } = readerOf(caller)
      const feed = service(changeFeed)
      await feed.takeOpening(accountId, now)
      return answer(feed.open({ accountId, sid, caller, from, ended: abortSignal }))
    },
  })
}
