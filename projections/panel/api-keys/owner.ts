/** Read for each request with an API key: the key of a secret, with its owner. */
import { lookup } from '#kernel/projections/lookup'
import type { Lookup } from '#kernel/projections/lookup'
import { apiKeyTable } from '../api-keys.ts'
import type { ApiKeyRow } from '../api-keys.ts'
import { adminRoleTable } from '../roles.ts'
import { userTable } from '../users.ts'
import type { UserRow } from '../users.ts'

/** What the gate needs to judge a request: the key, and the current state of its owner. */
export interface KeyWithOwner extends Pick<
  ApiKeyRow,
  'id' | 'ownerId' | 'scopes' | 'projectIds' | 'allowedIps' | 'expiresAt' | 'revokedAt' | 'deletedAt'
> {
  /** Null for a MACHINE key, which has no owner. */
  readonly status: UserRow['status'] | null
  readonly role: UserRow['role'] | null
  readonly permissions: readonly string[] | null
  /** Permissions of the owner's admin role. */
  readonly rolePermissions: readonly string[] | null
}

export const findKeyWithOwner: Lookup<Pick<ApiKeyRow, 'hash'>, KeyWithOwner> = lookup(apiKeyTable, ['hash'], (keys) =>
  keys
    .leftJoin(userTable.as('owner'), 'owner.id', 'apiKeys.ownerId')
    .leftJoin(adminRoleTable.as('adminRole'), 'adminRole.id', 'owner.adminRoleId')
    .select(['apiKeys.id', 'ownerId', 'scopes', 'projectIds', 'allowedIps', 'expiresAt', 'revokedAt', 'deletedAt'])
    .select(['owner.status', 'owner.role', 'owner.permissions', 'adminRole.permissions as rolePermissions']),
)
