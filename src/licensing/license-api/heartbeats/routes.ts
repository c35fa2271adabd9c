import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import type { PresentedInstance, PresentedKey } from '#projections/licensing/license-api/presented-key'
import { licenseSigned } from '../../access/access.ts'
import { licenseCallerOf, refuseSignature } from '../../access/license-caller.ts'
import { licenseSlots } from '../../instances/decider.ts'
import { fingerprintHash, newLeaseId } from '../../workflows/leases/lease-signer.ts'
import {
  LeaseReply,
  replyWithLease,
  newestLicenseKey,
  leaseTermsOf,
  leaseVerdictOf,
} from '../../workflows/leases/reply.ts'
import type { LeaseVerdict } from '../../workflows/leases/reply.ts'
import { Fingerprint, version } from '../views.ts'

const count = z.int().min(0).max(1_000_000_000)

const Heartbeat = z.strictObject({
  instanceId: uuid,
  fingerprint: Fingerprint,
  version,
  /** `seq` of the license key that the panel has. */
  seqSeen: z.int().min(0),
  /**
   * `jti` of the panel's lease; null if the panel does not know its last lease. Frequent nulls
   * raise a flag.
   */
  prevLease: z.string().min(1).max(64).nullable().default(null),
  usage: z.strictObject({ users: count, servers: count, apps: count }).partial().optional(),
})

type HeartbeatBody = z.output<typeof Heartbeat>

/** States in which the panel can use a newer license key. */
const KEY_GIVING_STATES: readonly LeaseVerdict['state'][] = ['OK', 'GRACE', 'EXPIRED', 'SUSPENDED', 'SUPERSEDED']

export const heartbeatRoutes = [
  route('POST /api/v1/license/heartbeat', {
    does: 'Report a running panel and get its license status. Always 200 with a signed lease, so that a proxy cannot forge it.',
    access: licenseSigned,
    body: Heartbeat,
    reply: LeaseReply,
    async handle(call) {
      const { presented, instance: signedBy, heartbeats } = licenseCallerOf(call)
      const { body, now } = call
      if (signedBy?.id !== body.instanceId) return refuseSignature('the signature of the instance is missing')
      const leaseId = newLeaseId()
      const { instanceId, prevLease, usage = null } = body
      const seconds = presented.heartbeatSeconds
      const forked = await heartbeats.record({ instanceId, lease: leaseId, prevLease, usage, now, seconds })
      const instance = await recordHeartbeatChanges(call, signedBy, forked)
      const verdict = leaseVerdictOf(presented, instance, now)
      const newest = await newerKey(call, presented, verdict)
      return replyWithLease(call, {
        ...(newest === 'gone' ? REVOKED_VERDICT : verdict),
        leaseId,
        prevLease,
        instance,
        licenseId: newest && newest !== 'gone' ? newest.license.id : presented.licenseId,
        terms: newest && newest !== 'gone' ? newest.license : leaseTermsOf(presented),
        licenseKey: newest && newest !== 'gone' ? newest.licenseKey : null,
      })
    },
  }),
]

const REVOKED_VERDICT: LeaseVerdict = { state: 'REVOKED', reason: null }

/** Changes reported by a heartbeat become events; most heartbeats report none. */
async function recordHeartbeatChanges(
  { body, run, caller }: Pick<HandlerContext<unknown, unknown, HeartbeatBody>, 'body' | 'run' | 'caller'>,
  instance: PresentedInstance,
  forked: boolean,
): Promise<PresentedInstance> {
  const { subscriptionId } = licenseCallerOf({ caller }).presented
  const { components } = body.fingerprint
  const hash = fingerprintHash(components)
  const said = { version: body.version, fingerprintHash: hash }
  const isSame = instance.status === 'ACTIVE' && instance.version === said.version && instance.fingerprintHash === hash
  const isClone = forked && !instance.cloneSuspected
  if (instance.status === 'DEACTIVATED' || (isSame && !isClone)) return instance
  await run(async (unit) => {
    const { id: instanceId } = instance
    await unit.decide(licenseSlots, subscriptionId, 'HearFromInstance', {
      instanceId,
      ...said,
      fingerprint: components,
    })
    if (isClone)
      await unit.decide(licenseSlots, subscriptionId, 'FlagInstance', { instanceId, flag: 'CLONE_SUSPECTED' })
  })
  return { ...instance, ...said, status: 'ACTIVE' }
}

/** @returns undefined if the panel has the newest key; 'gone' if a replaced license has no successor */
async function newerKey(
  { body, run }: Pick<HandlerContext<unknown, unknown, HeartbeatBody>, 'body' | 'run'>,
  { license, subscriptionId }: PresentedKey,
  { state }: LeaseVerdict,
) {
  const isDue = state === 'SUPERSEDED' || (KEY_GIVING_STATES.includes(state) && body.seqSeen !== license.seq)
  if (!isDue) return undefined
  return (await newestLicenseKey(run, subscriptionId)) ?? 'gone'
}
