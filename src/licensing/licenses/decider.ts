/** What a license is. It is decided about in its subscription's stream, because a subscription has at most one that is active. */
import type { DataOf } from '#kernel/event'
import { graceEnd } from './events.ts'
import type { EffectiveStatus, LicenseIssued } from './events.ts'

type Issued = DataOf<typeof LicenseIssued>

export interface License extends Omit<Issued, 'licenseId' | 'maxActivationsAsked'> {
  readonly id: string
  readonly status: 'ACTIVE' | 'REVOKED'
  readonly graceEndsAt: string
  readonly revokedAt: string | null
  readonly reason: string | null
  readonly replacedBy: string | null
}

/** As it is the moment it was issued. */
export function licenseOf({ licenseId, maxActivationsAsked: _asked, ...issued }: Issued): License {
  const unended = { status: 'ACTIVE' as const, revokedAt: null, reason: null, replacedBy: null }
  return { ...issued, ...unended, id: licenseId, graceEndsAt: graceEnd(issued) }
}

/** What is left of a license at a moment (licensing.md 2). The read model's SQL says the same of its rows. */
export function effectiveStatus(
  license: Pick<License, 'status' | 'expiresAt' | 'graceEndsAt'>,
  at: Date,
): EffectiveStatus {
  if (license.status === 'REVOKED') return 'REVOKED'
  if (Date.parse(license.graceEndsAt) <= at.getTime()) return 'EXPIRED'
  return Date.parse(license.expiresAt) <= at.getTime() ? 'GRACE' : 'ACTIVE'
}
