/** An instance is a panel that runs under a license; while it does, it holds one of the license's activation slots. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { customerSubject } from '../customers/events.ts'

export const INSTANCE_FLAGS = ['CLONE_SUSPECTED', 'FINGERPRINT_DRIFT'] as const
export type InstanceFlag = (typeof INSTANCE_FLAGS)[number]

/** What a machine is recognised by: HMACs that the panel makes; what they are of never leaves its host (licensing.md 8). */
export const FINGERPRINT_COMPONENTS = ['install', 'machine', 'board', 'rootfs', 'cpu', 'net'] as const
export type FingerprintComponents = Readonly<Partial<Record<(typeof FINGERPRINT_COMPONENTS)[number], string>>>

const instant = z.iso.datetime()
const idFields = { instanceId: z.uuid(), subscriptionId: z.uuid(), customerId: z.uuid() }
const sealedFor = ({ customerId }: { customerId: string }): string => customerSubject(customerId)

/** Said by the panel at every activation. */
const descriptionFields = {
  name: sealed(z.string()),
  hostname: sealed(z.string()),
  version: z.string(),
  os: z.string(),
  arch: z.string(),
  /** Where it called from; null where that cannot be told. */
  ip: sealed(z.string().nullable()),
}
/** RFC 7638 of the key that only this instance has, and the key: `x` of its JWK. */
const keyFields = { keyThumbprint: z.string(), publicKey: internal(z.string()) }
const fingerprintFields = {
  /** The components as JSON. */
  fingerprint: sealed(z.string()),
  /** One hash over all of them, which leases name. */
  fingerprintHash: internal(z.string()),
}

export const InstanceActivated = event(
  'InstanceActivated',
  'instanceId',
  { ...idFields, licenseId: z.uuid(), ...descriptionFields, ...keyFields, ...fingerprintFields },
  ({ instanceId, licenseId }) => `activated instance ${instanceId} under license ${licenseId}`,
  { sealedFor },
)

/** The slot is free at once. The reason is kept in clear, so it names nobody. */
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

/** The same machine with another key: it was rebuilt, or its panel installed anew. The old key is nobody's from then on. */
export const InstanceRebound = event(
  'InstanceRebound',
  'instanceId',
  { ...idFields, ...keyFields },
  ({ instanceId, keyThumbprint }) => `bound instance ${instanceId} to the key ${keyThumbprint}`,
  { strict: true },
)

/** Another panel version, another name. */
export const InstanceChanged = event(
  'InstanceChanged',
  'instanceId',
  { ...idFields, ...descriptionFields },
  ({ instanceId, version }) => `instance ${instanceId} is version ${version}`,
  { sealedFor },
)

/** `drifted`: of the machine nothing was as before but the panel's own mark, as after a restore or a migration. */
export const InstanceFingerprintChanged = event(
  'InstanceFingerprintChanged',
  'instanceId',
  { ...idFields, ...fingerprintFields, drifted: z.boolean() },
  ({ instanceId, drifted }) =>
    `instance ${instanceId} ${drifted ? 'runs on another machine' : 'runs on a changed machine'}`,
  { sealedFor },
)

/** Silence did this; a timer only wrote it down. */
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

/** For people to look at: nothing else follows from it. */
export const InstanceFlagged = event(
  'InstanceFlagged',
  'instanceId',
  { ...idFields, flag: z.enum(INSTANCE_FLAGS) },
  ({ instanceId, flag }) => `flagged instance ${instanceId}: ${flag}`,
)

/** Its license ended, and nothing holds a slot any more. Also where nothing did: whoever activates meanwhile has to look again. */
export const SlotsReleased = event(
  'SlotsReleased',
  'subscriptionId',
  { subscriptionId: z.uuid(), customerId: z.uuid() },
  ({ subscriptionId }) => `released the activation slots of subscription ${subscriptionId}`,
  { strict: true },
)

/**
 * One stream for all instances of a subscription: together they are never more than its license allows. Of the subscription and not
 * of the license, so that nothing moves when another license takes its place.
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
