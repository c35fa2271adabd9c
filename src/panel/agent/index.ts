import { section } from '#kernel/resource/section'
import { taskTable } from '#projections/panel/agent'
import { eitherOf, holdersOf, noAccount } from '../access/audiences.ts'
import { taskViewers } from './audiences.ts'
import { tasks } from './decider.ts'
import { taskKeys } from './keys/decider.ts'
import { askedTask } from './kinds.ts'
import { taskMetrics } from './metrics.ts'
import { askedPlanApply, sendPlansBehind } from './plans.ts'
import {
  abandonTasks,
  expireTasks,
  followTaskEnds,
  forgetLostAsks,
  forgetOldTransfers,
  forgetTaskLogs,
} from './reactions.ts'
import { releaseRoutes } from './release-routes.ts'
import { taskRoutes } from './routes.ts'
import { transferRoutes } from './transfer-routes.ts'
import { agentUpdates } from './updates/decider.ts'
import { askedAgentUpdate, haltSilentUpdates } from './updates/reactions.ts'
import { agentUpdateRoutes } from './updates/routes.ts'

export const agentSection = section({
  name: 'agent',
  deciders: [tasks, taskKeys, agentUpdates],
  visibleTo: {
    task: eitherOf(holdersOf('servers:view'), taskViewers),
    taskKeys: noAccount,
    agentUpdate: holdersOf('servers:view'),
  },
  readModels: [taskTable],
  routes: [...taskRoutes, ...transferRoutes, ...releaseRoutes, ...agentUpdateRoutes],
  metrics: taskMetrics,
  reactions: [abandonTasks, followTaskEnds],
  timers: [expireTasks, forgetLostAsks, forgetTaskLogs, forgetOldTransfers, sendPlansBehind, haltSilentUpdates],
  declares: [askedTask(askedPlanApply), askedTask(askedAgentUpdate)],
})
