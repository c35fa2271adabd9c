import { section } from '#kernel/resource/section'
import { deploymentTable } from '#projections/panel/deployments'
import { deploymentViewers, noAccount } from '../access/audiences.ts'
import { deployments } from './decider.ts'
import { deploymentKinds } from './kinds.ts'
import { deployLanes } from './lane/decider.ts'
import { endOutlived, fillLane, startEntered } from './reactions.ts'
import { deploymentRoutes } from './routes.ts'

export const deploymentsSection = section({
  name: 'deployments',
  deciders: [deployments, deployLanes],
  visibleTo: { deployment: deploymentViewers, deployLane: noAccount },
  readModels: [deploymentTable],
  routes: deploymentRoutes,
  reactions: [startEntered, fillLane],
  timers: [endOutlived],
  declares: deploymentKinds,
})
