/**
 * Permissions of staff and tokens. The specification names the permissions and the ban list;
 * licensing.md 11 names the roles.
 */

export const PERMISSIONS = [
  'customers:view',
  'customers:manage',
  'subscriptions:view',
  'subscriptions:manage',
  'licenses:view',
  'licenses:manage',
  'plans:view',
  'plans:manage',
  'features:view',
  'features:manage',
  'instances:view',
  'instances:manage',
  'payments:view',
  'payments:manage',
  'versions:manage',
  'staff:view',
  'staff:manage',
  'settings:view',
  'settings:manage',
  'audit:view',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/**
 * A leaked token must not create accounts, rotate keys, mint tokens, move money or read the audit
 * trail (specification, "can never hold").
 */
export const BANNED_FOR_TOKENS: readonly Permission[] = [
  'staff:view',
  'staff:manage',
  'settings:view',
  'settings:manage',
  'payments:manage',
  'audit:view',
]

const FAMILIES = ['plans', 'features', 'subscriptions'] as const
export type PermissionFamily = `${(typeof FAMILIES)[number]}:*`
export const GRANTABLE_FAMILIES: readonly PermissionFamily[] = FAMILIES.map((family) => `${family}:*` as const)

const membersOf = (family: string): Permission[] => {
  const stem = family.slice(0, -1)
  return PERMISSIONS.filter((permission) => permission.startsWith(stem))
}

export const isBannedForTokens = (permission: string): boolean =>
  (BANNED_FOR_TOKENS as readonly string[]).includes(permission)

/**
 * What a token may be granted: the specification's list, its three families, and the members of the
 * families.
 */
export const isGrantable = (permission: string): permission is Permission | PermissionFamily =>
  (GRANTABLE_FAMILIES as readonly string[]).includes(permission) ||
  ((PERMISSIONS as readonly string[]).includes(permission) && !isBannedForTokens(permission))

/** Replaces families by their members as of now. Banned permissions are never returned. */
export const expandFamilies = (granted: readonly string[]): Permission[] => [
  ...new Set(
    granted
      .flatMap((each) => (each.endsWith(':*') ? membersOf(each) : [each as Permission]))
      .filter((each) => isGrantable(each)),
  ),
]

const views = PERMISSIONS.filter((permission) => permission.endsWith(':view'))

export const ROLES = {
  SUPERADMIN: PERMISSIONS,
  BILLING: [...membersOf('payments:*'), ...membersOf('subscriptions:*'), 'customers:view'],
  SUPPORT: ['customers:view', 'subscriptions:view', ...membersOf('licenses:*'), ...membersOf('instances:*')],
  RELEASE: membersOf('versions:*'),
  AUDITOR: views,
} as const satisfies Record<string, readonly Permission[]>

export type Role = keyof typeof ROLES

export const permissionsOf = (roles: readonly Role[]): Permission[] => [
  ...new Set(roles.flatMap((role) => [...ROLES[role]])),
]
