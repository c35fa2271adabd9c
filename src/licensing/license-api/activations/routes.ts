import { createPublicKey, hash } from 'node:crypto'
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { answer, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { nameSchema, reasonSchema } from '#kernel/lib/display-text'
import { found, reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { silentSince } from '#projections/licensing/instances'
import type { PresentedKey } from '#projections/licensing/license-api/presented-key'
import { licenseSigned } from '../../access/access.ts'
import { licenseCallerOf, refuseSignature } from '../../access/license-caller.ts'
import { customers } from '../../customers/decider.ts'
import {
  asksForHeldSlot,
  licenseSlots,
  recognizedInstance,
  slotHolderWithKey,
  slotHolders,
} from '../../instances/decider.ts'
import type { ActivateInstance, Instance, Slots } from '../../instances/decider.ts'
import { refuseOccupiedSlot, silentPanels } from '../../instances/slots.ts'
import { effectiveStatus } from '../../licenses/rules.ts'
import type { License } from '../../licenses/rules.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import { licenseIn } from '../../subscriptions/license-rules.ts'
import { fingerprintHash, newLeaseId } from '../../workflows/leases/lease-signer.ts'
import {
  LeaseReply,
  holdReasonOf,
  leaseTermsOf,
  leaseVerdictOf,
  refuseUnusable,
  replyWithLease,
} from '../../workflows/leases/reply.ts'
import { planBySlug } from '../../workflows/subscriptions/issue-license.ts'
import { version, Fingerprint } from '../views.ts'

const DAY_MS = 86_400_000

/** The public key only: a private key sent by mistake must not be stored. */
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
  instance: z.strictObject({
    name: nameSchema(100),
    hostname: nameSchema(253),
    version,
    os: nameSchema(64),
    arch: nameSchema(32),
  }),
  instanceKey: InstanceKey,
})

const Deactivation = z.strictObject({
  instanceId: uuid,
  reason: reasonSchema(200).optional(),
})

type ActivationInput = Omit<ActivateInstance, 'instanceId' | 'licenseId' | 'maxActivations' | 'reclaimable' | 'silent'>

export const activationRoutes = [
  route('POST /api/v1/license/activate', {
    does: 'Activate a panel. It takes an activation slot, or keeps the one it has (200), and receives a signed lease.',
    access: licenseSigned,
    body: Activation,
    status: [201, 200],
    reply: LeaseReply,
    async handle(call) {
      const { presented, instance: signedBy, limit, heartbeats } = licenseCallerOf(call)
      const { body, now } = call
      if (!presented.isCurrent) refuseSignature('a replaced license key cannot activate an instance')
      const ask = activationInputOf(presented, body, call.ip)
      await limit('activations', now, signedBy?.keyThumbprint === ask.keyThumbprint ? signedBy.id : undefined)
      const { license, slots, instance, isNew } = await call.run((unit) => activateInstance(unit, call, ask))
      if (!instance) return refuseOccupiedSlot(slots, license)
      const leaseId = newLeaseId()
      const { heartbeatSeconds: seconds } = license
      if (await heartbeats.recordActivation({ instanceId: instance.id, lease: leaseId, now, seconds }))
        await call.run((unit) => flagClone(unit, instance))
      const status = effectiveStatus(license, now)
      const lease = await replyWithLease(call, {
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
    does: 'Release a panel’s activation slot. The panel’s own key must sign too. Repeating it changes nothing.',
    access: licenseSigned,
    body: Deactivation,
    reply: LeaseReply,
    async handle(call) {
      const { presented, instance, limit } = licenseCallerOf(call)
      const { body, now } = call
      if (!presented.isCurrent) refuseSignature('a replaced license key cannot deactivate an instance')
      if (instance?.id !== body.instanceId) return refuseSignature('the signature of the instance is missing')
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
      return replyWithLease(call, {
        ...leaseVerdictOf(presented, gone, now),
        leaseId: newLeaseId(),
        prevLease: null,
        instance: gone,
        licenseId,
        terms: leaseTermsOf(presented),
        licenseKey: null,
      })
    },
  }),
]

/** @throws Rejection 400 for an invalid key */
function activationInputOf(
  presented: PresentedKey,
  body: z.output<typeof Activation>,
  ip: string | undefined,
): ActivationInput {
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
  return hash('sha256', JSON.stringify(key), 'base64url')
}

type ActivationContext = Pick<HandlerContext, 'caller' | 'read'>

async function flagClone(unit: UnitOfWork, { id: instanceId, subscriptionId }: Instance): Promise<void> {
  await unit.decide(licenseSlots, subscriptionId, 'FlagInstance', { instanceId, flag: 'CLONE_SUSPECTED' })
}

/** @throws Rejection as `activateInstance` does, without waiting in the queue of activations */
async function refuseFull(unit: UnitOfWork, place: ActivationContext, asked: ActivationInput): Promise<void> {
  const slots = await unit.look(licenseSlots, asked.subscriptionId)
  const { ask } = await activationCommandOf(unit, place, asked, slots)
  licenseSlots.commands.ActivateInstance(slots, ask, { at: unit.at, actor: place.caller.actor })
}

/** Returns no instance if no slot was given: then only the suspicion is recorded. */
async function activateInstance(unit: UnitOfWork, place: ActivationContext, asked: ActivationInput) {
  const { subscriptionId } = asked
  await refuseFull(unit, place, asked)
  const slots = await unit.load(licenseSlots, subscriptionId)
  const { license, ask } = await activationCommandOf(unit, place, asked, slots)
  const events = await unit.decide(licenseSlots, subscriptionId, 'ActivateInstance', ask)
  const isNew = events.some(({ type }) => type === 'InstanceActivated')
  const after = await unit.load(licenseSlots, subscriptionId)
  const instance = slotHolderWithKey(after, ask.keyThumbprint)
  return { license, isNew, slots: after, instance: instance && { ...instance, deactivatedAt: null } }
}

/** The command for the slots, with the terms of the license. */
async function activationCommandOf(
  unit: UnitOfWork,
  { caller, read }: ActivationContext,
  asked: ActivationInput,
  slots: Slots,
) {
  const license = await requireUsableLicense(unit, licenseCallerOf({ caller }).presented)
  const { id: licenseId, maxActivations } = license
  const silent = asksForHeldSlot(slots, asked) ? await silentPanels(read, license, unit.at) : []
  const isFull =
    slotHolders(slots).length >= maxActivations && recognizedInstance(slots, { ...asked, silent })?.status !== 'ACTIVE'
  const reclaimable = isFull ? await reclaimableInstances(unit, read, license) : []
  return { license, ask: { ...asked, instanceId: unit.newId(), licenseId, maxActivations, reclaimable, silent } }
}

/** @throws Rejection 401 for a key that was replaced meanwhile, 403 for a license that is not in effect */
async function requireUsableLicense(
  unit: UnitOfWork,
  { subscriptionId, licenseId, keyId, customerId }: PresentedKey,
): Promise<License> {
  const [sold, customer] = await Promise.all([
    unit.look(subscriptions, subscriptionId),
    unit.look(customers, customerId),
  ])
  const subscription = found(sold)
  const license = licenseIn(subscription, licenseId)
  if (license.keyId !== keyId) return refuseSignature('a replaced license key cannot activate an instance')
  const holder = holdReasonOf(subscription.status, customer?.status ?? null)
  refuseUnusable(effectiveStatus(license, unit.at, holder !== null))
  return license
}

/** Instances whose slot may be taken, by the plan's present terms. */
async function reclaimableInstances(
  unit: UnitOfWork,
  read: HandlerContext['read'],
  { planSlug, subscriptionId }: Pick<License, 'planSlug' | 'subscriptionId'>,
) {
  const plan = await planBySlug(unit, planSlug)
  if (!plan || plan.reclaimStaleAfterDays === 0) return []
  return silentSince(read, subscriptionId, new Date(unit.at.getTime() - plan.reclaimStaleAfterDays * DAY_MS))
}
