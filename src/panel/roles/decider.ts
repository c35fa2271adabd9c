import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import type { PlatformPermission } from '../access/permissions.ts'
import { AdminRoleChanged, AdminRoleCreated, AdminRoleDeleted, adminRoleEvents } from './events.ts'

export interface AdminRole {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly createdAt: string
}

interface AdminRoleInput {
  readonly name: string
  readonly permissions: readonly PlatformPermission[]
}

const ADMIN_ROLES_MAX = 100

export const adminRoles = decider(adminRoleEvents, {
  initial: [] as readonly AdminRole[],
  evolve: {
    AdminRoleCreated: (all, { adminRoleId: id, ...role }, at) => [...all, { id, ...role, createdAt: at.toISOString() }],
    AdminRoleChanged: (all, { adminRoleId, ...role }) =>
      all.map((each) => (each.id === adminRoleId ? { ...each, ...role } : each)),
    AdminRoleDeleted: (all, { adminRoleId }) => all.filter(({ id }) => id !== adminRoleId),
  },
  commands: {
    CreateAdminRole: (all, { adminRoleId, name, permissions }: AdminRoleInput & { adminRoleId: string }) => {
      if (all.length >= ADMIN_ROLES_MAX)
        reject('conflict', `At most ${ADMIN_ROLES_MAX} admin roles can exist: delete one first`)
      rejectTakenName(all, name)
      return [AdminRoleCreated({ adminRoleId, name, permissions: [...permissions] })]
    },
    /** Keeps what the command does not name. */
    ChangeAdminRole: (all, ask: Partial<AdminRoleInput> & Pick<DataOf<typeof AdminRoleDeleted>, 'adminRoleId'>) => {
      const role = requireAdminRole(all, ask.adminRoleId)
      const { name = role.name, permissions = role.permissions } = ask
      rejectTakenName(
        all.filter((each) => each !== role),
        name,
      )
      return [AdminRoleChanged({ adminRoleId: role.id, name, permissions: [...permissions] })]
    },
    DeleteAdminRole: (all, { adminRoleId }: { adminRoleId: string }) => [
      AdminRoleDeleted({ adminRoleId, name: requireAdminRole(all, adminRoleId).name }),
    ],
  },
})

/** @throws Rejection 404 */
export const requireAdminRole = (all: readonly AdminRole[], adminRoleId: string): AdminRole =>
  found(all.find(({ id }) => id === adminRoleId))

const canonicalName = (name: string): string => name.normalize('NFKC').toLowerCase()

/** @throws Rejection 409 NAME_TAKEN */
function rejectTakenName(all: readonly AdminRole[], name: string): void {
  if (all.some((each) => canonicalName(each.name) === canonicalName(name)))
    reject('conflict', 'An admin role with this name already exists', 'NAME_TAKEN')
}
