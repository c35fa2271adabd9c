import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
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

/** How long verifiers may cache the published keys: not every verifier knows a younger key. */
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
  /** When a manifest first listed the key; null: none does. */
  readonly publishedAt: string | null
  readonly promotedAt: string | null
  readonly retiringAt: string | null
  readonly retiredAt: string | null
  readonly compromisedAt: string | null
  readonly reason: string | null
}

export interface RootKey extends Pick<SigningKeyCreatedData, 'kid' | 'publicJwk'> {
  /** Absent: the private key is kept elsewhere. */
  readonly privateJwk?: SigningKey['privateJwk']
}

export type RecordedManifest = Omit<DataOf<typeof ManifestSigned>, 'manifestId'>

export interface KeyRing {
  /** Oldest first. */
  readonly keys: readonly SigningKey[]
  readonly root: RootKey | undefined
  /** The newest manifest. */
  readonly manifest: RecordedManifest | undefined
}

export const NEXT_KEY = { state: ['next'] } as const satisfies States<SigningKey>
export const RETIRABLE_KEY = { state: ['next', 'retiring'] } as const satisfies States<SigningKey>
export const SOUND_KEY = {
  state: ['next', 'current', 'retiring', 'retired'],
} as const satisfies States<SigningKey>

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

/** The ring with changes to the key of this kid. */
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
    /** Two processes that start at once each offer a key; the second finds a current key and keeps it. */
    CreateFirstKey: (ring, ask: NewKey) => (currentKey(ring) ? [] : [SigningKeyCreated({ ...ask, state: 'current' })]),
    CreateFirstRoot: ({ root }, ask: DataOf<typeof RootKeyCreated>) => (root ? [] : [RootKeyCreated(ask)]),

    CreateKey: (ring, ask: NewKey) => {
      const waiting = nextKey(ring)
      if (waiting)
        reject(
          'conflict',
          `Signing key ${waiting.kid} is already the next one: promote it first`,
          'SIGNING_KEY_NEXT_EXISTS',
        )
      return [SigningKeyCreated({ ...ask, state: 'next' })]
    },

    /** Only a key that every verifier can know may sign. */
    PromoteKey: (ring, { kid }: KeyRef, { at }) => {
      const key = requireState(ring, kid, NEXT_KEY.state)
      const knownFrom = knownToVerifiersFrom(key)
      if (knownFrom > at)
        reject(
          'conflict',
          `Verifiers may cache the list of keys for an hour: signing key ${kid} can be promoted from ${knownFrom.toISOString()} on`,
          'SIGNING_KEY_TOO_NEW',
        )
      return [promoted(ring, key)]
    },

    /**
     * A key that never signed is retired at once; any other when nothing that it signed can still
     * be in use.
     */
    RetireKey: (ring, { kid, overlapDays }: KeyRef & Overlap, { at }) => {
      const key = requireState(ring, kid, RETIRABLE_KEY.state)
      const from = retirableAt(key, overlapDays)
      if (from && from > at)
        reject(
          'conflict',
          `Signatures of signing key ${kid} may be in use until ${from.toISOString()}: it can be retired from then on`,
          'SIGNING_KEY_IN_USE',
        )
      return [SigningKeyRetired(keyIds(key))]
    },

    RetireOverdueKeys: ({ keys }, { overlapDays }: Overlap, { at }) =>
      keys
        .filter((key) => key.state === 'retiring' && retirableAt(key, overlapDays)! <= at)
        .map((key) => SigningKeyRetired(keyIds(key))),

    /** @param ask a new key, used if the current key is compromised and no next key exists */
    CompromiseKey: (ring, { kid, reason, fresh }: KeyRef & { reason: string; fresh: NewKey }) => {
      const key = keyByKid(ring, kid)
      if (!fits(key, SOUND_KEY))
        reject('conflict', `Signing key ${kid} is already compromised`, 'SIGNING_KEY_COMPROMISED')
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

    /**
     * The caller has verified the signature. The manifest must list the present keys, the signing
     * key included.
     */
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
  /** The longest time that a panel may run on an earlier lease: offline, then in grace. */
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

/**
 * The time from which every verifier knows the key.
 * @throws Rejection 409 while no manifest of the root key lists it
 */
function knownToVerifiersFrom({ kid, publishedAt }: SigningKey): Date {
  return publishedAt === null
    ? reject(
        'conflict',
        `No manifest lists signing key ${kid} yet: have the root key sign a manifest`,
        'SIGNING_KEY_UNLISTED',
      )
    : new Date(Date.parse(publishedAt) + PUBLISHED_SECONDS * 1_000)
}

/** null: it has never signed, or it still signs. */
export const retirableAt = ({ retiringAt }: Pick<SigningKey, 'retiringAt'>, overlapDays: number): Date | null =>
  retiringAt === null ? null : new Date(Date.parse(retiringAt) + overlapDays * DAY_MS)

/** The keys of a manifest: all except compromised keys and keys that were withdrawn before they signed. */
export const listedKeys = ({ keys }: KeyRing): readonly SigningKey[] =>
  keys.filter(({ state, promotedAt }) => state !== 'compromised' && (state !== 'retired' || promotedAt !== null))

/** Whether the newest manifest lists the present keys and states. */
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
  if (ask.rootKid !== ring.root?.kid)
    refuse(`The manifest is signed by ${ask.rootKid}, which is not the root key: sign it with the root key`)
  if (ask.serial !== serial)
    refuse(
      `The manifest has serial ${ask.serial}, but the next one is ${serial}: request it again with "daybook root-key request"`,
    )
  if (Date.parse(ask.expiresAt) <= at.getTime())
    refuse(`The manifest expired at ${ask.expiresAt}: request and sign it again`)
  const listed = listedKeys(ring)
  const isSame =
    Object.keys(ask.states).length === listed.length && listed.every(({ kid, state }) => ask.states[kid] === state)
  if (!isSame) refuse('The keys have changed since the manifest was requested: request it again')
}
