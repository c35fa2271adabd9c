/** What is done to API keys in one unit: minted within what their owner may see, taken away from whoever they belong to. */
import type { Kysely } from 'kysely'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { apiKeys, isActive } from '../api-keys/decider.ts'
import type { ApiKey } from '../api-keys/decider.ts'
import { MACHINE } from '../api-keys/events.ts'
import { actingUser, permissionsGrantedTo } from '../access/accounts.ts'
import { callerOfKey } from '../access/key-caller.ts'
import type { KeyCaller } from '../access/key-caller.ts'
import { rightsIn } from '../access/project-access.ts'
import { users } from '../users/decider.ts'

export interface KeyTerms {
  readonly name: string
  readonly scopes: string[]
  readonly projectIds: string[] | null
  readonly allowedIps: string[]
  readonly expiresAt: string | null
}

interface MintKeyRequest {
  readonly caller: Caller
  readonly read: Kysely<any>
  /** Whose it shall be, when not the caller's own: null for nobody's. */
  readonly forOther: string | null | undefined
  readonly known: readonly string[]
  readonly terms: KeyTerms
  readonly spelled: { readonly prefix: string; readonly hash: string }
}

/** @throws Rejection 400 | 403 | 409 */
export async function mintKey(
  unit: UnitOfWork,
  { caller, read, forOther, known, terms, spelled }: MintKeyRequest,
): Promise<MintedApiKey> {
  const by = await actingUser(unit, caller)
  const [apiKeyId, ownerId] = [unit.newId(), forOther === undefined ? by.id : forOther]
  const about = { apiKeyId, ownerId, ...terms, ...spelled }
  const ask = { ...about, by: { id: by.id, role: by.role }, known, isForOther: forOther !== undefined }
  const events = await unit.decide(apiKeys, ownerId ?? MACHINE, 'MintKey', ask)
  const principal = await unrestrictedCaller(unit, apiKeyId, ownerId)
  for (const projectId of terms.projectIds ?? []) {
    const rights = await rightsIn(read, principal, projectId)
    if (rights.length === 0) reject('invalid', 'projectIds holds a project that there is not', 'PROJECT_UNKNOWN')
  }
  const scopes = events.flatMap(({ data }) => ('scopes' in data ? data.scopes : []))
  return { id: apiKeyId, prefix: spelled.prefix, scopes }
}

interface MintedApiKey {
  readonly id: string
  readonly prefix: string
  readonly scopes: string[]
}

/** What a key of this owner could see without any restriction. @throws Rejection 400 | 409 */
async function unrestrictedCaller(unit: UnitOfWork, id: string, ownerId: string | null): Promise<KeyCaller> {
  const nobody = { id, ownerId, scopes: [], projectIds: null, role: null, permissions: null, rolePermissions: null }
  if (ownerId === null) return callerOfKey(nobody)
  const owner = (await unit.look(users, ownerId)) ?? reject('invalid', 'There is no such account', 'OWNER_UNKNOWN')
  if (owner.status !== 'ACTIVE') reject('conflict', 'This account is not active', 'NOT_ACTIVE')
  return callerOfKey({ ...nobody, role: owner.role, permissions: [...(await permissionsGrantedTo(unit, owner))] })
}

/** In which stream a key is. @throws Rejection 404 for one that is deleted or never was */
export const streamKeyOf = async (unit: UnitOfWork, apiKeyId: string): Promise<string> =>
  found(await unit.holderOf('apiKey', apiKeyId))

/** Those that let somebody in. */
export const activeKeysOf = async (unit: UnitOfWork, userId: string): Promise<readonly ApiKey[]> =>
  (await unit.look(apiKeys, userId)).filter((key) => isActive(key, unit.at))

/** In the unit that takes the account away, where they are refused from then on anyway, or at their owner's word. */
export const revokeKeysOf = (unit: UnitOfWork, userId: string) => unit.decide(apiKeys, userId, 'RevokeAll', {})
