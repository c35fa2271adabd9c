import { resourceTable } from '#kernel/resource/resource-table'
import { adminRoles } from '#panel/roles/resource'

/** A deleted role is gone, and with it what it gave to the administrators who still name it. */
export const adminRoleTable = resourceTable(adminRoles).forGate()
