import { section } from '#kernel/resource/section'
import { panelUpdateTable } from '#projections/panel/system'
import { agentUpdateTable } from '#projections/panel/system/agent-updates'
import { holdersOf } from '../access/audiences.ts'
import { askedTask } from '../agent/kinds.ts'
import { panelUpdates } from './decider.ts'
import { askedPanelUpdate, beginUpdateChecks, fetchPanelImage, updateChecks } from './reactions.ts'
import { systemRoutes } from './routes.ts'

export const systemSection = section({
  name: 'system',
  deciders: [panelUpdates],
  visibleTo: { panelUpdate: holdersOf('system:view') },
  // The page of updates shows both.
  readModels: [panelUpdateTable, agentUpdateTable],
  routes: systemRoutes,
  reactions: [beginUpdateChecks, fetchPanelImage],
  timers: [updateChecks],
  declares: [askedTask(askedPanelUpdate)],
})
