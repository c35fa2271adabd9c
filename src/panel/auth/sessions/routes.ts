import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { userSessionTable } from '#projections/panel/auth'
import type { UserSessionRow } from '#projections/panel/auth'
import { session } from '../../identity/access.ts'
import { userOf } from '../../identity/user-caller.ts'
import { userRealm } from '../../identity/user-realm.ts'
import { panelList, panelListOf, panelQuery } from '../../paging.ts'
import { userSessions } from '../decider.ts'

const Session = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
})

type Row = UserSessionRow & { readonly lastUsedAt: string | null }

export const sessionRoutes = [
  route('GET /api/auth/sessions', {
    does: 'List my sessions.',
    access: session,
    query: panelQuery({}),
    reply: panelListOf(Session),
    handle({ read, vault, caller, query, now }) {
      const { userId, sid } = userOf(caller)
      const rows: SelectQueryBuilder<any, any, any> = userSessionTable.in(read)
      const live = rows
        .leftJoin('telemetry.userSessionUse as use', 'use.sessionId', 'id')
        .selectAll('userSessions')
        .select('use.lastUsedAt')
        .where('userId', '=', userId)
        .where('expiresAt', '>', now.toISOString())
      return panelList<Row, z.input<typeof Session>>(live, query, async (found) => {
        const opened = await userSessionTable.open(vault, found)
        return opened.map(({ id, createdAt, lastUsedAt, ip, userAgent }) => ({
          id,
          createdAt,
          lastUsedAt: lastUsedAt ?? createdAt,
          ip,
          userAgent,
          current: id === sid,
        }))
      })
    },
  }),

  route('DELETE /api/auth/sessions', {
    does: 'End all my sessions but this one.',
    access: session,
    async handle({ run, caller }) {
      const held = userRealm.held(caller)
      await run((unit) => unit.decide(userSessions, held.accountId, 'RevokeOthers', held))
    },
  }),

  route('DELETE /api/auth/sessions/:id', {
    does: 'End one of my sessions; naming this one keeps it and ends all others.',
    access: session,
    async handle({ run, caller, params: { id } }) {
      const held = userRealm.held(caller)
      await run((unit) => unit.decide(userSessions, held.accountId, 'RevokeSession', { ...held, id }))
    },
  }),
]
