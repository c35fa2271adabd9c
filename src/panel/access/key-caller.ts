/**
 * Authenticates an API key. Nothing is cached, so a revocation or a change of the owner applies to the
 * next request in every process.
 */
import { ipAllowed } from '#kernel/credentials/allowed-ips'
import type { LastUseRecorder } from '#kernel/credentials/last-uses'
import { hashSecret, isSecret } from '#kernel/credentials/secret-token'
import type { RequestHead, Caller } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { findKeyWithOwner } from '#projections/panel/api-keys/owner'
import type { KeyWithOwner } from '#projections/panel/api-keys/owner'
import { KEY } from './access.ts'
import { platformPermissions } from './permissions.ts'

/** Marks a credential as an API key (seed, "Authentication"). */
export const KEY_PREFIX = 'dbk_'

export interface KeyCaller extends Caller {
  readonly kind: typeof KEY
  readonly keyId: string
  /** The account that the key acts for; undefined for a MACHINE key. */
  readonly ownerId: string | undefined
  readonly scopes: ReadonlySet<string>
  /** The projects that the key is restricted to; undefined if it has no restriction. */
  readonly projectIds: readonly string[] | undefined
}

export interface KeyCallerDependencies {
  readonly read: ReadDatabase
  /** Records every accepted call; absent if last uses are not recorded. */
  readonly uses?: { readonly keys: LastUseRecorder }
}

/**
 * @throws Rejection 401, with the same message for a key that is malformed (without a database query),
 * unknown, revoked, deleted, expired, used from outside its allowedIps, or owned by an inactive account
 */
export async function keyCaller(
  secret: string,
  { ip, now }: RequestHead,
  parts: KeyCallerDependencies,
): Promise<KeyCaller> {
  const key = isSecret(secret, 'k') ? await findKeyWithOwner(parts.read, { hash: hashSecret(secret) }) : undefined
  if (!key || !isUsable(key, ip, now)) return rejectInvalidKey()
  return { ...callerOfKey(key), onAdmitted: () => parts.uses?.keys.note(key.id, now, ip) }
}

export const rejectInvalidKey = (): never => reject('unauthenticated', 'Invalid or expired API key', 'API_KEY_INVALID')

const isUsable = (key: KeyWithOwner, ip: string | undefined, now: Date): boolean =>
  key.revokedAt === null &&
  key.deletedAt === null &&
  (key.expiresAt === null || Date.parse(key.expiresAt) > now.getTime()) &&
  (key.ownerId === null || key.status === 'ACTIVE') &&
  ipAllowed(key.allowedIps, ip)

type KeyGrant = Pick<
  KeyWithOwner,
  'id' | 'ownerId' | 'scopes' | 'projectIds' | 'role' | 'permissions' | 'rolePermissions'
>

/**
 * The owner's current permissions within the key's scopes and projects. A MACHINE key holds no
 * permission; only its scopes count.
 */
export function callerOfKey({ id, ownerId, scopes, projectIds, role, ...granted }: KeyGrant): KeyCaller {
  const permissions = [...(granted.permissions ?? []), ...(granted.rolePermissions ?? [])]
  const held = new Set<string>(role === null ? [] : platformPermissions(role, permissions))
  return {
    kind: KEY,
    actor: { type: 'API_KEY', id },
    can: (permission) => held.has(permission),
    forbiddenMessage: 'This endpoint is not available to API keys. Use a session.',
    keyId: id,
    ownerId: ownerId ?? undefined,
    scopes: new Set(scopes),
    projectIds: projectIds ?? undefined,
  }
}
