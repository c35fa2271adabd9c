import { section } from '#kernel/resource/section'
import { adminRoleTable } from '#projections/panel/roles'
import { superadmins } from '../access/audiences.ts'
import { adminRoles } from './resource.ts'
import { adminRoleRoutes } from './routes.ts'

export const rolesSection = section({
  name: 'roles',
  deciders: [adminRoles],
  visibleTo: { adminRoles: superadmins },
  readModels: [adminRoleTable],
  routes: adminRoleRoutes,
})
