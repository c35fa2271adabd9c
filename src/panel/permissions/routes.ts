import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { Route } from '#kernel/http/route'
import { anyAdmin, session } from '../access/access.ts'
import { PLATFORM_PERMISSIONS, PLATFORM_ROLES } from '../access/permissions.ts'
import type { PlatformPermission } from '../access/permissions.ts'
import { userCallerOf } from '../access/user-caller.ts'

const permissions = z.array(z.string())

/** Templates for admin roles. */
const PRESETS: readonly { readonly name: string; readonly holds: (permission: PlatformPermission) => boolean }[] = [
  { name: 'Everything', holds: () => true },
  { name: 'Read only', holds: (permission) => permission.endsWith(':view') },
  { name: 'User support', holds: (permission) => ['users:view', 'users:manage', 'audit:view'].includes(permission) },
]

/** Permissions that a registered route requires; the others have no effect yet. */
function permissionsRequiredBy(routes: readonly Pick<Route, 'access'>[]): PlatformPermission[] {
  const asked = new Set(routes.map(({ access }) => access.permission))
  return PLATFORM_PERMISSIONS.filter((permission) => asked.has(permission))
}

/** @param routes all routes of the panel, including these */
export const permissionRoutes = (routes: () => readonly Pick<Route, 'access'>[]): readonly Route[] => [
  route('GET /api/admin/permissions/catalog', {
    does: 'List the platform permissions that can be granted, and presets for admin roles.',
    access: anyAdmin,
    reply: z.object({ permissions, presets: z.array(z.object({ name: z.string(), permissions })) }),
    async handle() {
      const all = permissionsRequiredBy(routes())
      return {
        permissions: all,
        presets: PRESETS.map(({ name, holds }) => ({ name, permissions: all.filter(holds) })),
      }
    },
  }),

  route('GET /api/admin/permissions/me', {
    does: 'List the caller’s platform permissions: all for a SUPERADMIN, those granted for an ADMIN, none for a USER.',
    access: session,
    reply: z.object({ role: z.enum(PLATFORM_ROLES), permissions }),
    async handle({ caller }) {
      const { role, permissions: held } = userCallerOf(caller)
      return { role, permissions: [...held] }
    },
  }),
]
