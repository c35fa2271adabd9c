/**
 * Evaluates a response of the licensing service. Pure functions. A response counts only if it proves
 * that the service has issued it for this request of this instance. Any other response, whatever its
 * status, changes only the count of failures.
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import { thumbprint } from '#kernel/credentials/jws'
import { secretOf } from './license-api.ts'
import { verifiedManifest } from './manifest.ts'
import type { Manifest, TrustedRoot } from './manifest.ts'
import { noLicense } from './memory.ts'
import type { Memory } from './memory.ts'
import { correctedTime, isNegative, verifyMemory, latestSignedTime } from './status.ts'
import { namesUnknownKey, verifiedLease, verifiedLicense } from './tokens.ts'
import type { LeaseClaims } from './tokens.ts'

/** The maximum by which a statement may be dated ahead of this panel's corrected clock. */
const AHEAD_SECONDS = 300

const LicenseApiAnswer = z.object({
  lease: z.string(),
  /** A new license key, if there is one. */
  licenseKey: z.string().nullish(),
  instance: z.object({ id: z.string() }).nullish(),
})

export interface SentRequest {
  /** The nonce of the request. */
  readonly nonce: string
  /** The key that signed the request; a panel that follows a new key has not adopted it yet. */
  readonly licenseKey: string
  /** The correction of this host's clock when the request was signed. */
  readonly offset: number
  /** An activation names no instance; its response does. */
  readonly isActivation?: boolean
  /** An activation that is also signed by the instance's own key. */
  readonly isOwn?: boolean
}

export type AnswerOutcome =
  /** `isPartial`: the new license key is signed with a key that only a newer manifest may list. */
  | { readonly outcome: 'GOOD'; readonly memory: Memory; readonly lease: LeaseClaims; readonly isPartial: boolean }
  /** Valid, but the license key that belongs to the lease is missing: ask again soon. */
  | { readonly outcome: 'INCOMPLETE' }
  /** Signed with a key that only a newer manifest may list. */
  | { readonly outcome: 'UNKNOWN_KEY' }
  /** Another license key has replaced this one: ask again with it. */
  | { readonly outcome: 'FOLLOW'; readonly licenseKey: string }
  | { readonly outcome: 'BAD' }

export const hashOfNonce = (nonce: string): string => hash('sha256', nonce, 'base64url')

const BAD: AnswerOutcome = { outcome: 'BAD' }

/**
 * @param now Unix seconds by this host's clock
 * @param fetched a manifest that the service has just returned
 */
export function judgeAnswer(
  memory: Memory,
  body: unknown,
  asked: SentRequest,
  { root, now, fetched }: { readonly root: TrustedRoot; readonly now: number; readonly fetched?: unknown },
): AnswerOutcome {
  const answer = LicenseApiAnswer.safeParse(body).data
  const at = now + asked.offset
  // The offset comes from an unsigned header. It must not extend the validity of a list of keys.
  const trusted = trustedManifest(memory, root, Math.max(at, correctedTime(memory, now)), fetched)
  if (!answer || !trusted || trusted.hasEnded) return BAD
  const { manifest } = trusted
  if (namesUnknownKey(manifest, answer.lease)) return { outcome: 'UNKNOWN_KEY' }
  const instanceId = asked.isActivation ? answer.instance?.id : memory.instanceId
  const lease = verifiedLease(manifest, answer.lease)
  if (!lease || instanceId == null || !isLeaseForRequest(memory, lease, { ...asked, instanceId, at })) return BAD
  const licenseKey = laterLicenseKey(manifest, asked.licenseKey, answer.licenseKey)
  const isPartial = answer.licenseKey != null && namesUnknownKey(manifest, answer.licenseKey)
  if (lease.st === 'SUPERSEDED') {
    if (licenseKey !== undefined && licenseKey !== asked.licenseKey) return { outcome: 'FOLLOW', licenseKey }
    return isPartial ? { outcome: 'UNKNOWN_KEY' } : { outcome: 'INCOMPLETE' }
  }
  const next: Memory = {
    ...memory,
    licenseKey: isLeaseOf(lease, manifest, licenseKey) ? licenseKey : asked.licenseKey,
    instanceId,
    lease: answer.lease,
    fileLease: instanceId === memory.instanceId ? memory.fileLease : null,
    manifest: trusted.jws,
    manifestSerial: manifest.serial,
    highWater: lease.iat,
    clockOffset: lease.iat - now,
    tamperedSince: null,
    lastHeartbeat: { at: now, ok: true },
    lastGoodAt: now,
    failures: 0,
    refusal: null,
  }
  const isWhole = isNegative(lease) || verifyMemory(next, root).license?.jti === lease.lic
  return isWhole ? { outcome: 'GOOD', memory: next, lease, isPartial } : { outcome: 'INCOMPLETE' }
}

/** Changes only the record of failures. */
export const withFailure = (memory: Memory, now: number): Memory => ({
  ...memory,
  lastHeartbeat: { at: now, ok: false },
  failures: memory.failures + 1,
})

/** The state before there was a license; what protects against a rollback is kept. */
export const withoutLicense = (memory: Memory): Memory => ({ ...memory, ...noLicense })

interface TrustedManifest {
  readonly jws: string
  readonly manifest: Manifest
  readonly hasEnded: boolean
}

/** The fetched manifest if it is newer and valid, otherwise the known one. An older one is never accepted. */
export function trustedManifest(
  memory: Memory,
  root: TrustedRoot,
  at: number,
  fetched?: unknown,
): TrustedManifest | undefined {
  const manifest = verifiedManifest(fetched, root)
  const known = verifyMemory(memory, root)
  const hasEnded = ({ exp }: Manifest) => exp <= Math.max(at, latestSignedTime(known))
  const isTaken =
    manifest !== undefined &&
    manifest.serial >= memory.manifestSerial &&
    manifest.iat <= at + AHEAD_SECONDS &&
    !hasEnded(manifest)
  if (isTaken) return { jws: fetched as string, manifest, hasEnded: false }
  return known.manifest && known.manifest.serial >= memory.manifestSerial
    ? { jws: memory.manifest!, manifest: known.manifest, hasEnded: hasEnded(known.manifest) }
    : undefined
}

/**
 * Adopts a newer manifest if it still verifies everything that the old one verified; otherwise the next
 * heartbeat brings replacements.
 */
export function withManifest(memory: Memory, root: TrustedRoot, now: number, fetched: unknown): Memory {
  const trusted = trustedManifest(memory, root, correctedTime(memory, now), fetched)
  if (!trusted) return memory
  const next = { ...memory, manifest: trusted.jws, manifestSerial: trusted.manifest.serial }
  const before = verifyMemory(memory, root)
  const after = verifyMemory(next, root)
  const keeps = (['license', 'lease', 'fileLease'] as const).every((each) => !before[each] || after[each])
  return keeps ? next : memory
}

function isLeaseForRequest(
  { instanceKey }: Memory,
  lease: LeaseClaims,
  { nonce, licenseKey, instanceId, at }: SentRequest & { readonly instanceId: string; readonly at: number },
): boolean {
  return (
    lease.req === hashOfNonce(nonce) &&
    lease.lic === secretOf(licenseKey).keyId &&
    lease.sub === instanceId &&
    lease.cnf.jkt === thumbprint(instanceKey) &&
    lease.iat <= at + AHEAD_SECONDS
  )
}

/**
 * The license key in a response is not signed for this request: it is accepted only if the lease
 * belongs to it.
 */
const isLeaseOf = ({ lic }: LeaseClaims, manifest: Manifest, licenseKey: string | undefined): licenseKey is string =>
  licenseKey !== undefined && verifiedLicense(manifest, licenseKey)?.jti === lic

/** @returns undefined if there is none, or if it is not newer */
function laterLicenseKey(manifest: Manifest, present: string, offered: string | null | undefined): string | undefined {
  if (offered == null) return undefined
  const next = verifiedLicense(manifest, offered)
  const now = verifiedLicense(manifest, present)
  if (!next) return undefined
  return now?.sub === next.sub && next.seq < now.seq ? undefined : offered
}
