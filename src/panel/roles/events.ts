/** Admin roles: named sets of platform permissions that administrators can share. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

const adminRoleId = z.uuid()

/** The audit trail shows the name in plain text, so it must not contain personal data. */
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

/** Administrators with this role lose its permissions. */
export const AdminRoleDeleted = event(
  'AdminRoleDeleted',
  'adminRoleId',
  { adminRoleId, name: z.string() },
  ({ name }) => `deleted admin role “${name}”`,
  { strict: true },
)

/**
 * One stream for the installation, because unique names and the maximum number are invariants over all
 * roles.
 */
export const adminRoleEvents = stream('adminRoles', [AdminRoleCreated, AdminRoleChanged, AdminRoleDeleted])
