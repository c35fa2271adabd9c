import { z } from 'zod'
import { route } from '#kernel/http/route'
import { nameSchema } from '#kernel/lib/display-text'
import { adminRoleTable } from '#projections/panel/roles'
import type { AdminRoleRow } from '#projections/panel/roles'
import { superadmin } from '../access/access.ts'
import { platformPermissionSet } from '../access/permissions.ts'
import { panelList, panelListReply, panelListQuery } from '../access/panel-list.ts'
import { adminRoles, requireAdminRole } from './decider.ts'

export const AdminRole = z.object({
  id: z.uuid(),
  name: z.string(),
  permissions: z.array(z.string()),
  createdAt: z.iso.datetime(),
})

const name = z.string().normalize('NFKC').pipe(nameSchema(100))
const NewRole = z.strictObject({ name, permissions: platformPermissionSet })
const RoleChange = NewRole.partial().refine((given) => Object.keys(given).length > 0, 'Nothing to change is given')

const listQuery = panelListQuery({})

const toAdminRoleReply = (row: z.input<typeof AdminRole> | ReturnType<typeof requireAdminRole>) => ({
  ...row,
  permissions: [...row.permissions],
})

export const adminRoleRoutes = [
  route('GET /api/admin/roles', {
    does: 'List the admin roles: named sets of platform permissions, given to administrators by PATCH /api/admin/users/{id}/admin-role.',
    access: superadmin,
    query: listQuery,
    reply: panelListReply(AdminRole),
    handle: ({ read, query }) =>
      panelList(adminRoleTable.queryIn(read).selectAll(), query, (rows: AdminRoleRow[]) => rows.map(toAdminRoleReply)),
  }),

  route('POST /api/admin/roles', {
    does: 'Create an admin role. No two are called the same. The name is readable in the audit trail, so it should name nobody.',
    access: superadmin,
    body: NewRole,
    reply: AdminRole,
    status: 201,
    handle: ({ run, body }) =>
      run(async (unit) => {
        const adminRoleId = unit.newId()
        await unit.decide(adminRoles, undefined, 'CreateAdminRole', { adminRoleId, ...body })
        return toAdminRoleReply(requireAdminRole(await unit.load(adminRoles), adminRoleId))
      }),
  }),

  route('PATCH /api/admin/roles/:roleId', {
    does: 'Rename an admin role or change its permissions, for everybody who has it, from the next request on.',
    access: superadmin,
    body: RoleChange,
    reply: AdminRole,
    handle: ({ run, params: { roleId: adminRoleId }, body }) =>
      run(async (unit) => {
        await unit.decide(adminRoles, undefined, 'ChangeAdminRole', { adminRoleId, ...body })
        return toAdminRoleReply(requireAdminRole(await unit.load(adminRoles), adminRoleId))
      }),
  }),

  route('DELETE /api/admin/roles/:roleId', {
    does: 'Delete an admin role. Whoever has it holds nothing by it from the next request on.',
    access: superadmin,
    handle: ({ run, params: { roleId: adminRoleId } }) =>
      run(async (unit) => void (await unit.decide(adminRoles, undefined, 'DeleteAdminRole', { adminRoleId }))),
  }),
]
