import { id, key, nullable, readModel, sealedText, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { userSessionEvents } from '#panel/auth/events'
import { sealedForUser } from '#panel/users/events'

const columns = {
  id: key,
  userId: id,
  userAgent: nullable(sealedText('userAgent', sealedForUser)),
  /** Address from which the session was started or last refreshed. */
  ip: nullable(sealedText('ip', sealedForUser)),
  createdAt: timestamptz,
  expiresAt: timestamptz,
}

export type UserSessionRow = RowOf<typeof columns>

/** Live sessions only. Removing the row of an ended session invalidates every access token that names it. */
export const userSessionTable = readModel('userSessions', 1, columns, ['(user_id, created_at)'])
  .from(userSessionEvents, {
    UserSessionStarted: (table, { userSessionId, userId, userAgent, expiresAt }, { at, metadata }) =>
      table.insert({
        id: userSessionId,
        userId,
        userAgent,
        ip: metadata.ip ?? null,
        createdAt: at,
        expiresAt,
      }),
    UserSessionRefreshed: (table, { userSessionId, expiresAt }, { metadata }) =>
      table.update({ id: userSessionId }, { expiresAt, ip: metadata.ip ?? null }),
    UserSessionEnded: (table, { userSessionId }) => table.remove({ id: userSessionId }),
  })
  .forGate()
