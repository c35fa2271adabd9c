import { ownSessionRoutes } from '#kernel/auth/session-routes'
import { found } from '#kernel/lib/rejection'
import { newestFirst } from '#kernel/resource/list-route'
import { staffSessionTable } from '#projections/licensing/auth'
import { staff } from '../../access/access.ts'
import { staffRealm } from '../../access/staff-realm.ts'

export const sessionRoutes = ownSessionRoutes(staffRealm, {
  access: staff(),
  table: staffSessionTable,
  account: 'staffId',
  uses: 'staffSessionUse',
  lists: newestFirst,
  endOthers: (unit, held) => staffRealm.decide.endOthers(unit, held, 'REVOKED'),
  end: {
    does: 'End one of my sessions; it may be this one.',
    async one(unit, { accountId }, sessionId) {
      found((await staffRealm.sessions(unit, accountId)).find(({ id }) => id === sessionId))
      await staffRealm.decide.endSession(unit, { accountId, sessionId }, 'REVOKED')
    },
  },
})
