/** Admin roles: named sets of platform permissions that any number of administrators hold. */
import { z } from 'zod'
import { resource } from '#kernel/resource/resource'

const listed = (permissions: readonly string[]): string => permissions.join(', ') || 'no permission'

export const adminRoles = resource('AdminRole', {
  stream: 'adminRoles',
  /** The audit trail shows the name, so it must not name a person. */
  fields: { name: z.string(), permissions: z.array(z.string()) },
  itemsMax: 100,
  unique: {
    field: 'name',
    compared: (name) => name.normalize('NFKC').toLowerCase(),
    message: 'An admin role with this name already exists',
    code: 'NAME_TAKEN',
  },
  /** Administrators with a changed or deleted role lose permissions. */
  isStrict: true,
  sentences: {
    created: ({ name, permissions }) => `created admin role “${name}” with ${listed(permissions)}`,
    changed: ({ adminRoleId, name, permissions }) =>
      `changed admin role ${adminRoleId} to “${name}” with ${listed(permissions)}`,
    deleted: ({ name }) => `deleted admin role “${name}”`,
  },
})
