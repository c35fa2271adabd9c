/** Accounts that receive notices about the license: active SUPERADMINs, and ADMINs with license:view. */
import type { ReadDatabase } from '#kernel/projections/read-database'
import { adminRoleTable } from '#projections/panel/roles'
import { userTable } from '#projections/panel/users'
import { platformPermissions } from '../access/permissions.ts'

export async function licenseViewers(read: ReadDatabase): Promise<string[]> {
  const roles = new Map(
    (await adminRoleTable.queryIn(read).selectAll().execute()).map((row) => [row.id, row.permissions]),
  )
  const admins = await userTable
    .queryIn(read)
    .selectAll()
    .where('role', '!=', 'USER')
    .where('status', '=', 'ACTIVE')
    .execute()
  return admins.flatMap(({ id, role, permissions, adminRoleId }) => {
    const held = platformPermissions(role, [...permissions, ...(roles.get(adminRoleId ?? '') ?? [])])
    return held.includes('license:view') ? [id] : []
  })
}
