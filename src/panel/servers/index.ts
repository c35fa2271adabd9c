import { section } from '#kernel/resource/section'
import { meshChangeTable, serverAccessTable, serverLoadTable, serverTable } from '#projections/panel/servers'
import { hostSetup } from '../../tasks/host.ts'
import { noAccount, serverRuleViewers, serverViewers } from '../access/audiences.ts'
import { askedTask } from '../agent/kinds.ts'
import { serverAccess } from './access/decider.ts'
import { serverAccessRoutes } from './access/routes.ts'
import { servers } from './decider.ts'
import { serverLoad } from './load/decider.ts'
import { localServerChanges } from './local-changes.ts'
import { localServerRoutes } from './local-routes.ts'
import { meshPlan } from './mesh/plan.ts'
import { meshRoutes } from './mesh/routes.ts'
import { serverMetrics } from './metrics.ts'
import { serverPorts } from './ports/decider.ts'
import { eraseServer, noteGoneSubjects } from './reactions.ts'
import { serverRoster } from './roster/decider.ts'
import { wholeServerRoutes } from './routes.ts'
import { checkNewHost } from './setup.ts'

export const serversSection = section({
  name: 'servers',
  deciders: [servers, serverAccess, serverLoad, serverPorts, serverRoster],
  visibleTo: {
    server: serverViewers,
    serverAccess: serverRuleViewers,
    serverLoad: noAccount,
    serverPorts: noAccount,
    serverRoster: noAccount,
  },
  readModels: [serverTable, serverAccessTable, serverLoadTable, meshChangeTable],
  routes: [...localServerRoutes, ...localServerChanges, ...wholeServerRoutes, ...serverAccessRoutes, ...meshRoutes],
  metrics: serverMetrics,
  reactions: [noteGoneSubjects, eraseServer, checkNewHost],
  declares: [askedTask({ kind: hostSetup }), meshPlan],
})
