import { section } from '#kernel/resource/section'
import { scheduledDeployTable } from '#projections/panel/scheduled-deploys'
import { deploymentViewers, noAccount } from '../access/audiences.ts'
import { scheduledDeploys } from './decider.ts'
import { runSchedules } from './reactions.ts'
import { scheduledDeployRoster } from './roster/decider.ts'
import { scheduledDeployRoutes } from './routes.ts'

export const scheduledDeploysSection = section({
  name: 'scheduled-deploys',
  deciders: [scheduledDeploys, scheduledDeployRoster],
  visibleTo: { scheduledDeploy: deploymentViewers, scheduledDeployRoster: noAccount },
  readModels: [scheduledDeployTable],
  routes: scheduledDeployRoutes,
  timers: [runSchedules],
})
