import { section } from '#kernel/resource/section'
import { taskTable } from '#projections/panel/agent'
import { eitherOf, holdersOf, noAccount } from '../access/audiences.ts'
import { taskViewers } from './audiences.ts'
import { tasks } from './decider.ts'
import { taskKeys } from './keys/decider.ts'
import { askedTask } from './kinds.ts'
import { askedPlanApply, sendPlansBehind } from './plans.ts'
import { abandonTasks, expireTasks, forgetLostAsks, forgetOldTransfers, forgetTaskLogs } from './reactions.ts'
import { releaseRoutes } from './release-routes.ts'
import { taskRoutes } from './routes.ts'
import { transferRoutes } from './transfer-routes.ts'

export const agentSection = section({
  name: 'agent',
  deciders: [tasks, taskKeys],
  visibleTo: { task: eitherOf(holdersOf('servers:view'), taskViewers), taskKeys: noAccount },
  readModels: [taskTable],
  routes: [...taskRoutes, ...transferRoutes, ...releaseRoutes],
  reactions: [abandonTasks],
  timers: [expireTasks, forgetLostAsks, forgetTaskLogs, forgetOldTransfers, sendPlansBehind],
  declares: [askedTask(askedPlanApply)],
})
