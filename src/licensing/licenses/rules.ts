/**
 * The rules of a single license. Licenses are decided in their subscription's stream, because a
 * subscription has at most one active license.
 */
import type { DataOf } from '#kernel/events/event'
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
import { reject } from '#kernel/lib/rejection'
import {
  graceEnd,
  LicenseEnteredGrace,
  LicenseExpired,
  LicenseExtended,
  LicenseReissued,
  LicenseResigned,
  LicenseResumed,
  LicenseSuspended,
} from './events.ts'
import type { EffectiveStatus, LicenseIssued, LicenseRevoked } from './events.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/**
 * How long the old key of a routine reissue is answered, so that a panel that was off over a
 * weekend gets the new one.
 */
const OLD_KEY_HOURS = 72
const YEARS_MAX = 10

type LicenseIssuedData = DataOf<typeof LicenseIssued>

/** An earlier key of this license; it is accepted for heartbeats only. */
export interface OldKey {
  readonly keyId: string
  readonly k: string
  /** null: refused at once. */
  readonly until: string | null
}

export interface License extends Omit<LicenseIssuedData, 'licenseId' | 'maxActivationsAsked'> {
  readonly id: string
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED'
  /** When the present token was signed, so that every copy of it is the same. */
  readonly signedAt: string
  readonly graceEndsAt: string
  readonly suspendedAt: string | null
  readonly revokedAt: string | null
  readonly reason: string | null
  readonly replacedBy: string | null
  readonly oldKeys: readonly OldKey[]
  /** The last phase of the end that an event has recorded. */
  readonly noted: 'GRACE' | 'EXPIRED' | null
}

/** The state of a newly issued license. */
export function issuedLicense({ licenseId, maxActivationsAsked: _asked, ...issued }: LicenseIssuedData): License {
  const unended = { suspendedAt: null, revokedAt: null, reason: null, replacedBy: null, oldKeys: [], noted: null }
  return {
    ...issued,
    ...unended,
    id: licenseId,
    status: 'ACTIVE',
    signedAt: issued.issuedAt,
    graceEndsAt: graceEnd(issued),
  }
}

type LicenseEvolution<Type> = (license: License, data: DataOf<Type>, at: Date) => License

export interface LicenseEvolutions {
  readonly LicenseSuspended: LicenseEvolution<typeof LicenseSuspended>
  readonly LicenseResumed: LicenseEvolution<typeof LicenseResumed>
  readonly LicenseExtended: LicenseEvolution<typeof LicenseExtended>
  readonly LicenseReissued: LicenseEvolution<typeof LicenseReissued>
  readonly LicenseResigned: LicenseEvolution<typeof LicenseResigned>
  readonly LicenseEnteredGrace: LicenseEvolution<typeof LicenseEnteredGrace>
  readonly LicenseExpired: LicenseEvolution<typeof LicenseExpired>
  readonly LicenseRevoked: LicenseEvolution<typeof LicenseRevoked>
}

const signedAnew = ({ seq, kid }: { seq: number; kid: string }, at: Date) => ({ seq, kid, signedAt: at.toISOString() })

/** After the end moves, it can be recorded again. */
const MOVED = { noted: null }

/** How each event changes its license. */
export const licenseEvolutions: LicenseEvolutions = {
  LicenseSuspended: (license, { reason }, at) => ({
    ...license,
    status: 'SUSPENDED',
    suspendedAt: at.toISOString(),
    reason,
  }),
  LicenseResumed: (license) => ({ ...license, status: 'ACTIVE', suspendedAt: null, reason: null }),
  LicenseExtended: (license, { to, graceEndsAt, ...signed }, at) => ({
    ...license,
    ...signedAnew(signed, at),
    ...MOVED,
    expiresAt: to,
    graceEndsAt,
  }),
  LicenseReissued: (license, { keyId, k, oldKeyId, oldKeyUntil, ...signed }, at) => ({
    ...license,
    ...signedAnew(signed, at),
    keyId,
    k,
    oldKeys: [
      ...(oldKeyUntil === null ? license.oldKeys.map((old) => ({ ...old, until: null })) : license.oldKeys),
      { keyId: oldKeyId, k: license.k, until: oldKeyUntil },
    ],
  }),
  LicenseResigned: (license, { changes, ...signed }, at) => ({
    ...license,
    ...signedAnew(signed, at),
    ...changes,
    ...(changes.graceEndsAt === undefined ? {} : MOVED),
  }),
  LicenseEnteredGrace: (license) => ({ ...license, noted: 'GRACE' }),
  LicenseExpired: (license) => ({ ...license, noted: 'EXPIRED' }),
  LicenseRevoked: (license, { reason, supersededBy = null }, at) => ({
    ...license,
    status: 'REVOKED',
    revokedAt: at.toISOString(),
    reason,
    replacedBy: supersededBy,
  }),
}

export const ACTIVE_LICENSE = { status: ['ACTIVE'] } as const satisfies States<License>
export const SUSPENDED_LICENSE = { status: ['SUSPENDED'] } as const satisfies States<License>
export const UNREVOKED_LICENSE = { status: ['ACTIVE', 'SUSPENDED'] } as const satisfies States<License>
export const LICENSE_IN_EFFECT = { effectiveStatus: ['ACTIVE', 'GRACE'] } as const satisfies States<{
  readonly effectiveStatus: EffectiveStatus
}>

const licenseIds = ({ id, subscriptionId }: License) => ({ licenseId: id, subscriptionId })

function refuseRevoked(license: License): void {
  if (!fits(license, UNREVOKED_LICENSE)) reject('conflict', 'The license is revoked', 'LICENSE_REVOKED')
}

export function suspendLicense(license: License, { reason }: { reason: string }) {
  if (!fits(license, ACTIVE_LICENSE)) reject('conflict', 'The license is not active', 'LICENSE_NOT_ACTIVE')
  return LicenseSuspended({ ...licenseIds(license), reason })
}

export function resumeLicense(license: License) {
  if (!fits(license, SUSPENDED_LICENSE)) reject('conflict', 'The license is not suspended', 'LICENSE_NOT_SUSPENDED')
  return LicenseResumed(licenseIds(license))
}

export interface ExtendLicense {
  /** RFC 3339 with any offset; or `days` after the license's end, or after now if it has ended. */
  readonly expiresAt?: string | undefined
  readonly days?: number | undefined
  readonly kid: string
}

export function extendLicense(license: License, { expiresAt, days = 0, kid }: ExtendLicense, at: Date) {
  refuseRevoked(license)
  const from = Date.parse(license.expiresAt)
  const to = expiresAt === undefined ? Math.max(from, at.getTime()) + days * DAY_MS : Date.parse(expiresAt)
  if (to <= at.getTime()) reject('invalid', 'expiresAt must be in the future', 'DATE_NOT_ACCEPTED')
  if (to <= from) reject('invalid', 'expiresAt must be later than the present end of the license', 'DATE_NOT_ACCEPTED')
  if (to > yearsAfter(at, YEARS_MAX).getTime())
    reject('invalid', `expiresAt must be at most ${YEARS_MAX} years ahead`, 'DATE_NOT_ACCEPTED')
  const end = new Date(to).toISOString()
  return LicenseExtended({
    ...licenseIds(license),
    from: license.expiresAt,
    to: end,
    graceEndsAt: graceEnd({ ...license, expiresAt: end }),
    seq: license.seq + 1,
    kid,
  })
}

export interface ReissueLicense extends Pick<DataOf<typeof LicenseReissued>, 'keyId' | 'k' | 'kid' | 'mode'> {}

export function reissueLicense(license: License, { keyId, k, kid, mode }: ReissueLicense, at: Date) {
  refuseRevoked(license)
  const oldKeyUntil = mode === 'routine' ? new Date(at.getTime() + OLD_KEY_HOURS * HOUR_MS).toISOString() : null
  return LicenseReissued({
    ...licenseIds(license),
    keyId,
    k,
    kid,
    mode,
    oldKeyId: license.keyId,
    oldKeyUntil,
    seq: license.seq + 1,
  })
}

export type LicenseTerms = Omit<DataOf<typeof LicenseResigned>['changes'], 'graceEndsAt'>

export interface ResignLicense extends Pick<DataOf<typeof LicenseResigned>, 'kid' | 'reason'> {
  readonly changes: LicenseTerms
}

export function resignLicense(license: License, { changes, ...ask }: ResignLicense) {
  const isMoved = changes.expiresAt !== undefined || changes.graceDays !== undefined
  const end = isMoved ? { graceEndsAt: graceEnd({ ...license, ...changes }) } : {}
  return LicenseResigned({ ...licenseIds(license), ...ask, changes: { ...changes, ...end }, seq: license.seq + 1 })
}

/** Records what time has done to the license, once. Any later time gives the same result. */
export function noteLicenseEnd(license: License, at: Date) {
  const { status, noted, expiresAt, graceEndsAt } = license
  const isPast = (instant: string): boolean => Date.parse(instant) <= at.getTime()
  if (status === 'REVOKED' || !isPast(expiresAt)) return []
  const entered = LicenseEnteredGrace({ ...licenseIds(license), expiredAt: expiresAt })
  const expired = LicenseExpired({ ...licenseIds(license), expiredAt: graceEndsAt })
  const hasGrace = graceEndsAt !== expiresAt
  return [
    ...(noted === null && hasGrace ? [entered] : []),
    ...(noted !== 'EXPIRED' && isPast(graceEndsAt) ? [expired] : []),
  ]
}

/**
 * The effective status of a license at a given time (licensing.md 2). The read model's SQL computes
 * the same for its rows.
 * @param isHeld whether a paused or unpaid subscription or a suspended customer suspends the
 * license
 */
export function effectiveStatus(
  license: Pick<License, 'status' | 'expiresAt' | 'graceEndsAt'>,
  at: Date,
  isHeld = false,
): EffectiveStatus {
  if (license.status === 'REVOKED') return 'REVOKED'
  if (license.status === 'SUSPENDED' || isHeld) return 'SUSPENDED'
  if (Date.parse(license.graceEndsAt) <= at.getTime()) return 'EXPIRED'
  return Date.parse(license.expiresAt) <= at.getTime() ? 'GRACE' : 'ACTIVE'
}

/** @throws Rejection 409 for a license that is not in effect */
export function requireInEffect(license: License, at: Date, isHeld: boolean): License {
  const status = effectiveStatus(license, at, isHeld)
  return fits({ effectiveStatus: status }, LICENSE_IN_EFFECT)
    ? license
    : reject('conflict', `The license is ${status.toLowerCase()}`, `LICENSE_${status}`)
}

/** The same day and time; 29 February becomes 1 March. */
export function yearsAfter(at: Date, years: number): Date {
  const later = new Date(at)
  later.setUTCFullYear(at.getUTCFullYear() + years)
  return later
}
