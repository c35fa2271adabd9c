/** An instance is a panel that runs under a license. It holds one of the license's activation slots. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { customerSubject } from '../customers/events.ts'

export const INSTANCE_FLAGS = ['CLONE_SUSPECTED', 'FINGERPRINT_DRIFT'] as const
export type InstanceFlag = (typeof INSTANCE_FLAGS)[number]

/**
 * Components that identify a machine: HMACs made by the panel. Their inputs never leave the host
 * (licensing.md 8).
 */
export const FINGERPRINT_COMPONENTS = ['install', 'machine', 'board', 'rootfs', 'cpu', 'net'] as const
export type FingerprintComponents = Readonly<Partial<Record<(typeof FINGERPRINT_COMPONENTS)[number], string>>>

const instant = z.iso.datetime()
const idFields = { instanceId: z.uuid(), subscriptionId: z.uuid(), customerId: z.uuid() }
const sealedFor = ({ customerId }: { customerId: string }): string => customerSubject(customerId)

/** Sent by the panel at every activation. */
const descriptionFields = {
  name: sealed(z.string()),
  hostname: sealed(z.string()),
  version: z.string(),
  os: z.string(),
  arch: z.string(),
  /** The address of the request; null if unknown. */
  ip: sealed(z.string().nullable()),
}
/** The RFC 7638 thumbprint of the instance's own key, and `x` of its public JWK. */
const keyFields = { keyThumbprint: z.string(), publicKey: internal(z.string()) }
const fingerprintFields = {
  /** The components as JSON. */
  fingerprint: sealed(z.string()),
  /** One hash over all components; leases contain it. */
  fingerprintHash: internal(z.string()),
}

export const InstanceActivated = event(
  'InstanceActivated',
  'instanceId',
  { ...idFields, licenseId: z.uuid(), ...descriptionFields, ...keyFields, ...fingerprintFields },
  ({ instanceId, licenseId }) => `activated instance ${instanceId} under license ${licenseId}`,
  { sealedFor },
)

/** The slot is free at once. The reason is stored in plain text, so it must not contain personal data. */
export const InstanceDeactivated = event(
  'InstanceDeactivated',
  'instanceId',
  { ...idFields, reason: z.string().nullable() },
  ({ instanceId, reason }) => `deactivated instance ${instanceId}${reason === null ? '' : ` (${reason})`}`,
  { strict: true },
)

export const InstanceReactivated = event(
  'InstanceReactivated',
  'instanceId',
  idFields,
  ({ instanceId }) => `reactivated instance ${instanceId}`,
)

/**
 * The same machine with another key: it was rebuilt, or its panel was installed again. The old key
 * is invalid from then on.
 */
export const InstanceRebound = event(
  'InstanceRebound',
  'instanceId',
  { ...idFields, ...keyFields },
  ({ instanceId, keyThumbprint }) => `bound instance ${instanceId} to the key ${keyThumbprint}`,
  { strict: true },
)

/** Another panel version or name. */
export const InstanceChanged = event(
  'InstanceChanged',
  'instanceId',
  { ...idFields, ...descriptionFields },
  ({ instanceId, version }) => `instance ${instanceId} is version ${version}`,
  { sealedFor },
)

/** `drifted`: nothing matched except the panel's own mark, as after a restore or a migration. */
export const InstanceFingerprintChanged = event(
  'InstanceFingerprintChanged',
  'instanceId',
  { ...idFields, ...fingerprintFields, drifted: z.boolean() },
  ({ instanceId, drifted }) =>
    `instance ${instanceId} ${drifted ? 'runs on another machine' : 'runs on a changed machine'}`,
  { sealedFor },
)

/** The instance is stale by its silence; a timer only records it. */
export const InstanceMarkedStale = event(
  'InstanceMarkedStale',
  'instanceId',
  { ...idFields, lastHeartbeatAt: instant },
  ({ instanceId, lastHeartbeatAt }) => `instance ${instanceId} is silent since ${lastHeartbeatAt}`,
)

export const InstanceReturned = event(
  'InstanceReturned',
  'instanceId',
  idFields,
  ({ instanceId }) => `instance ${instanceId} is back`,
)

/** A flag for staff to review: it has no other effect. */
export const InstanceFlagged = event(
  'InstanceFlagged',
  'instanceId',
  { ...idFields, flag: z.enum(INSTANCE_FLAGS) },
  ({ instanceId, flag }) => `flagged instance ${instanceId}: ${flag}`,
)

/**
 * The license ended and no instance holds a slot. Recorded even if no slot was held, so that a
 * concurrent activation conflicts and reads again.
 */
export const SlotsReleased = event(
  'SlotsReleased',
  'subscriptionId',
  { subscriptionId: z.uuid(), customerId: z.uuid() },
  ({ subscriptionId }) => `released the activation slots of subscription ${subscriptionId}`,
  { strict: true },
)

/**
 * One stream for all instances of a subscription: together they never exceed the license's cap. Per
 * subscription and not per license, so that a new license keeps the instances.
 */
export const licenseSlotEvents = stream('licenseSlots', [
  InstanceActivated,
  InstanceDeactivated,
  InstanceReactivated,
  InstanceRebound,
  InstanceChanged,
  InstanceFingerprintChanged,
  InstanceMarkedStale,
  InstanceReturned,
  InstanceFlagged,
  SlotsReleased,
])
