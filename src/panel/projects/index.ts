import { section } from '#kernel/resource/section'
import {
  projectEnvironmentTable,
  projectMemberTable,
  projectRoleTable,
  projectTable,
  projectTeamTable,
  projectVariableTable,
} from '#projections/panel/projects'
import { projects } from './decider.ts'
import { projectEnvironments } from './environments/decider.ts'
import { projectEnvironmentEvents } from './environments/events.ts'
import { environmentRoutes } from './environments/routes.ts'
import { projectEvents } from './events.ts'
import { memberRoutes } from './members/routes.ts'
import { eraseProjectInvitees, eraseProjectKeys, joinProjectsOnVerification } from './reactions.ts'
import { projectRoleRoutes } from './roles/routes.ts'
import { projectMemberships, projectRoster } from './roster/decider.ts'
import { projectMembershipEvents, projectRosterEvents } from './roster/events.ts'
import { projectRoutes } from './routes.ts'
import { projectTeamRoutes } from './teams/routes.ts'

export const projectsSection = section({
  name: 'projects',
  streams: [projectEvents, projectEnvironmentEvents, projectRosterEvents, projectMembershipEvents],
  deciders: [projects, projectEnvironments, projectRoster, projectMemberships],
  readModels: [
    projectTable,
    projectMemberTable,
    projectRoleTable,
    projectTeamTable,
    projectEnvironmentTable,
    projectVariableTable,
  ],
  routes: [...projectRoutes, ...memberRoutes, ...projectRoleRoutes, ...environmentRoutes, ...projectTeamRoutes],
  reactions: [joinProjectsOnVerification, eraseProjectInvitees, eraseProjectKeys],
})
