/** Active accounts and what they may do, for what happens without a request of theirs. */
import type { Caller } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { adminRoleTable } from '#projections/panel/roles'
import { userTable } from '#projections/panel/users'
import { USER } from './access.ts'
import { platformPermissions } from './permissions.ts'
import type { PlatformPermission } from './permissions.ts'

/** As a session of the account would be. */
export interface AccountCaller extends Caller {
  readonly userId: string
}

/** Administrators, and these accounts besides. */
export async function activeAccounts(read: ReadDatabase, userIds: readonly string[] = []): Promise<AccountCaller[]> {
  const roles = new Map(
    (await adminRoleTable.queryIn(read).selectAll().execute()).map((row) => [row.id, row.permissions]),
  )
  const accounts = await userTable
    .queryIn(read)
    .select(['id', 'role', 'permissions', 'adminRoleId'])
    .where('status', '=', 'ACTIVE')
    .where((is) => is.or([is('role', '!=', 'USER'), ...(userIds.length > 0 ? [is('id', 'in', userIds)] : [])]))
    .execute()
  return accounts.map(({ id, role, permissions, adminRoleId }) => {
    const held: readonly string[] = platformPermissions(role, [...permissions, ...(roles.get(adminRoleId ?? '') ?? [])])
    return {
      kind: USER,
      userId: id,
      actor: { type: 'USER', id },
      can: (permission) => held.includes(permission),
      forbiddenMessage: 'An account without a session calls no route',
    }
  })
}

/** The active accounts that hold a permission on the platform. */
export const accountsWith = async (read: ReadDatabase, permission: PlatformPermission): Promise<string[]> =>
  (await activeAccounts(read)).filter(({ can }) => can(permission)).map(({ userId }) => userId)
