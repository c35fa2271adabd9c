import { section } from '#kernel/resource/section'
import { adminRoleTable } from '#projections/panel/roles'
import { adminRoles } from './resource.ts'
import { adminRoleRoutes } from './routes.ts'

export const rolesSection = section({
  name: 'roles',
  deciders: [adminRoles],
  readModels: [adminRoleTable],
  routes: adminRoleRoutes,
})
