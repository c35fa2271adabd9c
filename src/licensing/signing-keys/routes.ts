import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import { countLicensesByKid, overlapDaysOf } from '#projections/licensing/licenses'
import { staff } from '../access/access.ts'
import { requireStaffStepUp } from '../access/staff-caller.ts'
import { newSigningKey, signManifest } from './signing-key.ts'
import { isManifestCurrent, keyByKid, retirableAt, signingKeys } from './decider.ts'
import type { KeyRing, SigningKey as Key } from './decider.ts'
import { KEY_STATES } from './events.ts'

const instant = z.iso.datetime()
const Jwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })

const SigningKey = z.object({
  kid: z.string(),
  state: z.enum(KEY_STATES),
  publicJwk: Jwk,
  createdAt: instant,
  /** Since when the manifest has listed it; null: it does not yet. */
  publishedAt: instant.nullable(),
  promotedAt: instant.nullable(),
  retiringAt: instant.nullable(),
  /** When nothing that it has signed can be in use any more; null while it signs. */
  retirableAt: instant.nullable(),
  retiredAt: instant.nullable(),
  compromisedAt: instant.nullable(),
  reason: z.string().nullable(),
  /** Licenses, revoked ones apart, whose present token it has signed. Of a compromised key they are signed anew, so this falls to 0. */
  licenses: z.int(),
})

const SigningKeys = z.object({
  /** Oldest first. */
  items: z.array(SigningKey),
  /** What panels are built with. */
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
    /** False: the keys have changed since, and its keeper should sign another. */
    upToDate: z.boolean(),
  }),
})

const Compromise = z.strictObject({ reason: reasonSchema(500) })

/** RFC 7638: a SHA-256 as base64url. */
const Kid = z.object({ kid: z.string().regex(/^[\w-]{43}$/) })

const MANAGE = staff('settings:manage')

async function toSigningKeyReplies(
  read: Kysely<any>,
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
  if (!root || !manifest) throw new Error('There is no root key yet')
  return {
    root: {
      kid: root.kid,
      publicJwk: root.publicJwk,
      kept: root.privateJwk ? ('HERE' as const) : ('ELSEWHERE' as const),
    },
    manifest: { ...manifest, upToDate: isManifestCurrent(ring) },
  }
}

/** What was decided about a key, and the manifest that says so. */
async function signManifestAndReload(unit: UnitOfWork, kid: string): Promise<Key> {
  await signManifest(unit)
  return keyByKid(await unit.load(signingKeys), kid)
}

export const signingKeyRoutes = [
  route('GET /api/admin/settings/signing-keys', {
    does: 'List the keys that sign licenses, with the root key that vouches for them and the newest manifest.',
    access: staff('settings:view'),
    reply: SigningKeys,
    async handle({ read, run, now }) {
      const ring = await run((unit) => unit.look(signingKeys))
      return { items: await toSigningKeyReplies(read, ring.keys, now), ...overview(ring) }
    },
  }),

  route('POST /api/admin/settings/signing-keys', {
    does: 'Make the next signing key and publish it. It signs nothing until it is promoted; with one in store, a compromised key is replaced by one that panels know already.',
    access: MANAGE,
    status: 201,
    reply: SigningKey,
    guard: requireStaffStepUp,
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
    does: 'Sign with this key from now on. The one before it is retiring: what it has signed stays good. Refused with the time from which on it works while the key has been published for less than an hour.',
    access: MANAGE,
    params: Kid,
    reply: SigningKey,
    guard: requireStaffStepUp,
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
    does: 'Retire a key that signs no more, or withdraw one that never did. Refused with the date while a panel that is offline may still work with what the key has signed. Keys whose time has come are retired by themselves.',
    access: MANAGE,
    params: Kid,
    reply: SigningKey,
    guard: requireStaffStepUp,
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
    does: 'Declare a key compromised: whatever it has signed is worth nothing from now on. If it was the current one, the next one signs at once, or a fresh one; every license that it has signed is signed anew, and panels get theirs with their next heartbeat.',
    access: MANAGE,
    params: Kid,
    body: Compromise,
    reply: SigningKey,
    guard: requireStaffStepUp,
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
