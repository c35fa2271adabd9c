/** Admin roles: named sets of platform permissions, for any number of administrators. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

const adminRoleId = z.uuid()

/** A name is read in the audit trail, so it names nobody. */
const role = { adminRoleId, name: z.string(), permissions: z.array(z.string()) }

export const AdminRoleCreated = event(
  'AdminRoleCreated',
  'adminRoleId',
  role,
  ({ name, permissions }) => `created admin role “${name}” with ${permissions.join(', ') || 'no permission'}`,
)

export const AdminRoleChanged = event(
  'AdminRoleChanged',
  'adminRoleId',
  role,
  ({ adminRoleId, name, permissions }) =>
    `changed admin role ${adminRoleId} to “${name}” with ${permissions.join(', ') || 'no permission'}`,
  { strict: true },
)

/** Whoever had it holds nothing by it any more. */
export const AdminRoleDeleted = event(
  'AdminRoleDeleted',
  'adminRoleId',
  { adminRoleId, name: z.string() },
  ({ name }) => `deleted admin role “${name}”`,
  { strict: true },
)

/** One stream for the installation: that no two are called the same, and how many there are, are rules about all of them. */
export const adminRoleEvents = stream('adminRoles', [AdminRoleCreated, AdminRoleChanged, AdminRoleDeleted])
