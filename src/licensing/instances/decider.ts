/**
 * Decides which panels hold activation slots (licensing.md 7 and 8). The cap is exact, because
 * every change of a slot is decided in one stream.
 */
import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
import { reject } from '#kernel/lib/rejection'
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
import type { FingerprintComponents, InstanceFlag } from './events.ts'
import { parseComponents, isOtherHardware, mostSimilar } from './fingerprint-rules.ts'

const DRIFT_DAYS = 30
/** Drifts within DRIFT_DAYS that raise no flag. */
const DRIFTS_FREE = 2
const DAY_MS = 86_400_000
/**
 * Deactivated instances kept in the state, so that repeated activation and deactivation cannot fill
 * memory.
 */
const REMEMBERED_MAX = 500

type InstanceActivatedData = DataOf<typeof InstanceActivated>

export interface Instance extends Omit<InstanceActivatedData, 'instanceId' | 'fingerprint'> {
  readonly id: string
  readonly status: 'ACTIVE' | 'STALE' | 'DEACTIVATED'
  readonly fingerprint: FingerprintComponents
  /** When the fingerprint drifted, oldest first; only drifts that still count. */
  readonly driftedAt: readonly string[]
  readonly flags: readonly InstanceFlag[]
  /** When a clone was last suspected; absent: never. */
  readonly suspectedAt?: string
  /** When the instance took its present or last slot. */
  readonly activatedAt: string
}

export interface Slots {
  /** Oldest first. */
  readonly instances: readonly Instance[]
}

/** A silent instance whose slot another panel may take. */
export interface Reclaimable {
  readonly instanceId: string
  readonly lastHeartbeatAt: string
}

interface Cap {
  /** The cap of the license in force. */
  readonly maxActivations: number
}

export interface ActivateInstance extends Omit<InstanceActivatedData, 'fingerprint'>, Cap {
  readonly fingerprint: FingerprintComponents
  /** Instances that may lose their slot if no slot is free. */
  readonly reclaimable: readonly Reclaimable[]
  /**
   * Instances that may lose their slot to a panel with another key on the same machine. All others
   * count as alive.
   */
  readonly silent: readonly Reclaimable[]
}

interface InstanceRef {
  readonly instanceId: string
}

/** What a heartbeat reports about its panel; absent fields: unchanged. */
export interface HeartbeatInput extends InstanceRef {
  readonly version: string
  readonly fingerprint: FingerprintComponents
  readonly fingerprintHash: string
}

export const SLOT_HOLDER = { status: ['ACTIVE', 'STALE'] } as const satisfies States<Instance>
export const DEACTIVATED_INSTANCE = { status: ['DEACTIVATED'] } as const satisfies States<Instance>

const NONE: Slots = { instances: [] }

export const licenseSlots = decider(licenseSlotEvents, {
  initial: NONE,
  evolve: {
    InstanceActivated: ({ instances }, activated, at): Slots => ({
      instances: [...instances, instanceOf(activated, at)],
    }),
    InstanceDeactivated: (slots, { instanceId }) =>
      withoutForgotten(withInstance(slots, instanceId, { status: 'DEACTIVATED' })),
    InstanceReactivated: (slots, { instanceId }, at) =>
      withInstance(slots, instanceId, { status: 'ACTIVE', activatedAt: at.toISOString() }),
    InstanceRebound: (slots, { instanceId, keyThumbprint, publicKey }) =>
      withInstance(slots, instanceId, { keyThumbprint, publicKey }),
    InstanceChanged: (slots, { instanceId, name, hostname, version, os, arch, ip }) =>
      withInstance(slots, instanceId, { name, hostname, version, os, arch, ip }),
    InstanceFingerprintChanged: (slots, { instanceId, fingerprint, fingerprintHash, drifted }, at) => {
      const driftedAt = drifted ? [...recentDrifts(slots, instanceId, at), at.toISOString()] : undefined
      const now = { fingerprint: parseComponents(fingerprint), fingerprintHash }
      return withInstance(slots, instanceId, { ...now, ...(driftedAt ? { driftedAt } : {}) })
    },
    InstanceMarkedStale: (slots, { instanceId }) => withInstance(slots, instanceId, { status: 'STALE' }),
    InstanceReturned: (slots, { instanceId }) => withInstance(slots, instanceId, { status: 'ACTIVE' }),
    InstanceFlagged: (slots, { instanceId, flag }, at) => {
      const flags = [...new Set([...(instanceIn(slots, instanceId)?.flags ?? []), flag])]
      const isClone = flag === 'CLONE_SUSPECTED'
      return withInstance(slots, instanceId, { flags, ...(isClone ? { suspectedAt: at.toISOString() } : {}) })
    },
    SlotsReleased: ({ instances }) =>
      withoutForgotten({ instances: instances.map((each) => ({ ...each, status: 'DEACTIVATED' as const })) }),
  },
  commands: {
    /**
     * The same panel keeps its slot. A panel on the same machine takes over the slot unless its
     * holder is still alive. Any other panel needs a free slot. If no slot is free and the live
     * holder is on the same machine, no slot is given and a clone is suspected; the caller checks
     * that with `slotHolderWithKey`.
     */
    ActivateInstance: (slots, asked: ActivateInstance, { at }) => {
      const { maxActivations, reclaimable, silent: _silent, ...ask } = asked
      const known = recognizedInstance(slots, asked)
      const room = { maxActivations, reclaimable }
      if (!known) {
        const rival = mostSimilarHolder(slots, asked)
        return rival && !freeSlotEvents(slots, room)
          ? cloneSuspicion(rival, at)
          : [...requireFreeSlot(slots, room), activatedEvent(ask)]
      }
      return [
        ...(known.status === 'DEACTIVATED'
          ? [...requireFreeSlot(slots, room), InstanceReactivated(instanceIds(known))]
          : []),
        ...(known.status === 'STALE' ? [InstanceReturned(instanceIds(known))] : []),
        ...(known.keyThumbprint === ask.keyThumbprint
          ? []
          : [InstanceRebound({ ...instanceIds(known), keyThumbprint: ask.keyThumbprint, publicKey: ask.publicKey })]),
        ...descriptionEvents(known, ask),
        ...fingerprintEvents(slots, known, ask, at),
      ]
    },

    /** Repeating it changes nothing. */
    DeactivateInstance: (slots, { instanceId, reason }: InstanceRef & { reason: string | null }) => {
      const instance = instanceIn(slots, instanceId)
      return instance && fits(instance, SLOT_HOLDER) ? [InstanceDeactivated({ ...instanceIds(instance), reason })] : []
    },

    ReactivateInstance: (slots, { instanceId, maxActivations }: InstanceRef & Cap) => {
      const instance = instanceIn(slots, instanceId)
      if (!instance)
        return reject('conflict', 'The instance is forgotten: activate its panel again', 'INSTANCE_FORGOTTEN')
      if (!fits(instance, DEACTIVATED_INSTANCE)) return []
      return [
        ...requireFreeSlot(slots, { maxActivations, reclaimable: [] }),
        InstanceReactivated(instanceIds(instance)),
      ]
    },

    /** Records only what a heartbeat changes. */
    HearFromInstance: (slots, { instanceId, version, ...heard }: HeartbeatInput, { at }) => {
      const instance = instanceIn(slots, instanceId)
      if (!instance || instance.status === 'DEACTIVATED') return []
      return [
        ...(instance.status === 'STALE' ? [InstanceReturned(instanceIds(instance))] : []),
        ...descriptionEvents(instance, { ...instance, version }),
        ...fingerprintEvents(slots, instance, heard, at),
      ]
    },

    MarkStale: (slots, { instanceId, lastHeartbeatAt }: Reclaimable) => {
      const instance = instanceIn(slots, instanceId)
      return instance?.status === 'ACTIVE' ? [InstanceMarkedStale({ ...instanceIds(instance), lastHeartbeatAt })] : []
    },

    /** Flags once for the same suspicion. */
    FlagInstance: (slots, { instanceId, flag }: InstanceRef & { flag: InstanceFlag }) => {
      const instance = instanceIn(slots, instanceId)
      return !instance || instance.flags.includes(flag) ? [] : [InstanceFlagged({ ...instanceIds(instance), flag })]
    },

    /** Always appends an event, even if no slot is held, so that a concurrent activation conflicts. */
    ReleaseSlots: (_slots, ask: DataOf<typeof SlotsReleased>) => [SlotsReleased(ask)],
  },
})

const instanceOf = ({ instanceId, fingerprint, ...activated }: InstanceActivatedData, at: Date): Instance => ({
  ...activated,
  id: instanceId,
  status: 'ACTIVE',
  fingerprint: parseComponents(fingerprint),
  driftedAt: [],
  flags: [],
  activatedAt: at.toISOString(),
})

const instanceIds = ({ id, subscriptionId, customerId }: Instance) => ({ instanceId: id, subscriptionId, customerId })

export const instanceIn = ({ instances }: Slots, instanceId: string): Instance | undefined =>
  instances.find(({ id }) => id === instanceId)

export const slotHolders = ({ instances }: Slots): readonly Instance[] =>
  instances.filter(({ status }) => status !== 'DEACTIVATED')

type InstanceIdentity = Pick<ActivateInstance, 'keyThumbprint' | 'fingerprint' | 'silent'>

/** By its key in any state; by its machine only while the instance holds a slot and is silent. */
export function recognizedInstance(slots: Slots, asking: InstanceIdentity): Instance | undefined {
  const byKey = instanceWithKey(slots, asking.keyThumbprint)
  if (byKey) return byKey
  const like = mostSimilarHolder(slots, asking)
  return like && isAmong(asking.silent, like) ? like : undefined
}

export const instanceWithKey = ({ instances }: Slots, keyThumbprint: string): Instance | undefined =>
  instances.findLast((each) => each.keyThumbprint === keyThumbprint)

/** The instance with this key, if it holds a slot. */
export const slotHolderWithKey = (slots: Slots, keyThumbprint: string): Instance | undefined =>
  instanceWithKey({ instances: slotHolders(slots) }, keyThumbprint)

/** Whether it matters which holders are silent: another key asks for the slot of its own machine. */
export const asksForHeldSlot = (slots: Slots, asking: Omit<InstanceIdentity, 'silent'>): boolean =>
  !instanceWithKey(slots, asking.keyThumbprint) && mostSimilarHolder(slots, { ...asking, silent: [] }) !== undefined

/** The slot holder on the same machine; of two that match equally, the silent one. */
function mostSimilarHolder(
  slots: Slots,
  { fingerprint, silent }: Omit<InstanceIdentity, 'keyThumbprint'>,
): Instance | undefined {
  const { quiet = [], heard = [] } = Object.groupBy(slotHolders(slots), (each) =>
    isAmong(silent, each) ? 'quiet' : 'heard',
  )
  return mostSimilar([...quiet, ...heard], fingerprint)
}

const isAmong = (some: readonly Reclaimable[], { id }: Instance): boolean =>
  some.some(({ instanceId }) => instanceId === id)

/** At most once a day, so that repeated attempts fill neither the log nor a mailbox. */
function cloneSuspicion(rival: Instance, at: Date) {
  const { suspectedAt } = rival
  const isKnown = suspectedAt !== undefined && Date.parse(suspectedAt) > at.getTime() - DAY_MS
  return isKnown ? [] : [InstanceFlagged({ ...instanceIds(rival), flag: 'CLONE_SUSPECTED' })]
}

type SlotCapacity = Pick<ActivateInstance, 'maxActivations' | 'reclaimable'>

/**
 * The events that free a slot, if one is needed.
 * @throws Rejection 409
 */
function requireFreeSlot(slots: Slots, room: SlotCapacity) {
  const { maxActivations } = room
  const full = () => reject('conflict', noFreeSlot(slots, maxActivations), 'NO_FREE_SLOT')
  return freeSlotEvents(slots, room) ?? full()
}

export const noFreeSlot = (slots: Slots, maxActivations: number): string =>
  `License has no free activation slot (${slotHolders(slots).length} of ${maxActivations} in use)`

/** Undefined: no slot can be freed. */
function freeSlotEvents(slots: Slots, { maxActivations, reclaimable }: SlotCapacity) {
  const held = slotHolders(slots)
  if (held.length < maxActivations) return []
  const silent = held.length === maxActivations ? longestSilent(held, reclaimable) : undefined
  return silent && [InstanceDeactivated({ ...instanceIds(silent), reason: 'silent, and its slot was needed' })]
}

function longestSilent(held: readonly Instance[], reclaimable: readonly Reclaimable[]): Instance | undefined {
  const since = new Map(reclaimable.map((each) => [each.instanceId, Date.parse(each.lastHeartbeatAt)]))
  return held.filter(({ id }) => since.has(id)).toSorted((one, other) => since.get(one.id)! - since.get(other.id)!)[0]
}

const activatedEvent = ({ fingerprint, ...ask }: Omit<ActivateInstance, 'maxActivations' | 'reclaimable' | 'silent'>) =>
  InstanceActivated({ ...ask, fingerprint: JSON.stringify(fingerprint) })

const DESCRIPTION = ['name', 'hostname', 'version', 'os', 'arch'] as const

/** A change of the address alone is not recorded. */
function descriptionEvents(known: Instance, said: Pick<Instance, (typeof DESCRIPTION)[number] | 'ip'>) {
  if (DESCRIPTION.every((field) => known[field] === said[field])) return []
  const { name, hostname, version, os, arch, ip } = said
  return [InstanceChanged({ ...instanceIds(known), name, hostname, version, os, arch, ip })]
}

function fingerprintEvents(
  slots: Slots,
  known: Instance,
  { fingerprint, fingerprintHash }: Pick<ActivateInstance, 'fingerprint' | 'fingerprintHash'>,
  at: Date,
) {
  if (known.fingerprintHash === fingerprintHash) return []
  const drifted = isOtherHardware(known.fingerprint, fingerprint)
  const tooOften = drifted && recentDrifts(slots, known.id, at).length >= DRIFTS_FREE
  const changes = { fingerprint: JSON.stringify(fingerprint), fingerprintHash, drifted }
  return [
    InstanceFingerprintChanged({ ...instanceIds(known), ...changes }),
    ...(tooOften && !known.flags.includes('FINGERPRINT_DRIFT')
      ? [InstanceFlagged({ ...instanceIds(known), flag: 'FINGERPRINT_DRIFT' })]
      : []),
  ]
}

/** Earlier drifts that still count at a given time. */
const recentDrifts = (slots: Slots, instanceId: string, at: Date): readonly string[] =>
  (instanceIn(slots, instanceId)?.driftedAt ?? []).filter(
    (drift) => Date.parse(drift) > at.getTime() - DRIFT_DAYS * DAY_MS,
  )

const withInstance = ({ instances }: Slots, instanceId: string, change: Partial<Instance>): Slots => ({
  instances: instances.map((each) => (each.id === instanceId ? { ...each, ...change } : each)),
})

function withoutForgotten({ instances }: Slots): Slots {
  const ended = instances.filter(({ status }) => status === 'DEACTIVATED')
  const forgotten = new Set(ended.slice(0, Math.max(0, ended.length - REMEMBERED_MAX)))
  return { instances: forgotten.size === 0 ? instances : instances.filter((each) => !forgotten.has(each)) }
}
