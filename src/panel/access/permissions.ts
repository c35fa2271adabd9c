/** Permission catalogs (panel.md 3): platform permissions of accounts, project permissions of members. */
import { z } from 'zod'

const AREAS = [
  'users',
  'projects',
  'servers',
  'quotas',
  'instances',
  'settings',
  'audit',
  'backups',
  'dns',
  'email',
  'security',
  'monitoring',
  'registries',
  'swarm',
  'system',
  'license',
] as const

export type PlatformPermission = `${(typeof AREAS)[number]}:${'view' | 'manage'}`

/** Includes those of planned routes; the catalog route lists only what a registered route requires. */
export const PLATFORM_PERMISSIONS: readonly PlatformPermission[] = AREAS.flatMap((area) => [
  `${area}:view` as const,
  `${area}:manage` as const,
])

const NOT_ALL_ASKED = 'A permission that no route requires yet is stored, and takes effect once a route requires it.'

/** Normalizes a grant: no duplicates, in the order of the catalog. */
export const platformPermissionSet = z
  .array(z.enum(PLATFORM_PERMISSIONS).describe(NOT_ALL_ASKED))
  .max(PLATFORM_PERMISSIONS.length)
  .transform((given) => PLATFORM_PERMISSIONS.filter((permission) => given.includes(permission)))

export const PLATFORM_ROLES = ['SUPERADMIN', 'ADMIN', 'USER'] as const
export type PlatformRole = (typeof PLATFORM_ROLES)[number]

const RANKS: Readonly<Record<PlatformRole, number>> = { SUPERADMIN: 2, ADMIN: 1, USER: 0 }

/** Whether an account with role `one` may change an account with role `other`. */
export const isAbove = (one: PlatformRole, other: PlatformRole): boolean =>
  one === 'SUPERADMIN' || RANKS[one] > RANKS[other]

/** A SUPERADMIN holds all permissions, an ADMIN those granted, and a USER none, whatever is stored. */
export function platformPermissions(role: PlatformRole, granted: readonly string[]): readonly PlatformPermission[] {
  if (role === 'SUPERADMIN') return PLATFORM_PERMISSIONS
  return role === 'ADMIN' ? PLATFORM_PERMISSIONS.filter((permission) => granted.includes(permission)) : []
}

export const PROJECT_PERMISSIONS = [
  'apps:view',
  'apps:create',
  'apps:delete',
  'apps:deploy',
  'apps:restart',
  'apps:env',
  'apps:logs',
  'databases:view',
  'databases:create',
  'databases:delete',
  'databases:manage',
  'domains:view',
  'domains:manage',
  'domains:delete',
  'backups:view',
  'backups:create',
  'backups:restore',
  'backups:delete',
  'deployments:view',
  'members:manage',
  'environments:manage',
  'settings:manage',
] as const
export type ProjectPermission = (typeof PROJECT_PERMISSIONS)[number]
export const projectPermission = z.enum(PROJECT_PERMISSIONS).describe(NOT_ALL_ASKED)

const VIEWS = PROJECT_PERMISSIONS.filter((permission) => permission.endsWith(':view'))

/** Roles that every project has. A project has at most one OWNER. */
export const BUILT_IN_PROJECT_ROLES = {
  OWNER: PROJECT_PERMISSIONS,
  ADMIN: PROJECT_PERMISSIONS,
  DEVELOPER: [
    ...VIEWS,
    ...PROJECT_PERMISSIONS.filter((permission) => permission.startsWith('apps:') && !permission.endsWith(':view')),
    'databases:create',
    'databases:manage',
    'domains:manage',
    'backups:create',
  ],
  VIEWER: VIEWS,
} as const satisfies Record<string, readonly ProjectPermission[]>

export type BuiltInProjectRole = keyof typeof BUILT_IN_PROJECT_ROLES
