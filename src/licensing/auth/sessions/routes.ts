import { ownSessionRoutes } from '#kernel/auth/session-routes'
import { pagination, listReply } from '#kernel/http/pagination'
import { found } from '#kernel/lib/rejection'
import { staffSessionTable } from '#projections/licensing/auth'
import { staff } from '../../access/access.ts'
import { staffRealm } from '../../access/staff-realm.ts'

const sessionList = pagination({ filters: {}, sort: ['createdAt'] })

export const sessionRoutes = ownSessionRoutes(staffRealm, {
  access: staff(),
  table: staffSessionTable,
  account: 'staffId',
  uses: 'staffSessionUse',
  listing: {
    query: sessionList.query,
    reply: listReply,
    async list(rows, query, shown) {
      const page = await sessionList.list<any>(rows, query)
      return { ...page, items: await shown(page.items) }
    },
  },
  endOthers: (unit, held) => staffRealm.decide.endOthers(unit, held, 'REVOKED'),
  end: {
    does: 'End one of my sessions; it may be this one.',
    async one(unit, { accountId }, sessionId) {
      found((await staffRealm.sessions(unit, accountId)).find(({ id }) => id === sessionId))
      await staffRealm.decide.endSession(unit, { accountId, sessionId }, 'REVOKED')
    },
  },
})
