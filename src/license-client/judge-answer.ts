/**
 * What a panel makes of an answer. Pure. An answer counts only when it proves that the service has given it to this very request of
 * this very instance; anything else, whoever sent it and whatever its status, changes nothing but the count of failures.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { thumbprint } from '#kernel/credentials/jws'
import { secretOf } from './license-api.ts'
import { noLicense } from './memory.ts'
import type { Memory } from './memory.ts'
import { verifiedManifest } from './manifest.ts'
import type { Manifest, TrustedRoot } from './manifest.ts'
import { correctedTime, isNegative, verifyMemory, latestSignedTime } from './status.ts'
import { namesUnknownKey, verifiedLease, verifiedLicense } from './tokens.ts'
import type { LeaseClaims } from './tokens.ts'

/** How far ahead of this panel's corrected clock a statement may be dated. */
const AHEAD_SECONDS = 300

const LicenseApiAnswer = z.object({
  lease: z.string(),
  /** A new one, where there is one to be had. */
  licenseKey: z.string().nullish(),
  instance: z.object({ id: z.string() }).nullish(),
})

export interface SentRequest {
  /** Of the request that is answered. */
  readonly nonce: string
  /** The key that signed it; a panel that follows a new key has not adopted it yet. */
  readonly licenseKey: string
  /** What was added to this host's clock when it was signed. */
  readonly offset: number
  /** Activation names no instance: the answer does. */
  readonly isActivation?: boolean
  /** An activation that is signed by the instance's own key as well. */
  readonly isOwn?: boolean
}

export type AnswerOutcome =
  /** `isPartial`: the license key that came along is signed with a key that a newer manifest may list. */
  | { readonly outcome: 'GOOD'; readonly memory: Memory; readonly lease: LeaseClaims; readonly isPartial: boolean }
  /** Good as far as it goes, but the license key that belongs to it is missing: ask again soon. */
  | { readonly outcome: 'INCOMPLETE' }
  /** Signed with a key that a newer manifest may list. */
  | { readonly outcome: 'UNKNOWN_KEY' }
  /** Another key has taken this one's place: ask again with it. */
  | { readonly outcome: 'FOLLOW'; readonly licenseKey: string }
  | { readonly outcome: 'BAD' }

export const hashOfNonce = (nonce: string): string => createHash('sha256').update(nonce).digest('base64url')

const BAD: AnswerOutcome = { outcome: 'BAD' }

/** @param now Unix seconds by this host's clock. @param fetched a manifest that the service has just answered */
export function judgeAnswer(
  memory: Memory,
  body: unknown,
  asked: SentRequest,
  { root, now, fetched }: { readonly root: TrustedRoot; readonly now: number; readonly fetched?: unknown },
): AnswerOutcome {
  const answer = LicenseApiAnswer.safeParse(body).data
  const at = now + asked.offset
  // The offset may be a stranger's: he must not put off the end of a list of keys with it.
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

/** A failure is remembered, and nothing else. */
export const withFailure = (memory: Memory, now: number): Memory => ({
  ...memory,
  lastHeartbeat: { at: now, ok: false },
  failures: memory.failures + 1,
})

/** As it was before there was a license; what guards against the past coming back stays. */
export const withoutLicense = (memory: Memory): Memory => ({ ...memory, ...noLicense })

interface TrustedManifest {
  readonly jws: string
  readonly manifest: Manifest
  readonly hasEnded: boolean
}

/** The fetched one where it is newer and in effect, else the one that is known. One of the past is never taken. */
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

/** With a newer manifest, if whatever was proven with the old one still is; otherwise the next heartbeat brings what replaces it. */
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

/** A license key rides along unsigned: what is taken is the one that the lease is about. */
const isLeaseOf = ({ lic }: LeaseClaims, manifest: Manifest, licenseKey: string | undefined): licenseKey is string =>
  licenseKey !== undefined && verifiedLicense(manifest, licenseKey)?.jti === lic

/** @returns undefined for none, or one that is not a later one */
function laterLicenseKey(manifest: Manifest, present: string, offered: string | null | undefined): string | undefined {
  if (offered == null) return undefined
  const next = verifiedLicense(manifest, offered)
  const now = verifiedLicense(manifest, present)
  if (!next) return undefined
  return now?.sub === next.sub && next.seq < now.seq ? undefined : offered
}
