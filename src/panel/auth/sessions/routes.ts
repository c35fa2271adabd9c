import { ownSessionRoutes } from '#kernel/auth/session-routes'
import { userSessionTable } from '#projections/panel/auth'
import { session } from '../../access/access.ts'
import { panelLists } from '../../access/panel-lists.ts'
import { userRealm } from '../../access/user-realm.ts'
import { userSessions } from '../decider.ts'

export const sessionRoutes = ownSessionRoutes(userRealm, {
  access: session,
  table: userSessionTable,
  account: 'userId',
  uses: 'userSessionUse',
  lists: panelLists,
  endOthers: (unit, held) => unit.decide(userSessions, held.accountId, 'RevokeOthers', held),
  end: {
    does: 'End one of the caller’s sessions. With the id of the current session, all others end instead.',
    one: (unit, held, id) => unit.decide(userSessions, held.accountId, 'RevokeSession', { ...held, id }),
  },
})
