/** An API key opens routes that declare a scope, for its owner or as a principal of its own (seed, "API key"). */
import { z } from 'zod'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'
import { sealedForUser } from '../users/events.ts'

const about = {
  apiKeyId: z.uuid(),
  /** Null for a MACHINE key, which has no owner. */
  ownerId: z.uuid().nullable(),
  prefix: z.string(),
}
export const apiKeyTerms = {
  /** Free text, because stored scopes must stay readable after the last route with that scope is removed. */
  scopes: z.array(z.string()),
  /** Null: all projects that the owner can see. */
  projectIds: z.array(z.uuid()).nullable(),
  /** Canonical form, see allowed-ips.ts. Empty: any address. */
  allowedIps: z.array(z.string()),
  /** Null: the key does not expire. */
  expiresAt: z.iso.datetime().nullable(),
}
type KeyIdentity = z.output<z.ZodObject<typeof about>>

/** Key of the stream of all MACHINE keys. Every other stream belongs to one owner and enforces that owner's cap. */
export const MACHINE = 'machine'

export const sealedForKey = ({ ownerId }: { ownerId: string | null }): string =>
  ownerId === null ? 'installation' : sealedForUser({ userId: ownerId })

const describeKey = ({ apiKeyId, ownerId, prefix }: KeyIdentity): string =>
  ownerId === null ? `MACHINE key ${apiKeyId} (${prefix})` : `API key ${apiKeyId} (${prefix}) of ${ownerId}`

const declareEvents = eventsAbout(about, sealedForKey)
const events = declareEvents({
  ApiKeyMinted: {
    fields: {
      name: sealed(z.string()),
      /** sha256 of the secret; the secret itself is not stored. */
      hash: internal(z.string()),
      ...apiKeyTerms,
    },
    sentence: (minted) => `minted ${describeKey(minted)}`,
    takes: ({ apiKeyId, ownerId }) => [{ scope: 'apiKey', key: apiKeyId, holder: ownerId ?? MACHINE }],
  },
  ApiKeyRevoked: { fields: {}, sentence: (revoked) => `revoked ${describeKey(revoked)}`, strict: true },
  /** A repeated revocation: it changes nothing. */
  ApiKeyRevokeRepeated: { fields: {}, sentence: (revoked) => `revoked once more ${describeKey(revoked)}` },
  /** Removes the key from all lists; the event log keeps it. */
  ApiKeyDeleted: {
    fields: {},
    sentence: (deleted) => `deleted ${describeKey(deleted)}`,
    strict: true,
    releases: ({ apiKeyId }) => [{ scope: 'apiKey', key: apiKeyId }],
  },
  /** Recorded again only after the key was used in between. */
  ApiKeyIdleNoted: {
    fields: { idleSince: z.iso.datetime() },
    sentence: (noted) => `noted that ${describeKey(noted)} has not been used since ${noted.idleSince}`,
  },
})

/** One stream per owner and one for all MACHINE keys, because each has a cap on active keys. */
export const apiKeyEvents = stream('apiKeys', events)
