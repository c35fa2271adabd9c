import { section } from '#kernel/resource/section'
import { adminRoleTable } from '#projections/panel/roles'
import { adminRoles } from './decider.ts'
import { adminRoleEvents } from './events.ts'
import { adminRoleRoutes } from './routes.ts'

export const rolesSection = section({
  name: 'roles',
  streams: [adminRoleEvents],
  deciders: [adminRoles],
  readModels: [adminRoleTable],
  routes: adminRoleRoutes,
})
