import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import { resourceRoutes } from '#kernel/resource/resource-routes'
import { adminRoleTable } from '#projections/panel/roles'
import { superadmin } from '../access/access.ts'
import { panelLists } from '../access/panel-lists.ts'
import { platformPermissionSet } from '../access/permissions.ts'
import { adminRoles } from './resource.ts'

const NAME_MAX = 100

const { list, create, change, remove } = resourceRoutes(adminRoles, {
  table: adminRoleTable,
  view: superadmin,
  manage: superadmin,
  lists: panelLists,
  input: {
    name: z.string().meta({ minLength: 1, maxLength: NAME_MAX }).normalize('NFKC').pipe(nameSchema(NAME_MAX)),
    permissions: platformPermissionSet,
  },
})

export const adminRoleRoutes = [
  list('GET /api/admin/roles', 'List the admin roles. PATCH /api/admin/users/{id}/admin-role assigns one.'),
  create('POST /api/admin/roles', 'Create an admin role. The audit trail shows its unique name: name no person.'),
  change('PATCH /api/admin/roles/:roleId', 'Change an admin role, from the next request of its holders on.'),
  remove('DELETE /api/admin/roles/:roleId', 'Delete an admin role and what it gives, from the next request on.'),
]
