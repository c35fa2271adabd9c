/** An API key lets automation into the routes that declare a scope, as its owner or as a principal of its own (seed, "API key"). */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { sealedForUser } from '../users/events.ts'

const about = {
  apiKeyId: z.uuid(),
  /** Null: a MACHINE key, which is nobody's. */
  ownerId: z.uuid().nullable(),
  prefix: z.string(),
}
type KeyIdentity = z.output<z.ZodObject<typeof about>>

/** The stream that a key is in; the cap of its owner is decided there. */
export const MACHINE = 'machine'

export const sealedForKey = ({ ownerId }: { ownerId: string | null }): string =>
  ownerId === null ? 'installation' : sealedForUser({ userId: ownerId })

const describeKey = ({ apiKeyId, ownerId, prefix }: KeyIdentity): string =>
  ownerId === null ? `MACHINE key ${apiKeyId} (${prefix})` : `API key ${apiKeyId} (${prefix}) of ${ownerId}`

export const ApiKeyMinted = event(
  'ApiKeyMinted',
  'apiKeyId',
  {
    ...about,
    name: sealed(z.string()),
    /** sha256 of the secret; the secret itself is nowhere. */
    hash: internal(z.string()),
    /** Any text: what a route asked for once must stay readable when none does any more. */
    scopes: z.array(z.string()),
    /** Null: whatever its owner may see. */
    projectIds: z.array(z.uuid()).nullable(),
    /** Canonical, see allowed-ips.ts. Empty: reachable from anywhere. */
    allowedIps: z.array(z.string()),
    /** Null: never. */
    expiresAt: z.iso.datetime().nullable(),
  },
  (minted) => `minted ${describeKey(minted)}`,
  {
    sealedFor: sealedForKey,
    takes: ({ apiKeyId, ownerId }) => [{ scope: 'apiKey', key: apiKeyId, holder: ownerId ?? MACHINE }],
  },
)

export const ApiKeyRevoked = event('ApiKeyRevoked', 'apiKeyId', about, (revoked) => `revoked ${describeKey(revoked)}`, {
  strict: true,
})

/** Somebody wanted to be sure: it changes nothing. */
export const ApiKeyRevokeRepeated = event(
  'ApiKeyRevokeRepeated',
  'apiKeyId',
  about,
  (revoked) => `revoked once more ${describeKey(revoked)}`,
)

/** Gone from all lists; it stays here. */
export const ApiKeyDeleted = event('ApiKeyDeleted', 'apiKeyId', about, (deleted) => `deleted ${describeKey(deleted)}`, {
  strict: true,
  releases: ({ apiKeyId }) => [{ scope: 'apiKey', key: apiKeyId }],
})

/** Of a key that nobody may miss. Another of these follows only after it was used again. */
export const ApiKeyIdleNoted = event(
  'ApiKeyIdleNoted',
  'apiKeyId',
  { ...about, idleSince: z.iso.datetime() },
  (noted) => `noted that ${describeKey(noted)} has not been used since ${noted.idleSince}`,
)

/** One stream an owner, and one for the MACHINE keys of the installation: each may have so many active keys. */
export const apiKeyEvents = stream('apiKeys', [
  ApiKeyMinted,
  ApiKeyRevoked,
  ApiKeyRevokeRepeated,
  ApiKeyIdleNoted,
  ApiKeyDeleted,
])
