import { key, readModel, text, texts, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { adminRoleEvents } from '#panel/roles/events'

const columns = { id: key, name: text, permissions: texts, createdAt: timestamptz }

export type AdminRoleRow = RowOf<typeof columns>

/** Deleting a role removes its row. Accounts that still name the role then hold none of its permissions. */
export const adminRoleTable = readModel('adminRoles', 1, columns, ['(created_at, id)'])
  .from(adminRoleEvents, {
    AdminRoleCreated: (table, { adminRoleId, ...role }, { at }) =>
      table.insert({ id: adminRoleId, ...role, createdAt: at }),
    AdminRoleChanged: (table, { adminRoleId, ...role }) => table.update({ id: adminRoleId }, role),
    AdminRoleDeleted: (table, { adminRoleId }) => table.remove({ id: adminRoleId }),
  })
  .forGate()
