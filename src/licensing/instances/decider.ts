/** Who holds a slot (licensing.md 7 and 8). The cap is exact because all that take or free one are decided in one stream. */
import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { reject } from '#kernel/rejection'
import {
  InstanceActivated,
  InstanceChanged,
  InstanceDeactivated,
  InstanceFingerprintChanged,
  InstanceFlagged,
  InstanceMarkedStale,
  InstanceReactivated,
  InstanceRebound,
  InstanceReturned,
  SlotsReleased,
  licenseSlotEvents,
} from './events.ts'
import type { Components, Flag } from './events.ts'
import { componentsIn, isMoved, recognised } from './fingerprints/decider.ts'

const DRIFT_DAYS = 30
/** Drifts within that time that are nothing to look at. */
const DRIFTS_FREE = 2
const DAY_MS = 86_400_000
/** Deactivated instances that are remembered, so that whoever activates and deactivates for ever fills no memory. */
const REMEMBERED_MAX = 500

type Activated = DataOf<typeof InstanceActivated>

export interface Instance extends Omit<Activated, 'instanceId' | 'fingerprint'> {
  readonly id: string
  readonly status: 'ACTIVE' | 'STALE' | 'DEACTIVATED'
  readonly fingerprint: Components
  /** When it drifted, oldest first; only what still counts. */
  readonly driftedAt: readonly string[]
  readonly flags: readonly Flag[]
  /** When it took the slot that it has or had. */
  readonly activatedAt: string
}

export interface Slots {
  /** Oldest first. */
  readonly instances: readonly Instance[]
}

/** Silent for so long that a newcomer may have its slot. */
export interface Reclaimable {
  readonly instanceId: string
  readonly lastHeartbeatAt: string
}

interface Cap {
  /** Of the license that counts at this moment. */
  readonly maxActivations: number
}

export interface ActivateInstance extends Omit<Activated, 'fingerprint'>, Cap {
  readonly fingerprint: Components
  /** Those that may lose their slot to this one, if there is no free one. */
  readonly reclaimable: readonly Reclaimable[]
}

interface OfInstance {
  readonly instanceId: string
}

/** What a heartbeat says of its panel; absent: nothing new. */
export interface Heard extends OfInstance {
  readonly version: string
  readonly fingerprint: Components
  readonly fingerprintHash: string
}

const NONE: Slots = { instances: [] }

export const licenseSlots = decider(licenseSlotEvents, {
  initial: NONE,
  evolve: {
    InstanceActivated: ({ instances }, activated, at): Slots => ({
      instances: [...instances, instanceOf(activated, at)],
    }),
    InstanceDeactivated: (slots, { instanceId }) => remembered(changed(slots, instanceId, { status: 'DEACTIVATED' })),
    InstanceReactivated: (slots, { instanceId }, at) =>
      changed(slots, instanceId, { status: 'ACTIVE', activatedAt: at.toISOString() }),
    InstanceRebound: (slots, { instanceId, keyThumbprint, publicKey }) =>
      changed(slots, instanceId, { keyThumbprint, publicKey }),
    InstanceChanged: (slots, { instanceId, name, hostname, version, os, arch, ip }) =>
      changed(slots, instanceId, { name, hostname, version, os, arch, ip }),
    InstanceFingerprintChanged: (slots, { instanceId, fingerprint, fingerprintHash, drifted }, at) => {
      const driftedAt = drifted ? [...counting(slots, instanceId, at), at.toISOString()] : undefined
      const now = { fingerprint: componentsIn(fingerprint), fingerprintHash }
      return changed(slots, instanceId, { ...now, ...(driftedAt ? { driftedAt } : {}) })
    },
    InstanceMarkedStale: (slots, { instanceId }) => changed(slots, instanceId, { status: 'STALE' }),
    InstanceReturned: (slots, { instanceId }) => changed(slots, instanceId, { status: 'ACTIVE' }),
    InstanceFlagged: (slots, { instanceId, flag }) =>
      changed(slots, instanceId, { flags: [...(instanceIn(slots, instanceId)?.flags ?? []), flag] }),
    SlotsReleased: ({ instances }) =>
      remembered({ instances: instances.map((each) => ({ ...each, status: 'DEACTIVATED' as const })) }),
  },
  commands: {
    /** The same panel, or the same machine, gets the slot that it has; anything else needs a free one. */
    ActivateInstance: (slots, { maxActivations, reclaimable, ...ask }: ActivateInstance, { at }) => {
      const known = knownAs(slots, ask)
      if (!known) return [...roomFor(slots, { maxActivations, reclaimable }), activated(ask)]
      return [
        ...(known.status === 'DEACTIVATED'
          ? [...roomFor(slots, { maxActivations, reclaimable }), InstanceReactivated(which(known))]
          : []),
        ...(known.status === 'STALE' ? [InstanceReturned(which(known))] : []),
        ...(known.keyThumbprint === ask.keyThumbprint
          ? []
          : [InstanceRebound({ ...which(known), keyThumbprint: ask.keyThumbprint, publicKey: ask.publicKey })]),
        ...described(known, ask),
        ...fingerprinted(slots, known, ask, at),
      ]
    },

    /** A second time changes nothing. */
    DeactivateInstance: (slots, { instanceId, reason }: OfInstance & { reason: string | null }) => {
      const instance = instanceIn(slots, instanceId)
      return !instance || instance.status === 'DEACTIVATED' ? [] : [InstanceDeactivated({ ...which(instance), reason })]
    },

    ReactivateInstance: (slots, { instanceId, maxActivations }: OfInstance & Cap) => {
      const instance = instanceIn(slots, instanceId)
      if (!instance)
        return reject('conflict', 'The instance is forgotten: its panel activates anew', 'INSTANCE_FORGOTTEN')
      if (instance.status !== 'DEACTIVATED') return []
      return [...roomFor(slots, { maxActivations, reclaimable: [] }), InstanceReactivated(which(instance))]
    },

    /** What is new in what a heartbeat says. */
    HearFromInstance: (slots, { instanceId, version, ...heard }: Heard, { at }) => {
      const instance = instanceIn(slots, instanceId)
      if (!instance || instance.status === 'DEACTIVATED') return []
      return [
        ...(instance.status === 'STALE' ? [InstanceReturned(which(instance))] : []),
        ...described(instance, { ...instance, version }),
        ...fingerprinted(slots, instance, heard, at),
      ]
    },

    MarkStale: (slots, { instanceId, lastHeartbeatAt }: Reclaimable) => {
      const instance = instanceIn(slots, instanceId)
      return instance?.status === 'ACTIVE' ? [InstanceMarkedStale({ ...which(instance), lastHeartbeatAt })] : []
    },

    /** Once, however often the same is suspected. */
    FlagInstance: (slots, { instanceId, flag }: OfInstance & { flag: Flag }) => {
      const instance = instanceIn(slots, instanceId)
      return !instance || instance.flags.includes(flag) ? [] : [InstanceFlagged({ ...which(instance), flag })]
    },

    /** Always an event, also where nobody holds a slot: whoever is about to take one is then too late. */
    ReleaseSlots: (_slots, ask: DataOf<typeof SlotsReleased>) => [SlotsReleased(ask)],
  },
})

const instanceOf = ({ instanceId, fingerprint, ...activated }: Activated, at: Date): Instance => ({
  ...activated,
  id: instanceId,
  status: 'ACTIVE',
  fingerprint: componentsIn(fingerprint),
  driftedAt: [],
  flags: [],
  activatedAt: at.toISOString(),
})

const which = ({ id, subscriptionId, customerId }: Instance) => ({ instanceId: id, subscriptionId, customerId })

export const instanceIn = ({ instances }: Slots, instanceId: string): Instance | undefined =>
  instances.find(({ id }) => id === instanceId)

export const holding = ({ instances }: Slots): readonly Instance[] =>
  instances.filter(({ status }) => status !== 'DEACTIVATED')

/** By its key, whatever became of it; by its machine only while it holds a slot. */
export function knownAs(
  slots: Slots,
  { keyThumbprint, fingerprint }: Pick<ActivateInstance, 'keyThumbprint' | 'fingerprint'>,
): Instance | undefined {
  const byKey = slots.instances.findLast((each) => each.keyThumbprint === keyThumbprint)
  return byKey ?? recognised(holding(slots), fingerprint)
}

/** What has to happen so that there is a free slot. @throws Rejection 409 */
function roomFor(
  slots: Slots,
  { maxActivations, reclaimable }: Pick<ActivateInstance, 'maxActivations' | 'reclaimable'>,
) {
  const held = holding(slots)
  if (held.length < maxActivations) return []
  const silent = held.length === maxActivations ? longestSilent(held, reclaimable) : undefined
  if (silent) return [InstanceDeactivated({ ...which(silent), reason: 'silent, and its slot was needed' })]
  return reject(
    'conflict',
    `License has no free activation slot (${held.length} of ${maxActivations} in use)`,
    'NO_FREE_SLOT',
  )
}

function longestSilent(held: readonly Instance[], reclaimable: readonly Reclaimable[]): Instance | undefined {
  const since = new Map(reclaimable.map((each) => [each.instanceId, Date.parse(each.lastHeartbeatAt)]))
  return held.filter(({ id }) => since.has(id)).toSorted((one, other) => since.get(one.id)! - since.get(other.id)!)[0]
}

const activated = ({ fingerprint, ...ask }: Omit<ActivateInstance, 'maxActivations' | 'reclaimable'>) =>
  InstanceActivated({ ...ask, fingerprint: JSON.stringify(fingerprint) })

const DESCRIPTION = ['name', 'hostname', 'version', 'os', 'arch'] as const

/** Another address alone is no news. */
function described(known: Instance, said: Pick<Instance, (typeof DESCRIPTION)[number] | 'ip'>) {
  if (DESCRIPTION.every((field) => known[field] === said[field])) return []
  const { name, hostname, version, os, arch, ip } = said
  return [InstanceChanged({ ...which(known), name, hostname, version, os, arch, ip })]
}

function fingerprinted(
  slots: Slots,
  known: Instance,
  { fingerprint, fingerprintHash }: Pick<ActivateInstance, 'fingerprint' | 'fingerprintHash'>,
  at: Date,
) {
  if (known.fingerprintHash === fingerprintHash) return []
  const drifted = isMoved(known.fingerprint, fingerprint)
  const tooOften = drifted && counting(slots, known.id, at).length >= DRIFTS_FREE
  const changes = { fingerprint: JSON.stringify(fingerprint), fingerprintHash, drifted }
  return [
    InstanceFingerprintChanged({ ...which(known), ...changes }),
    ...(tooOften && !known.flags.includes('FINGERPRINT_DRIFT')
      ? [InstanceFlagged({ ...which(known), flag: 'FINGERPRINT_DRIFT' })]
      : []),
  ]
}

/** Earlier drifts that still count at a moment. */
const counting = (slots: Slots, instanceId: string, at: Date): readonly string[] =>
  (instanceIn(slots, instanceId)?.driftedAt ?? []).filter(
    (drift) => Date.parse(drift) > at.getTime() - DRIFT_DAYS * DAY_MS,
  )

const changed = ({ instances }: Slots, instanceId: string, change: Partial<Instance>): Slots => ({
  instances: instances.map((each) => (each.id === instanceId ? { ...each, ...change } : each)),
})

function remembered({ instances }: Slots): Slots {
  const ended = instances.filter(({ status }) => status === 'DEACTIVATED')
  const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - REMEMBERED_MAX)))
  return { instances: forgotten.size === 0 ? instances : instances.filter((each) => !forgotten.has(each)) }
}
