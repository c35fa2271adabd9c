/** The reply to every signed request of a panel: the status of its license, signed (licensing.md 6 and 7). */
import { z } from 'zod'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { unixSeconds } from '#kernel/lib/timestamps'
import type { PresentedInstance, PresentedKey } from '#projections/licensing/license-api/presented-key'
import { licenseCallerOf } from '../../access/license-caller.ts'
import type { EffectiveStatus } from '../../licenses/events.ts'
import { LICENSE_AUDIENCE, mintLicenseToken } from '../../licenses/license-token.ts'
import { effectiveStatus } from '../../licenses/rules.ts'
import type { License } from '../../licenses/rules.ts'
import { signingKeyOf } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { unrevokedLicense } from '../../subscriptions/license-rules.ts'
import { isLicenseHeld } from '../../subscriptions/term-rules.ts'
import { nonceHash } from './lease-signer.ts'
import type { LeaseState } from './lease-signer.ts'

const DAY_MS = 86_400_000
const instant = z.iso.datetime()

/** An instance as shown to its own panel: without its description and its flags. */
const OwnInstance = z.object({
  id: z.uuid(),
  licenseId: z.uuid(),
  status: z.enum(['ACTIVE', 'STALE', 'DEACTIVATED']),
  version: z.string(),
  os: z.string(),
  arch: z.string(),
  keyThumbprint: z.string(),
  activatedAt: instant,
  deactivatedAt: instant.nullable(),
  lastHeartbeatAt: instant,
  nextHeartbeatDueAt: instant.nullable(),
})

export const LeaseReply = z
  .object({
    instance: OwnInstance,
    lease: z.string(),
    nextHeartbeatAt: instant,
    /** The newest license key, if the panel has an older one. */
    licenseKey: z.string().nullable(),
    serverTime: instant,
  })
  .meta({ id: 'LeaseReply' })

/** The fields of a lease that come from its license. */
export type LeaseTerms = Pick<
  License,
  'seq' | 'expiresAt' | 'graceEndsAt' | 'offlineDays' | 'heartbeatSeconds' | 'features'
>

export interface LeaseVerdict {
  readonly state: LeaseState
  readonly reason: string | null
}

/** REVOKED > EXPIRED > DEACTIVATED > SUPERSEDED > the other effective statuses. */
export function leaseVerdictOf(
  presented: PresentedKey,
  { status }: Pick<PresentedInstance, 'status'>,
  now: Date,
): LeaseVerdict {
  const { license, subscription, customerStatus } = presented
  const isReplaced = license.status === 'REVOKED' && license.replacedBy !== null && subscription.licenseId !== null
  if (license.status === 'REVOKED' && !isReplaced) return { state: 'REVOKED', reason: license.reason }
  const holder = holdReasonOf(subscription.status, customerStatus)
  const effective = effectiveStatus(license, now, holder !== null)
  if (effective === 'EXPIRED') return { state: 'EXPIRED', reason: null }
  if (status === 'DEACTIVATED') return { state: 'DEACTIVATED', reason: 'the instance holds no activation slot' }
  if (isReplaced) return { state: 'SUPERSEDED', reason: 'the license was replaced' }
  if (!presented.isCurrent) return { state: 'SUPERSEDED', reason: 'the key was replaced' }
  if (effective === 'SUSPENDED') return { state: 'SUSPENDED', reason: license.reason ?? holder }
  return { state: effective === 'ACTIVE' ? 'OK' : effective, reason: null }
}

/** A reason outside the license that suspends it. */
export function holdReasonOf(
  status: PresentedKey['subscription']['status'],
  customerStatus: string | null,
): string | null {
  if (isLicenseHeld({ status })) return `the subscription is ${status.toLowerCase()}`
  return customerStatus === 'SUSPENDED' ? 'the customer is suspended' : null
}

/** @throws Rejection 403 for a license that is not in effect */
export function refuseUnusable(status: EffectiveStatus): void {
  if (status === 'REVOKED' || status === 'SUSPENDED')
    reject('forbidden', `The license is ${status.toLowerCase()}`, `LICENSE_${status}`)
  if (status === 'EXPIRED') reject('forbidden', 'The license has expired', 'LICENSE_EXPIRED')
}

/** Warnings shown in the panel. */
const warnings = ({ subscription }: PresentedKey): string[] =>
  subscription.status === 'PAST_DUE' ? ['PAYMENT_PAST_DUE'] : []

export interface LeaseAnswer extends LeaseVerdict {
  readonly leaseId: string
  readonly prevLease: string | null
  readonly instance: Omit<PresentedInstance, 'publicKey' | 'cloneSuspected'>
  readonly licenseId: string
  readonly terms: LeaseTerms
  readonly licenseKey: string | null
}

const USABLE_STATES: readonly LeaseState[] = ['OK', 'GRACE', 'SUPERSEDED']

/** @returns the body of the reply; its lease is bound to this request, and no other party can create it */
export async function replyWithLease(
  call: Pick<HandlerContext, 'caller' | 'now' | 'baseUrl'>,
  answer: LeaseAnswer,
): Promise<z.input<typeof LeaseReply>> {
  const { presented, nonce, leases } = licenseCallerOf(call)
  const { instance, terms, state } = answer
  const nowMs = call.now.getTime()
  const nextMs = nowMs + terms.heartbeatSeconds * 1000
  const offlineMs = nowMs + terms.offlineDays * DAY_MS
  const lease = await leases.sign({
    iss: call.baseUrl,
    aud: LICENSE_AUDIENCE,
    ver: 1,
    sub: instance.id,
    jti: answer.leaseId,
    lic: presented.keyId,
    fph: instance.fingerprintHash,
    st: state,
    rsn: answer.reason,
    seq: terms.seq,
    iat: unixSeconds(nowMs),
    exp: unixSeconds(USABLE_STATES.includes(state) ? Math.min(offlineMs, Date.parse(terms.graceEndsAt)) : offlineMs),
    nhb: unixSeconds(nextMs),
    ft: terms.features,
    warn: warnings(presented),
    req: nonceHash(nonce),
    prev: answer.prevLease,
    cnf: { jkt: instance.keyThumbprint },
  })
  const nextHeartbeatAt = new Date(nextMs).toISOString()
  const { id, status, version, os, arch, keyThumbprint, activatedAt, deactivatedAt } = instance
  const own = { id, licenseId: answer.licenseId, status, version, os, arch, keyThumbprint, activatedAt, deactivatedAt }
  const serverTime = call.now.toISOString()
  return {
    instance: {
      ...own,
      lastHeartbeatAt: serverTime,
      nextHeartbeatDueAt: status === 'DEACTIVATED' ? null : nextHeartbeatAt,
    },
    lease,
    nextHeartbeatAt,
    licenseKey: answer.licenseKey,
    serverTime,
  }
}

/**
 * The license in force with its key.
 * @returns undefined if there is none
 */
export async function newestLicenseKey(
  run: HandlerContext['run'],
  subscriptionId: string,
): Promise<{ license: License; licenseKey: string } | undefined> {
  const found = await run(async (unit) => {
    const subscription = await unit.look(subscriptions, subscriptionId)
    const license = subscription && unrevokedLicense(subscription)
    return license && { license, signedWith: await signingKeyOf(unit, license) }
  })
  return found && { license: found.license, licenseKey: mintLicenseToken(found.license, found.signedWith) }
}

/** The lease's fields from the license of a presented key. */
export const leaseTermsOf = ({ license, offlineDays, heartbeatSeconds, features }: PresentedKey): LeaseTerms => ({
  ...license,
  offlineDays,
  heartbeatSeconds,
  features,
})
