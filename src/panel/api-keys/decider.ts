import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import type { ActingUser } from '../users/decider.ts'
import { apiKeyEvents } from './events.ts'

export const ACTIVE_KEYS_MAX = 50
const EXPIRY_DAYS_BELOW = 365
const DAY_MS = 86_400_000
/** Source: security.md 2.5. */
export const IDLE_DAYS = 90

type MintedKeyData = DataOf<typeof apiKeyEvents.ApiKeyMinted>

/** What the rules need of a key that was not deleted. */
export interface ApiKey extends Pick<MintedKeyData, 'prefix' | 'expiresAt' | 'ownerId'> {
  readonly id: string
  readonly isRevoked: boolean
  /** When the key was last recorded as idle; null if it never was. */
  readonly idleNotedAt: Date | null
}

interface MintKeyInput extends MintedKeyData {
  readonly by: ActingUser
  /** Scopes of the registered routes. */
  readonly known: readonly string[]
  /** Whether the caller asks for a MACHINE key or for a key of another account. */
  readonly isForOther: boolean
}

const NO_KEYS: readonly ApiKey[] = []

export const apiKeys = decider(apiKeyEvents, {
  initial: NO_KEYS,
  evolve: {
    ApiKeyMinted: (keys, { apiKeyId: id, prefix, ownerId, expiresAt }) => [
      ...keys,
      { id, prefix, ownerId, expiresAt, isRevoked: false, idleNotedAt: null },
    ],
    ApiKeyRevoked: (keys, { apiKeyId }) => keys.map((key) => (key.id === apiKeyId ? { ...key, isRevoked: true } : key)),
    ApiKeyRevokeRepeated: (keys) => keys,
    ApiKeyIdleNoted: (keys, { apiKeyId }, at) =>
      keys.map((key) => (key.id === apiKeyId ? { ...key, idleNotedAt: at } : key)),
    ApiKeyDeleted: (keys, { apiKeyId }) => keys.filter(({ id }) => id !== apiKeyId),
  },
  commands: {
    MintKey: (keys, { by, known, isForOther, ...ask }: MintKeyInput, { at }) => {
      if (isForOther && by.role !== 'SUPERADMIN')
        reject('forbidden', 'Only a SUPERADMIN can create MACHINE keys and keys of other accounts', 'ROLE_MISSING')
      const scopes = grantableScopes(ask.scopes, known)
      rejectInvalidExpiry(ask.expiresAt, at)
      refuseBeyondCap(keys, ask.ownerId, at)
      return [apiKeyEvents.ApiKeyMinted({ ...ask, scopes })]
    },
    RevokeKey: (keys, { apiKeyId }: { apiKeyId: string }) => {
      const key = found(keys.find(({ id }) => id === apiKeyId))
      return [
        key.isRevoked
          ? apiKeyEvents.ApiKeyRevokeRepeated(keyIdentity(key))
          : apiKeyEvents.ApiKeyRevoked(keyIdentity(key)),
      ]
    },
    DeleteKey: (keys, { apiKeyId }: { apiKeyId: string }) => [
      apiKeyEvents.ApiKeyDeleted(keyIdentity(found(keys.find(({ id }) => id === apiKeyId)))),
    ],
    /** Records each idle period only once. */
    NoteIdle: (keys, { apiKeyId, idleSince }: { apiKeyId: string; idleSince: string }, { at }) => {
      const key = keys.find(({ id }) => id === apiKeyId)
      const isLong = at.getTime() - Date.parse(idleSince) >= IDLE_DAYS * DAY_MS
      if (!key || !isActive(key, at) || !isLong || isIdleNoted(key, idleSince)) return []
      return [apiKeyEvents.ApiKeyIdleNoted({ ...keyIdentity(key), idleSince })]
    },
    /** When the owner's account is erased, or on the owner's request. */
    RevokeAll: (keys, _ask: object) =>
      keys.filter(({ isRevoked }) => !isRevoked).map((key) => apiKeyEvents.ApiKeyRevoked(keyIdentity(key))),
  },
})

const keyIdentity = ({ id: apiKeyId, ownerId, prefix }: ApiKey) => ({ apiKeyId, ownerId, prefix })

const isIdleNoted = ({ idleNotedAt }: ApiKey, idleSince: string): boolean =>
  idleNotedAt !== null && Date.parse(idleSince) <= idleNotedAt.getTime()

export const isActive = ({ isRevoked, expiresAt }: ApiKey, at: Date): boolean =>
  !isRevoked && (expiresAt === null || Date.parse(expiresAt) > at.getTime())

/** Drops scopes that no route requires (seed, "scopes"). */
function grantableScopes(asked: readonly string[], known: readonly string[]): string[] {
  const scopes = known.filter((scope) => asked.includes(scope))
  return scopes.length > 0 ? scopes : reject('invalid', 'No valid scope is given: send at least one', 'NO_SCOPE')
}

/** Both bounds are exclusive. */
function rejectInvalidExpiry(expiresAt: string | null, at: Date): void {
  if (expiresAt === null) return
  const ms = Date.parse(expiresAt) - at.getTime()
  if (ms <= 0) reject('invalid', 'expiresAt must be in the future', 'EXPIRY_INVALID')
  if (ms >= EXPIRY_DAYS_BELOW * DAY_MS)
    reject('invalid', `expiresAt must be less than ${EXPIRY_DAYS_BELOW} days ahead`, 'EXPIRY_INVALID')
}

function refuseBeyondCap(keys: readonly ApiKey[], ownerId: string | null, at: Date): void {
  if (keys.filter((key) => isActive(key, at)).length < ACTIVE_KEYS_MAX) return
  const whose = ownerId === null ? 'The installation' : 'An account'
  const kind = ownerId === null ? 'MACHINE' : 'API'
  reject('conflict', `${whose} holds at most ${ACTIVE_KEYS_MAX} active ${kind} keys`, 'API_KEY_CAP')
}
