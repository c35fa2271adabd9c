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
const RoleChange = NewRole.partial().refine(
  (given) => Object.keys(given).length > 0,
  'Give at least one value to change',
)

const listQuery = panelListQuery({})

const toAdminRoleReply = (row: z.input<typeof AdminRole> | ReturnType<typeof requireAdminRole>) => ({
  ...row,
  permissions: [...row.permissions],
})

export const adminRoleRoutes = [
  route('GET /api/admin/roles', {
    does: 'List the admin roles: named sets of platform permissions for administrators.',
    access: superadmin,
    query: listQuery,
    reply: panelListReply(AdminRole),
    handle: ({ read, query }) =>
      panelList(adminRoleTable.queryIn(read).selectAll(), query, (rows: AdminRoleRow[]) => rows.map(toAdminRoleReply)),
  }),

  route('POST /api/admin/roles', {
    does: 'Create an admin role with a unique name. The audit trail shows the name, so do not put personal data in it.',
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
    does:
      'Rename an admin role or change its permissions. The change applies to all its administrators from their ' +
      'next request.',
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
    does: 'Delete an admin role. Its administrators lose its permissions from their next request.',
    access: superadmin,
    handle: ({ run, params: { roleId: adminRoleId } }) =>
      run(async (unit) => void (await unit.decide(adminRoles, undefined, 'DeleteAdminRole', { adminRoleId }))),
  }),
]
