/** Creates the keys that sign licenses, reads them, and has the root key certify them. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { newEd25519, privateKeyOf, toPublishedJwk, signJws, thumbprint } from '#kernel/credentials/jws'
import type { Ed25519Jwk, Ed25519PrivateJwk } from '#kernel/credentials/jws'
import type { HandlerContext } from '#kernel/http/route'
import { unixSeconds } from '#kernel/lib/timestamps'
import { MANIFEST_TYPE } from '../../license-client/manifest.ts'
import type { Manifest } from '../../license-client/manifest.ts'
import { currentKey, isManifestCurrent, listedKeys, signingKeys } from './decider.ts'
import type { KeyRing, SigningKey } from './decider.ts'

/** The actor of anonymous reads; it records nothing. */
const PUBLIC_ACTOR = { type: 'SYSTEM', id: 'public' }
const DAY_SECONDS = 86_400
/** Validity of a manifest that the installation signs itself; renewed after half of it. */
export const MANIFEST_DAYS = 90

/**
 * Creates the first signing key and the root key unless they exist. Processes that start at once
 * still create only one of each.
 */
export async function ensureSigningKey(run: HandlerContext['run']): Promise<void> {
  await run(async (unit) => {
    const ring = await unit.load(signingKeys)
    if (currentKey(ring) && ring.root) return
    await unit.decide(signingKeys, undefined, 'CreateFirstKey', newSigningKey(unit))
    const { signingKeyId: rootKeyId, ...root } = newSigningKey(unit)
    await unit.decide(signingKeys, undefined, 'CreateFirstRoot', { rootKeyId, ...root })
    await signManifest(unit)
  })
}

/** The key that new licenses are signed with. @throws Error before ensureSigningKey */
export async function currentSigningKey(unit: UnitOfWork): Promise<SigningKey> {
  const current = currentKey(await unit.look(signingKeys))
  if (!current) throw new Error('There is no signing key yet: start the service once')
  return current
}

/** The key that a license was signed with, current or not. */
export async function signingKeyOf(unit: UnitOfWork, { kid }: { readonly kid: string }): Promise<SigningKey> {
  const known = (await unit.look(signingKeys)).keys.find((key) => key.kid === kid)
  if (!known) throw new Error(`There is no signing key ${kid}`)
  return known
}

/**
 * Keys for verifiers (RFC 8037, 2), with the newest manifest. Read from the stream, so that no
 * license is issued before its key is visible.
 */
export const publishedKeys = (run: HandlerContext['run']) =>
  run(async (unit) => {
    const ring = await unit.look(signingKeys)
    const keys = listedKeys(ring).map(({ publicJwk, kid }) => toPublishedJwk(publicJwk, kid))
    return { keys, manifest: ring.manifest?.jws ?? null }
  }, PUBLIC_ACTOR)

/** For statements that anonymous callers may request. */
export const publicSigningKey = (run: HandlerContext['run']): Promise<SigningKey> =>
  run(currentSigningKey, PUBLIC_ACTOR)

/**
 * The public half of the root key.
 * @throws Error before ensureSigningKey
 */
export async function rootKey(run: HandlerContext['run']): Promise<Ed25519Jwk> {
  const { root } = await run((unit) => unit.look(signingKeys), PUBLIC_ACTOR)
  if (!root) throw new Error('There is no root key yet')
  return root.publicJwk
}

/** The parts of a new key. */
export function newSigningKey(unit: Pick<UnitOfWork, 'newId'>) {
  const { d: privateKey, ...publicJwk } = newEd25519()
  return { signingKeyId: unit.newId(), kid: thumbprint(publicJwk), publicJwk, privateKey }
}

/** Signs a manifest of the present keys, unless the root key is kept elsewhere: then its keeper signs. */
export async function signManifest(unit: UnitOfWork): Promise<void> {
  const ring = await unit.load(signingKeys)
  const { root } = ring
  if (!root?.privateJwk) return
  const manifest = manifestOf(ring, unit.at, MANIFEST_DAYS)
  await recordManifest(unit, { manifest, jws: manifestJws(manifest, root.privateJwk), rootKid: root.kid })
}

/** Signs a manifest if the newest one is outdated or past half of its validity. */
export async function renewManifest(unit: UnitOfWork): Promise<void> {
  const ring = await unit.look(signingKeys)
  const { manifest } = ring
  const halfMs = manifest ? (Date.parse(manifest.issuedAt) + Date.parse(manifest.expiresAt)) / 2 : 0
  if (!isManifestCurrent(ring) || halfMs <= unit.at.getTime()) await signManifest(unit)
}

/** The content that the root key signs. */
export const manifestOf = (ring: KeyRing, at: Date, days: number): Manifest => ({
  keys: listedKeys(ring).map(({ kid, publicJwk: jwk, createdAt, retiredAt, state }) => ({
    kid,
    jwk,
    nbf: unixSeconds(createdAt),
    exp: retiredAt === null ? null : unixSeconds(retiredAt),
    state: state as Exclude<SigningKey['state'], 'compromised'>,
  })),
  serial: (ring.manifest?.serial ?? 0) + 1,
  iat: unixSeconds(at),
  exp: unixSeconds(at) + days * DAY_SECONDS,
})

export const manifestJws = (manifest: Manifest, root: Ed25519PrivateJwk): string =>
  signJws(manifest, { typ: MANIFEST_TYPE, kid: thumbprint(root), key: privateKeyOf(root) })

export interface SignedManifest {
  readonly manifest: Manifest
  readonly jws: string
  readonly rootKid: string
}

/** @throws Rejection 409 for a manifest of other keys, or with a wrong serial */
export async function recordManifest(unit: UnitOfWork, { manifest, jws, rootKid }: SignedManifest): Promise<void> {
  await unit.decide(signingKeys, undefined, 'RecordManifest', {
    manifestId: unit.newId(),
    serial: manifest.serial,
    rootKid,
    issuedAt: instant(manifest.iat),
    expiresAt: instant(manifest.exp),
    states: Object.fromEntries(manifest.keys.map(({ kid, state }) => [kid, state])),
    jws,
  })
}
const instant = (seconds: number): string => new Date(seconds * 1_000).toISOString()
