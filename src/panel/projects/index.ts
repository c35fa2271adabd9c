import { section } from '#kernel/resource/section'
import {
  projectEnvironmentTable,
  projectMemberTable,
  projectRoleTable,
  projectTable,
  projectTeamTable,
  projectVariableTable,
} from '#projections/panel/projects'
import { projectUsageTable } from '#projections/panel/projects/usage'
import { environmentViewers, noAccount, projectViewers, streamOwner } from '../access/audiences.ts'
import { projectContents } from './contents/decider.ts'
import { projects } from './decider.ts'
import { duplicateProjectRoutes } from './duplicate/routes.ts'
import { projectEnvironments } from './environments/decider.ts'
import { environmentRoutes } from './environments/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { promotionRoutes } from './promotions/routes.ts'
import { eraseProjectInvitees, eraseProjectKeys, joinProjectsOnVerification } from './reactions.ts'
import { projectRoleRoutes } from './roles/routes.ts'
import { projectMemberships, projectRoster } from './roster/decider.ts'
import { wholeProjectRoutes } from './routes.ts'
import { staleEnvRoutes } from './stale-env/routes.ts'
import { projectTeamRoutes } from './teams/routes.ts'
import { usageRoutes } from './usage/routes.ts'

export const projectsSection = section({
  name: 'projects',
  deciders: [projects, projectEnvironments, projectContents, projectRoster, projectMemberships],
  visibleTo: {
    project: projectViewers,
    projectEnvironments: environmentViewers,
    projectContents: noAccount,
    projectRoster: noAccount,
    memberships: streamOwner,
  },
  readModels: [
    projectTable,
    projectMemberTable,
    projectRoleTable,
    projectTeamTable,
    projectEnvironmentTable,
    projectVariableTable,
    projectUsageTable,
  ],
  routes: [
    ...wholeProjectRoutes,
    ...memberRoutes,
    ...projectRoleRoutes,
    ...environmentRoutes,
    ...staleEnvRoutes,
    ...usageRoutes,
    ...promotionRoutes,
    ...duplicateProjectRoutes,
    ...projectTeamRoutes,
  ],
  reactions: [joinProjectsOnVerification, eraseProjectInvitees, eraseProjectKeys],
})
