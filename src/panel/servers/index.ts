import { section } from '#kernel/resource/section'
import { meshChangeTable, serverAccessTable, serverLoadTable, serverTable } from '#projections/panel/servers'
import { noAccount, serverRuleViewers, serverViewers } from '../access/audiences.ts'
import { serverAccess } from './access/decider.ts'
import { serverAccessRoutes } from './access/routes.ts'
import { servers } from './decider.ts'
import { serverLoad } from './load/decider.ts'
import { localServerRoutes } from './local-routes.ts'
import { meshPlan } from './mesh/plan.ts'
import { meshRoutes } from './mesh/routes.ts'
import { eraseServer, noteGoneSubjects } from './reactions.ts'
import { serverRoster } from './roster/decider.ts'
import { wholeServerRoutes } from './routes.ts'

export const serversSection = section({
  name: 'servers',
  deciders: [servers, serverAccess, serverLoad, serverRoster],
  visibleTo: {
    server: serverViewers,
    serverAccess: serverRuleViewers,
    serverLoad: noAccount,
    serverRoster: noAccount,
  },
  readModels: [serverTable, serverAccessTable, serverLoadTable, meshChangeTable],
  routes: [...localServerRoutes, ...wholeServerRoutes, ...serverAccessRoutes, ...meshRoutes],
  reactions: [noteGoneSubjects, eraseServer],
  declares: [meshPlan],
})
