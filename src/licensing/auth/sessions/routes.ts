import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { route } from '#kernel/http/route'
import { listing, pageOf } from '#kernel/listing'
import { found } from '#kernel/rejection'
import { staffSessionTable } from '#projections/licensing/auth'
import type { StaffSessionRow } from '#projections/licensing/auth'
import { staff } from '../../identity/access.ts'
import { staffOf } from '../../identity/staff-caller.ts'
import { staffSessions } from '../decider.ts'

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

const Id = z.object({ id: z.uuid().toLowerCase() })

const sessionList = listing({ filters: {}, sort: ['createdAt'] })

type Row = StaffSessionRow & { lastUsedAt: string | null }

export const sessionRoutes = [
  route('GET /api/admin/auth/sessions', {
    does: 'List my sessions.',
    access: staff(),
    query: sessionList.query,
    reply: pageOf(Session),
    async handle({ read, vault, caller, query, now }) {
      const { staffId, sid } = staffOf(caller)
      const rows: SelectQueryBuilder<any, any, any> = staffSessionTable.in(read)
      const live = rows
        .leftJoin('telemetry.staffSessionUse as use', 'use.sessionId', 'id')
        .selectAll('staffSessions')
        .select('use.lastUsedAt')
        .where('staffId', '=', staffId)
        .where('expiresAt', '>', now.toISOString())
      const page = await sessionList.list<Row>(live, query)
      const items = await staffSessionTable.open(vault, page.items)
      return {
        ...page,
        items: items.map((row) => ({ ...row, lastUsedAt: row.lastUsedAt ?? row.createdAt, current: row.id === sid })),
      }
    },
  }),

  route('DELETE /api/admin/auth/sessions', {
    does: 'End all my sessions but this one.',
    access: staff(),
    async handle({ run, caller }) {
      const { staffId, sid: sessionId } = staffOf(caller)
      await run((unit) => unit.decide(staffSessions, staffId, 'EndOtherSessions', { sessionId, reason: 'REVOKED' }))
    },
  }),

  route('DELETE /api/admin/auth/sessions/:id', {
    does: 'End one of my sessions; it may be this one.',
    access: staff(),
    params: Id,
    async handle({ run, caller, params }) {
      const { staffId } = staffOf(caller)
      await run(async (unit) => {
        found((await unit.load(staffSessions, staffId)).find(({ id }) => id === params.id))
        await unit.decide(staffSessions, staffId, 'EndSession', { sessionId: params.id, reason: 'REVOKED' })
      })
    },
  }),
]
