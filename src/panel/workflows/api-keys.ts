/** Commands on API keys, each in one unit of work. A new key reaches only projects that its owner can see. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { ValuesOf } from '#kernel/resource/fields'
import { actingUser, permissionsGrantedTo } from '../access/accounts.ts'
import { callerOfKey } from '../access/key-caller.ts'
import type { KeyCaller } from '../access/key-caller.ts'
import { rightsIn } from '../access/project-access.ts'
import { apiKeys, isActive } from '../api-keys/decider.ts'
import type { ApiKey } from '../api-keys/decider.ts'
import { MACHINE } from '../api-keys/events.ts'
import type { apiKeyTerms } from '../api-keys/events.ts'
import { users } from '../users/decider.ts'

interface MintKeyRequest {
  readonly caller: Caller
  readonly read: ReadDatabase
  /** Owner of the key, if not the caller; null for a MACHINE key. */
  readonly forOther: string | null | undefined
  readonly known: readonly string[]
  readonly terms: ValuesOf<typeof apiKeyTerms> & { readonly name: string }
  readonly spelled: { readonly prefix: string; readonly hash: string }
}

/** @throws Rejection 400 | 403 | 409 */
export async function mintKey(unit: UnitOfWork, { caller, read, forOther, known, terms, spelled }: MintKeyRequest) {
  const by = await actingUser(unit, caller)
  const [apiKeyId, ownerId] = [unit.newId(), forOther === undefined ? by.id : forOther]
  const about = { apiKeyId, ownerId, ...terms, ...spelled }
  const ask = { ...about, by: { id: by.id, role: by.role }, known, isForOther: forOther !== undefined }
  const events = await unit.decide(apiKeys, ownerId ?? MACHINE, 'MintKey', ask)
  const principal = await unrestrictedCaller(unit, apiKeyId, ownerId)
  for (const projectId of terms.projectIds ?? []) {
    const rights = await rightsIn(read, principal, projectId)
    if (rights.length === 0)
      reject(
        'invalid',
        'projectIds names a project that does not exist or that the owner cannot see',
        'PROJECT_UNKNOWN',
      )
  }
  const scopes = events.flatMap(({ data }) => ('scopes' in data ? data.scopes : []))
  return { id: apiKeyId, prefix: spelled.prefix, scopes }
}

/**
 * Caller of an unrestricted key of this owner.
 * @throws Rejection 400 | 409
 */
async function unrestrictedCaller(unit: UnitOfWork, id: string, ownerId: string | null): Promise<KeyCaller> {
  const nobody = { id, ownerId, scopes: [], projectIds: null, role: null, permissions: null, rolePermissions: null }
  if (ownerId === null) return callerOfKey(nobody)
  const owner = (await unit.look(users, ownerId)) ?? reject('invalid', 'No account has this ownerId', 'OWNER_UNKNOWN')
  if (owner.status !== 'ACTIVE') reject('conflict', 'The account of the owner is not active', 'NOT_ACTIVE')
  return callerOfKey({ ...nobody, role: owner.role, permissions: [...(await permissionsGrantedTo(unit, owner))] })
}

/**
 * Key of the stream that holds the API key.
 * @throws Rejection 404 for a deleted or unknown key
 */
export const streamKeyOf = async (unit: UnitOfWork, apiKeyId: string): Promise<string> =>
  found(await unit.holderOf('apiKey', apiKeyId))

/** Keys that are neither revoked nor expired. */
export const activeKeysOf = async (unit: UnitOfWork, userId: string): Promise<readonly ApiKey[]> =>
  (await unit.look(apiKeys, userId)).filter((key) => isActive(key, unit.at))

/** When the account is erased, which refuses its keys anyway, or on the owner's request. */
export const revokeKeysOf = (unit: UnitOfWork, userId: string) => unit.decide(apiKeys, userId, 'RevokeAll', {})
