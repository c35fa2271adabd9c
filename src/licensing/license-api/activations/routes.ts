import { createPublicKey, createHash } from 'node:crypto'
import { z } from 'zod'
import type { Unit } from '#kernel/commands/command-runner'
import { answer, route } from '#kernel/http/route'
import type { Call } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import { nameOf, reasonOf } from '#kernel/lib/display-text'
import { found, reject } from '#kernel/lib/rejection'
import { silentSince } from '#projections/licensing/instances'
import type { PresentedKey } from '#projections/licensing/license-api/keys'
import { customers } from '../../customers/decider.ts'
import { signed } from '../../access/access.ts'
import { licenseCallerOf, refuseSignature } from '../../access/license-caller.ts'
import { holderOf, holding, knownAs, licenseSlots, withKey } from '../../instances/decider.ts'
import type { ActivateInstance, Instance, Slots } from '../../instances/decider.ts'
import { FINGERPRINT_COMPONENTS } from '../../instances/events.ts'
import { planCalled } from '../../workflows/subscriptions/issue-license.ts'
import { fingerprintHash, newLeaseId } from '../../workflows/leases/sign.ts'
import { Leased, heldBy, leased, refuseUnusable, termsOf, verdictOn } from '../../workflows/leases/reply.ts'
import { effectiveStatus } from '../../licenses/rules.ts'
import type { License } from '../../licenses/rules.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { licenseIn } from '../../subscriptions/license-rules.ts'
import { refuseRival, silentPanels } from '../../instances/release.ts'

const DAY_MS = 86_400_000

/** An HMAC of 16 bytes, or however a panel spells it. */
const component = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/)

export const Fingerprint = z.strictObject({
  scheme: z.literal('fp1'),
  components: z
    .strictObject(Object.fromEntries(FINGERPRINT_COMPONENTS.map((name) => [name, component.optional()])))
    .refine((components) => Object.values(components).some((value) => value !== undefined), 'names no component'),
})

export const version = nameOf(64)

/** The public half only: a private key that is sent is a mistake that must not be kept. */
const InstanceKey = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.base64url().length(43),
  alg: z.enum(['EdDSA', 'Ed25519']).optional(),
  use: z.literal('sig').optional(),
  kid: z.string().max(100).optional(),
})

const Activation = z.strictObject({
  fingerprint: Fingerprint,
  instance: z.strictObject({ name: nameOf(100), hostname: nameOf(253), version, os: nameOf(64), arch: nameOf(32) }),
  instanceKey: InstanceKey,
})

const Deactivation = z.strictObject({
  instanceId: uuid,
  reason: reasonOf(200).optional(),
})

type Asked = Omit<ActivateInstance, 'instanceId' | 'licenseId' | 'maxActivations' | 'reclaimable' | 'silent'>

export const activationRoutes = [
  route('POST /api/v1/license/activate', {
    does: 'Activate a panel: it takes one of the license’s activation slots, and is told how the license stands in a signed lease. The same panel, or the same machine, gets the slot that it has (200); not that of a panel that is still heard.',
    access: signed,
    body: Activation,
    status: [201, 200],
    reply: Leased,
    async handle(call) {
      const { presented, instance: signedBy, limit, heartbeats } = licenseCallerOf(call)
      const { body, now } = call
      if (!presented.isCurrent) refuseSignature('an old key activates nothing')
      const ask = askOf(presented, body, call.ip)
      await limit('activations', now, signedBy?.keyThumbprint === ask.keyThumbprint ? signedBy.id : undefined)
      await call.run((unit) => refuseFull(unit, call, ask))
      const { license, slots, instance, isNew } = await call.run((unit) => activated(unit, call, ask))
      if (!instance) return refuseRival(slots, license)
      const leaseId = newLeaseId()
      const { heartbeatSeconds: seconds } = license
      if (await heartbeats.activated({ instanceId: instance.id, lease: leaseId, now, seconds }))
        await call.run((unit) => suspect(unit, instance))
      const status = effectiveStatus(license, now)
      const lease = await leased(call, {
        state: status === 'GRACE' ? 'GRACE' : 'OK',
        reason: null,
        leaseId,
        prevLease: null,
        instance: { ...instance, status: 'ACTIVE' },
        licenseId: license.id,
        terms: license,
        licenseKey: null,
      })
      return answer(lease, isNew ? 201 : 200)
    },
  }),

  route('POST /api/v1/license/deactivate', {
    does: 'Give a panel’s activation slot back. Signed by the panel’s own key as well. A second time changes nothing.',
    access: signed,
    body: Deactivation,
    reply: Leased,
    async handle(call) {
      const { presented, instance, limit } = licenseCallerOf(call)
      const { body, now } = call
      if (!presented.isCurrent) refuseSignature('an old key deactivates nothing')
      if (instance?.id !== body.instanceId) return refuseSignature('not signed by the instance')
      await limit('requests', now, instance.id)
      const { subscriptionId, licenseId } = presented
      const reason = body.reason ?? 'by its panel'
      const ask = { instanceId: instance.id, reason }
      await call.run((unit) => unit.decide(licenseSlots, subscriptionId, 'DeactivateInstance', ask))
      const gone = {
        ...instance,
        status: 'DEACTIVATED' as const,
        deactivatedAt: instance.deactivatedAt ?? now.toISOString(),
      }
      return leased(call, {
        ...verdictOn(presented, gone, now),
        leaseId: newLeaseId(),
        prevLease: null,
        instance: gone,
        licenseId,
        terms: termsOf(presented),
        licenseKey: null,
      })
    },
  }),
]

/** @throws Rejection 400 for a key that is none */
function askOf(presented: PresentedKey, body: z.output<typeof Activation>, ip: string | undefined): Asked {
  const { subscriptionId, customerId } = presented
  const { components } = body.fingerprint
  return {
    ...body.instance,
    subscriptionId,
    customerId,
    ip: ip ?? null,
    keyThumbprint: thumbprintOf(body.instanceKey),
    publicKey: body.instanceKey.x,
    fingerprint: components,
    fingerprintHash: fingerprintHash(components),
  }
}

/** RFC 7638. */
function thumbprintOf({ x }: z.output<typeof InstanceKey>): string {
  const key = { crv: 'Ed25519', kty: 'OKP', x }
  try {
    createPublicKey({ key, format: 'jwk' })
  } catch {
    reject('invalid', 'instanceKey is not an Ed25519 public key', 'INSTANCE_KEY_INVALID')
  }
  return createHash('sha256').update(JSON.stringify(key)).digest('base64url')
}

type Place = Pick<Call, 'caller' | 'read'>

async function suspect(unit: Unit, { id: instanceId, subscriptionId }: Instance): Promise<void> {
  await unit.decide(licenseSlots, subscriptionId, 'FlagInstance', { instanceId, flag: 'CLONE_SUSPECTED' })
}

/** Ahead of the turns that activations take: whoever finds the slots full waits for nobody. @throws Rejection as `activated` does */
async function refuseFull(unit: Unit, place: Place, asked: Asked): Promise<void> {
  const slots = await unit.look(licenseSlots, asked.subscriptionId)
  const { ask } = await fitting(unit, place, asked, slots)
  licenseSlots.commands.ActivateInstance(slots, ask, { at: unit.at, actor: place.caller.actor })
}

/** Without an instance where no slot was given: then that is what is recorded. */
async function activated(unit: Unit, place: Place, asked: Asked) {
  const { subscriptionId } = asked
  const slots = await unit.load(licenseSlots, subscriptionId)
  const { license, ask } = await fitting(unit, place, asked, slots)
  const events = await unit.decide(licenseSlots, subscriptionId, 'ActivateInstance', ask)
  const isNew = events.some(({ type }) => type === 'InstanceActivated')
  const after = await unit.load(licenseSlots, subscriptionId)
  const instance = holderOf(after, ask.keyThumbprint)
  return { license, isNew, slots: after, instance: instance && { ...instance, deactivatedAt: null } }
}

/** What is asked of the slots, as the license has it. */
async function fitting(unit: Unit, { caller, read }: Place, asked: Asked, slots: Slots) {
  const license = await usable(unit, licenseCallerOf({ caller }).presented)
  const { id: licenseId, maxActivations } = license
  const silent = withKey(slots, asked.keyThumbprint) ? [] : await silentPanels(read, license, unit.at)
  const isFull = holding(slots).length >= maxActivations && knownAs(slots, { ...asked, silent })?.status !== 'ACTIVE'
  const reclaimable = isFull ? await reclaimables(unit, read, license) : []
  return { license, ask: { ...asked, instanceId: unit.newId(), licenseId, maxActivations, reclaimable, silent } }
}

/** @throws Rejection 401 for a key that was replaced meanwhile, 403 for a license that does not count */
async function usable(unit: Unit, { subscriptionId, licenseId, keyId, customerId }: PresentedKey): Promise<License> {
  const [sold, customer] = await Promise.all([
    unit.look(subscriptions, subscriptionId),
    unit.look(customers, customerId),
  ])
  const subscription = found(sold)
  const license = licenseIn(subscription, licenseId)
  if (license.keyId !== keyId) return refuseSignature('an old key activates nothing')
  const holder = heldBy(subscription.status, customer?.status ?? null)
  refuseUnusable(effectiveStatus(license, unit.at, holder !== null))
  return license
}

/** Whose slot may be taken from them, as the plan says now. */
async function reclaimables(
  unit: Unit,
  read: Call['read'],
  { planSlug, subscriptionId }: Pick<License, 'planSlug' | 'subscriptionId'>,
) {
  const plan = await planCalled(unit, planSlug)
  if (!plan || plan.reclaimStaleAfterDays === 0) return []
  return silentSince(read, subscriptionId, new Date(unit.at.getTime() - plan.reclaimStaleAfterDays * DAY_MS))
}
