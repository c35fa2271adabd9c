import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import {
  ManifestSigned,
  RootKeyAdopted,
  RootKeyCreated,
  SigningKeyCompromised,
  SigningKeyCreated,
  SigningKeyPromoted,
  SigningKeyRetired,
  signingKeyEvents,
} from './events.ts'
import type { KEY_STATES } from './events.ts'

/** As long as verifiers may keep the published keys: a key that is younger is not known to all of them. */
export const PUBLISHED_SECONDS = 3_600
const DAY_MS = 86_400_000

type SigningKeyCreatedData = DataOf<typeof SigningKeyCreated>
type State = (typeof KEY_STATES)[number]
export type PublicJwk = SigningKeyCreatedData['publicJwk']

export interface SigningKey extends Pick<SigningKeyCreatedData, 'kid' | 'publicJwk'> {
  readonly id: string
  readonly privateJwk: PublicJwk & { readonly d: string }
  readonly state: State
  readonly createdAt: string
  /** Since when a manifest has listed it; null: none does. */
  readonly publishedAt: string | null
  readonly promotedAt: string | null
  readonly retiringAt: string | null
  readonly retiredAt: string | null
  readonly compromisedAt: string | null
  readonly reason: string | null
}

export interface RootKey extends Pick<SigningKeyCreatedData, 'kid' | 'publicJwk'> {
  /** Absent: it is kept elsewhere. */
  readonly privateJwk?: SigningKey['privateJwk']
}

export type RecordedManifest = Omit<DataOf<typeof ManifestSigned>, 'manifestId'>

export interface KeyRing {
  /** Oldest first. */
  readonly keys: readonly SigningKey[]
  readonly root: RootKey | undefined
  /** The newest. */
  readonly manifest: RecordedManifest | undefined
}

type NewKey = Omit<SigningKeyCreatedData, 'state'>

const NOT_YET = {
  publishedAt: null,
  promotedAt: null,
  retiringAt: null,
  retiredAt: null,
  compromisedAt: null,
  reason: null,
}

const NO_KEYS: KeyRing = { keys: [], root: undefined, manifest: undefined }

/** What becomes of the key of this kid. */
const withKey = (ring: KeyRing, kid: string | null, change: Partial<SigningKey>): KeyRing => ({
  ...ring,
  keys: ring.keys.map((key) => (key.kid === kid ? { ...key, ...change } : key)),
})

export const signingKeys = decider(signingKeyEvents, {
  initial: NO_KEYS,
  evolve: {
    SigningKeyCreated: (ring, { signingKeyId: id, kid, publicJwk, privateKey, state }, at) => ({
      ...ring,
      keys: [
        ...ring.keys,
        {
          ...NOT_YET,
          id,
          kid,
          publicJwk,
          privateJwk: { ...publicJwk, d: privateKey },
          state,
          createdAt: at.toISOString(),
          promotedAt: state === 'current' ? at.toISOString() : null,
        },
      ],
    }),
    SigningKeyPromoted: (ring, { kid, retiringKid }, at) => {
      const since = at.toISOString()
      const retired = withKey(ring, retiringKid, { state: 'retiring', retiringAt: since })
      return withKey(retired, kid, { state: 'current', promotedAt: since })
    },
    SigningKeyRetired: (ring, { kid }, at) => withKey(ring, kid, { state: 'retired', retiredAt: at.toISOString() }),
    SigningKeyCompromised: (ring, { kid, reason }, at) =>
      withKey(ring, kid, { state: 'compromised', compromisedAt: at.toISOString(), reason }),
    RootKeyCreated: (ring, { kid, publicJwk, privateKey }) => ({
      ...ring,
      root: { kid, publicJwk, privateJwk: { ...publicJwk, d: privateKey } },
    }),
    RootKeyAdopted: (ring, { kid, publicJwk }) => ({ ...ring, root: { kid, publicJwk } }),
    ManifestSigned: ({ keys, root }, { manifestId: _id, ...manifest }, at) => ({
      root,
      manifest,
      keys: keys.map((key) =>
        Object.hasOwn(manifest.states, key.kid) ? { ...key, publishedAt: key.publishedAt ?? at.toISOString() } : key,
      ),
    }),
  },
  commands: {
    /** Two processes that start at once bring a key each; the second finds a current one and keeps that. */
    CreateFirstKey: (ring, ask: NewKey) => (currentKey(ring) ? [] : [SigningKeyCreated({ ...ask, state: 'current' })]),
    CreateFirstRoot: ({ root }, ask: DataOf<typeof RootKeyCreated>) => (root ? [] : [RootKeyCreated(ask)]),

    CreateKey: (ring, ask: NewKey) => {
      const waiting = nextKey(ring)
      if (waiting) reject('conflict', `Signing key ${waiting.kid} is the next one already`, 'SIGNING_KEY_NEXT_EXISTS')
      return [SigningKeyCreated({ ...ask, state: 'next' })]
    },

    /** Only what every verifier has been able to learn about signs. */
    PromoteKey: (ring, { kid }: KeyRef, { at }) => {
      const key = requireState(ring, kid, ['next'])
      const knownFrom = knownToVerifiersFrom(key)
      if (knownFrom > at)
        reject(
          'conflict',
          `Verifiers may keep the list of keys for an hour: signing key ${kid} can be promoted from ${knownFrom.toISOString()} on`,
          'SIGNING_KEY_TOO_NEW',
        )
      return [promoted(ring, key)]
    },

    /** A key that never signed goes at once; one that did, when nothing that it signed can still be in use. */
    RetireKey: (ring, { kid, overlapDays }: KeyRef & Overlap, { at }) => {
      const key = requireState(ring, kid, ['next', 'retiring'])
      const from = retirableAt(key, overlapDays)
      if (from && from > at)
        reject(
          'conflict',
          `What signing key ${kid} has signed may be in use until ${from.toISOString()}: it can be retired from then on`,
          'SIGNING_KEY_IN_USE',
        )
      return [SigningKeyRetired(keyIds(key))]
    },

    RetireOverdueKeys: ({ keys }, { overlapDays }: Overlap, { at }) =>
      keys
        .filter((key) => key.state === 'retiring' && retirableAt(key, overlapDays)! <= at)
        .map((key) => SigningKeyRetired(keyIds(key))),

    /** @param ask a fresh key, for when the current one falls and no other was prepared */
    CompromiseKey: (ring, { kid, reason, fresh }: KeyRef & { reason: string; fresh: NewKey }) => {
      const key = keyByKid(ring, kid)
      if (key.state === 'compromised')
        reject('conflict', `Signing key ${kid} is compromised already`, 'SIGNING_KEY_COMPROMISED')
      const fallen = SigningKeyCompromised({ ...keyIds(key), reason })
      if (key.state !== 'current') return [fallen]
      const next = nextKey(ring)
      const { signingKeyId, kid: freshKid } = fresh
      return next
        ? [fallen, SigningKeyPromoted({ ...keyIds(next), retiringKid: null })]
        : [
            fallen,
            SigningKeyCreated({ ...fresh, state: 'next' }),
            SigningKeyPromoted({ signingKeyId, kid: freshKid, retiringKid: null }),
          ]
    },

    AdoptRoot: ({ root }, ask: DataOf<typeof RootKeyAdopted>) => (root?.kid === ask.kid ? [] : [RootKeyAdopted(ask)]),

    /** The caller has verified its signature. Whatever it lists must be what is here, and nothing that signs may be missing. */
    RecordManifest: (ring, ask: DataOf<typeof ManifestSigned>, { at }) => {
      refuseManifest(ring, ask, at)
      return [ManifestSigned(ask)]
    },
  },
})

interface KeyRef {
  readonly kid: string
}

interface Overlap {
  /** The longest that a panel may go on with what it was once given: offline, then in its grace. */
  readonly overlapDays: number
}

export const currentKey = ({ keys }: KeyRing): SigningKey | undefined => keys.find(({ state }) => state === 'current')
const nextKey = ({ keys }: KeyRing): SigningKey | undefined => keys.find(({ state }) => state === 'next')

/** @throws Rejection 404 */
export const keyByKid = ({ keys }: KeyRing, kid: string): SigningKey => found(keys.find((key) => key.kid === kid))

const keyIds = ({ id, kid }: SigningKey) => ({ signingKeyId: id, kid })

function requireState(ring: KeyRing, kid: string, allowed: readonly State[]): SigningKey {
  const key = keyByKid(ring, kid)
  return allowed.includes(key.state)
    ? key
    : reject('conflict', `Signing key ${kid} is ${key.state}`, 'SIGNING_KEY_STATE')
}

function promoted(ring: KeyRing, key: SigningKey) {
  return SigningKeyPromoted({ ...keyIds(key), retiringKid: currentKey(ring)?.kid ?? null })
}

/** From when on every verifier knows it. @throws Rejection 409 while the root key has not vouched for it */
function knownToVerifiersFrom({ kid, publishedAt }: SigningKey): Date {
  return publishedAt === null
    ? reject('conflict', `No manifest lists signing key ${kid} yet: have the root key sign one`, 'SIGNING_KEY_UNLISTED')
    : new Date(Date.parse(publishedAt) + PUBLISHED_SECONDS * 1_000)
}

/** null: it has signed nothing, or signs still. */
export const retirableAt = ({ retiringAt }: Pick<SigningKey, 'retiringAt'>, overlapDays: number): Date | null =>
  retiringAt === null ? null : new Date(Date.parse(retiringAt) + overlapDays * DAY_MS)

/** What a manifest of this moment says: every key that ever signed, but for those whose signatures are worth nothing. */
export const listedKeys = ({ keys }: KeyRing): readonly SigningKey[] =>
  keys.filter(({ state, promotedAt }) => state !== 'compromised' && (state !== 'retired' || promotedAt !== null))

/** Whether the newest manifest says of the keys what is so. */
export function isManifestCurrent(ring: KeyRing): boolean {
  const listed = listedKeys(ring)
  const states = ring.manifest?.states ?? {}
  return (
    ring.manifest?.rootKid === ring.root?.kid &&
    Object.keys(states).length === listed.length &&
    listed.every(({ kid, state }) => states[kid] === state)
  )
}

function refuseManifest(ring: KeyRing, ask: DataOf<typeof ManifestSigned>, at: Date): void {
  const refuse = (message: string) => reject('conflict', message, 'MANIFEST_REFUSED')
  const serial = (ring.manifest?.serial ?? 0) + 1
  if (ask.rootKid !== ring.root?.kid) refuse(`The manifest is signed by ${ask.rootKid}, which is not the root key`)
  if (ask.serial !== serial)
    refuse(`The manifest has serial ${ask.serial}, the next one is ${serial}: ask for it again`)
  if (Date.parse(ask.expiresAt) <= at.getTime()) refuse(`The manifest ended at ${ask.expiresAt}`)
  const listed = listedKeys(ring)
  const isSame =
    Object.keys(ask.states).length === listed.length && listed.every(({ kid, state }) => ask.states[kid] === state)
  if (!isSame) refuse('The keys have changed since the manifest was asked for: ask for it again')
}
