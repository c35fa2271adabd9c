import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { inState } from '#kernel/http/in-state'
import { route } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { countLicensesByKid, overlapDaysOf } from '#projections/licensing/licenses'
import { staff } from '../access/access.ts'
import { NEXT_KEY, RETIRABLE_KEY, SOUND_KEY, isManifestCurrent, keyByKid, retirableAt, signingKeys } from './decider.ts'
import type { KeyRing, SigningKey as Key } from './decider.ts'
import { KEY_STATES } from './events.ts'
import { newSigningKey, signManifest } from './signing-key.ts'

const instant = z.iso.datetime()
const Jwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })

const SigningKey = z
  .object({
    kid: z.string(),
    state: z.enum(KEY_STATES),
    publicJwk: Jwk,
    createdAt: instant,
    /** When the manifest first listed it; null: not yet. */
    publishedAt: instant.nullable(),
    promotedAt: instant.nullable(),
    retiringAt: instant.nullable(),
    /** When nothing that it signed can be in use any more; null while it signs. */
    retirableAt: instant.nullable(),
    retiredAt: instant.nullable(),
    compromisedAt: instant.nullable(),
    reason: z.string().nullable(),
    /**
     * Licenses whose present token it has signed, without revoked ones. Licenses of a compromised key
     * are signed again, so this falls to 0.
     */
    licenses: z.int(),
  })
  .meta({ id: 'SigningKey' })

const SigningKeys = z.object({
  /** Oldest first. */
  items: z.array(SigningKey),
  /** The root key, which panels are built with. */
  root: z.object({
    kid: z.string(),
    publicJwk: Jwk,
    /** HERE: in this database, sealed. ELSEWHERE: its keeper signs manifests with it. */
    kept: z.enum(['HERE', 'ELSEWHERE']),
  }),
  manifest: z.object({
    serial: z.int(),
    issuedAt: instant,
    expiresAt: instant,
    /** False: the keys have changed since, and the root key should sign another manifest. */
    upToDate: z.boolean(),
  }),
})

const Compromise = z.strictObject({ reason: reasonSchema(500) })

/** RFC 7638: a SHA-256 as base64url. */
const Kid = z.object({ kid: z.string().regex(/^[\w-]{43}$/) })

const MANAGE = staff('settings:manage')

async function toSigningKeyReplies(
  read: ReadDatabase,
  keys: readonly Key[],
  now: Date,
): Promise<z.output<typeof SigningKey>[]> {
  const overlapDays = await overlapDaysOf(read, now)
  const licenses = await countLicensesByKid(
    read,
    keys.map(({ kid }) => kid),
  )
  return keys.map(({ id: _id, privateJwk: _private, ...key }) => ({
    ...key,
    retirableAt: retirableAt(key, overlapDays)?.toISOString() ?? null,
    licenses: licenses.get(key.kid) ?? 0,
  }))
}

function overview(ring: KeyRing) {
  const { root, manifest } = ring
  if (!root || !manifest) throw new Error('There is no root key yet: start the service once')
  return {
    root: {
      kid: root.kid,
      publicJwk: root.publicJwk,
      kept: root.privateJwk ? ('HERE' as const) : ('ELSEWHERE' as const),
    },
    manifest: { ...manifest, upToDate: isManifestCurrent(ring) },
  }
}

/** Signs a manifest after a decision about a key, and returns the key. */
async function signManifestAndReload(unit: UnitOfWork, kid: string): Promise<Key> {
  await signManifest(unit)
  return keyByKid(await unit.load(signingKeys), kid)
}

export const signingKeyRoutes = [
  route('GET /api/admin/settings/signing-keys', {
    does: 'List the keys that sign licenses, with the root key that certifies them and the newest manifest.',
    access: staff('settings:view'),
    reply: SigningKeys,
    async handle({ read, run, now }) {
      const ring = await run((unit) => unit.look(signingKeys))
      return { items: await toSigningKeyReplies(read, ring.keys, now), ...overview(ring) }
    },
  }),

  route('POST /api/admin/settings/signing-keys', {
    does: 'Create and publish the next signing key. It signs nothing until it is promoted.',
    access: MANAGE,
    status: 201,
    reply: SigningKey,
    stepUp: true,
    async handle({ run, read, now }) {
      const key = await run(async (unit) => {
        const fresh = newSigningKey(unit)
        await unit.decide(signingKeys, undefined, 'CreateKey', fresh)
        return signManifestAndReload(unit, fresh.kid)
      })
      const [made] = await toSigningKeyReplies(read, [key], now)
      return made!
    },
  }),

  route('POST /api/admin/settings/signing-keys/:kid/promote', {
    does: 'Sign with this key from now on; the previous key becomes retiring. Refused until the key has been published for one hour.',
    access: MANAGE,
    from: inState(SigningKey, NEXT_KEY),
    params: Kid,
    reply: SigningKey,
    stepUp: true,
    async handle({ run, read, now, params: { kid } }) {
      const key = await run(async (unit) => {
        await unit.decide(signingKeys, undefined, 'PromoteKey', { kid })
        return signManifestAndReload(unit, kid)
      })
      const [promoted] = await toSigningKeyReplies(read, [key], now)
      return promoted!
    },
  }),

  route('POST /api/admin/settings/signing-keys/:kid/retire', {
    does: 'Retire a key that signs no more, or withdraw one that never signed. Refused while panels may still use its signatures.',
    access: MANAGE,
    from: inState(SigningKey, RETIRABLE_KEY),
    params: Kid,
    reply: SigningKey,
    stepUp: true,
    async handle({ run, read, now, params: { kid } }) {
      const overlapDays = await overlapDaysOf(read, now)
      const key = await run(async (unit) => {
        await unit.decide(signingKeys, undefined, 'RetireKey', { kid, overlapDays })
        return signManifestAndReload(unit, kid)
      })
      const [retired] = await toSigningKeyReplies(read, [key], now)
      return retired!
    },
  }),

  route('POST /api/admin/settings/signing-keys/:kid/compromise', {
    does: 'Declare a key compromised. Its signatures become invalid; another key signs its licenses again.',
    access: MANAGE,
    from: inState(SigningKey, SOUND_KEY),
    params: Kid,
    body: Compromise,
    reply: SigningKey,
    stepUp: true,
    async handle({ run, read, now, params: { kid }, body: { reason } }) {
      const key = await run(async (unit) => {
        await unit.decide(signingKeys, undefined, 'CompromiseKey', { kid, reason, fresh: newSigningKey(unit) })
        return signManifestAndReload(unit, kid)
      })
      const [compromised] = await toSigningKeyReplies(read, [key], now)
      return compromised!
    },
  }),
]
