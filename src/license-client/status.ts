/**
 * What a panel may do, from its memory and the time (licensing.md 9). Pure functions. Statements
 * without a signature that the root key vouches for are ignored.
 *
 * FREE: no key, or none that was ever activated; the limits of the free tier apply.
 * ACTIVE: everything that is licensed.
 * OFFLINE: the same, but the last heartbeat failed, which an administrator should see.
 * GRACE: the same, but it ends unless the license is renewed or the panel can reach the service.
 * DEGRADED: nothing new that is paid for; existing work, logins, backups, exports and the license page
 * continue.
 * TAMPERED: as GRACE, for 72 hours: the clock was set back, or the memory is older than an earlier one.
 */
import type { Manifest, TrustedRoot } from './manifest.ts'
import { verifiedManifest } from './manifest.ts'
import type { Memory } from './memory.ts'
import { verifiedLease, verifiedLicense } from './tokens.ts'
import type { LeaseClaims, LicenseClaims } from './tokens.ts'

export const PANEL_STATES = ['FREE', 'ACTIVE', 'OFFLINE', 'GRACE', 'DEGRADED', 'TAMPERED'] as const
export type PanelState = (typeof PANEL_STATES)[number]

const HOUR = 3_600
/** Clocks are sometimes set back manually, or by a wrong change of the time zone. */
const SET_BACK_SECONDS = 24 * HOUR
const TAMPERED_SECONDS = 72 * HOUR

export interface PanelLicenseStatus {
  readonly state: PanelState
  /** Why the state is not ACTIVE; a code for troubleshooting, not a sentence. */
  readonly reason: string | null
  /** Unix seconds: when GRACE, OFFLINE or TAMPERED turns into a worse state; null if no change is due. */
  readonly until: number | null
  readonly license: LicenseClaims | undefined
  /** The decisive lease. */
  readonly lease: LeaseClaims | undefined
  readonly source: 'ONLINE' | 'FILE' | null
}

/** The signed parts of a memory. */
export interface VerifiedMemory {
  readonly manifest: Manifest | undefined
  readonly license: LicenseClaims | undefined
  readonly lease: LeaseClaims | undefined
  readonly fileLease: LeaseClaims | undefined
}

export function verifyMemory(memory: Memory, root: TrustedRoot): VerifiedMemory {
  const manifest = verifiedManifest(memory.manifest, root)
  if (!manifest) return { manifest, license: undefined, lease: undefined, fileLease: undefined }
  const license = verifiedLicense(manifest, memory.licenseKey)
  const own = (token: string | null) => {
    const lease = token === null ? undefined : verifiedLease(manifest, token)
    return lease && lease.sub === memory.instanceId ? lease : undefined
  }
  return { manifest, license, lease: own(memory.lease), fileLease: own(memory.fileLease) }
}

/**
 * The latest signed time. It has passed, whatever a clock that was set back or an unsigned `Date`
 * header says.
 */
export const latestSignedTime = ({ manifest, lease, fileLease }: VerifiedMemory): number =>
  Math.max(manifest?.iat ?? 0, lease?.iat ?? 0, fileLease?.iat ?? 0)

/** This host's time, corrected to the service's clock. */
export const correctedTime = ({ clockOffset }: Memory, now: number): number => now + clockOffset

/** Whether the clock was set back, or an older memory was restored. */
export const isTampered = (memory: Memory, { manifest }: VerifiedMemory, now: number): boolean =>
  correctedTime(memory, now) < memory.highWater - SET_BACK_SECONDS ||
  (manifest !== undefined && manifest.serial < memory.manifestSerial)

/** @param now Unix seconds by this host's clock */
export function licenseStatus(memory: Memory, root: TrustedRoot, now: number): PanelLicenseStatus {
  return judgeStatus(memory, verifyMemory(memory, root), now)
}

export function judgeStatus(memory: Memory, known: VerifiedMemory, now: number): PanelLicenseStatus {
  const { license } = known
  const { lease, source } = decisiveLease(known)
  const about = { license, lease, source }
  if (memory.licenseKey === null) return { ...about, state: 'FREE', reason: 'NO_KEY', until: null }
  if (memory.lease === null && memory.fileLease === null)
    return { ...about, state: 'FREE', reason: 'NOT_ACTIVATED', until: null }
  if (!license || !lease) return { ...about, state: 'DEGRADED', reason: 'UNPROVEN', until: null }
  // Setting the clock back by less than the tolerance gains nothing.
  const at = Math.max(correctedTime(memory, now), memory.highWater)
  const standing = verdictOf(license, lease, at, memory.lastHeartbeat?.ok === false)
  const since = memory.tamperedSince ?? (isTampered(memory, known, now) ? now : null)
  return { ...about, ...(since === null ? standing : tamperedVerdict(standing, since, now)) }
}

type Verdict = Pick<PanelLicenseStatus, 'state' | 'reason' | 'until'>

const NEGATIVE: readonly LeaseClaims['st'][] = ['EXPIRED', 'SUSPENDED', 'REVOKED', 'SUPERSEDED', 'DEACTIVATED']
export const isNegative = ({ st }: LeaseClaims): boolean => NEGATIVE.includes(st)

/**
 * A negative lease overrides every older one. Of two positive leases, the content of the later one
 * applies, with the longer validity of the two.
 */
function decisiveLease({ lease, fileLease }: VerifiedMemory): Pick<PanelLicenseStatus, 'lease' | 'source'> {
  if (!lease || !fileLease) return lease ? online(lease) : fromFile(fileLease)
  const latest = lease.iat >= fileLease.iat ? lease : fileLease
  if (isNegative(lease) || isNegative(fileLease)) return latest === lease ? online(lease) : fromFile(fileLease)
  const longest = lease.exp >= fileLease.exp ? online : fromFile
  return longest({ ...latest, exp: Math.max(lease.exp, fileLease.exp) })
}

const online = (lease: LeaseClaims) => ({ lease, source: 'ONLINE' as const })
const fromFile = (lease: LeaseClaims | undefined) =>
  lease ? { lease, source: 'FILE' as const } : { lease, source: null }

function verdictOf(license: LicenseClaims, lease: LeaseClaims, at: number, isOffline: boolean): Verdict {
  if (isNegative(lease)) return { state: 'DEGRADED', reason: lease.st, until: null }
  const graceEnds = Math.min(license.exp, lease.exp) + license.grc
  const isOver = at >= license.exp || lease.st === 'GRACE'
  if (isOver || at >= lease.exp) {
    const reason = isOver ? 'LICENSE_EXPIRED' : 'LEASE_EXPIRED'
    return at >= graceEnds ? { state: 'DEGRADED', reason, until: null } : { state: 'GRACE', reason, until: graceEnds }
  }
  return isOffline
    ? { state: 'OFFLINE', reason: 'UNREACHABLE', until: lease.exp }
    : { state: 'ACTIVE', reason: null, until: null }
}

/**
 * Never better than without tampering. Setting the clock back again would restart the 72 hours, so both
 * directions count.
 */
function tamperedVerdict(standing: Verdict, since: number, now: number): Verdict {
  if (standing.state === 'DEGRADED') return standing
  if (Math.abs(now - since) >= TAMPERED_SECONDS) return { state: 'DEGRADED', reason: 'TAMPERED', until: null }
  const graceEnds = standing.state === 'GRACE' ? standing.until! : Infinity
  return { state: 'TAMPERED', reason: 'TAMPERED', until: Math.min(since + TAMPERED_SECONDS, graceEnds) }
}

/** The features in effect at `now`. */
export function featuresAt(
  { license, lease, state }: PanelLicenseStatus,
  now: number,
): Record<string, boolean | number | string> {
  if (state === 'FREE' || !license || !lease) return {}
  const inEffect = Object.entries(lease.ft).flatMap(([key, given]) => {
    const [value, from, to] = Array.isArray(given) ? given : [given, null, null]
    return (from === null || now >= from) && (to === null || now < to) ? [[key, value] as const] : []
  })
  return Object.fromEntries(inEffect)
}
