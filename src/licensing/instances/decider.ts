/** Who holds a slot (licensing.md 7 and 8). The cap is exact because all that take or free one are decided in one stream. */
import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
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
import type { Components, Flag } from './events.ts'
import { componentsIn, isMoved, recognised } from './fingerprint-rules.ts'

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
  /** When a clone of it was suspected last; absent: never. */
  readonly suspectedAt?: string
  /** When it took the slot that it has or had. */
  readonly activatedAt: string
}

export interface Slots {
  /** Oldest first. */
  readonly instances: readonly Instance[]
}

/** Silent for so long that another panel may have its slot. */
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
  /** Those that lose their slot to a panel with another key on the same machine. What is not among them is still heard. */
  readonly silent: readonly Reclaimable[]
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
    InstanceFlagged: (slots, { instanceId, flag }, at) => {
      const flags = [...new Set([...(instanceIn(slots, instanceId)?.flags ?? []), flag])]
      const isClone = flag === 'CLONE_SUSPECTED'
      return changed(slots, instanceId, { flags, ...(isClone ? { suspectedAt: at.toISOString() } : {}) })
    },
    SlotsReleased: ({ instances }) =>
      remembered({ instances: instances.map((each) => ({ ...each, status: 'DEACTIVATED' as const })) }),
  },
  commands: {
    /**
     * The same panel gets the slot that it has, and so does the same machine, but not the slot of a panel that is still heard.
     * Anything else needs a free slot. Where there is none, and a panel that is still heard is in the way of its own machine, no
     * slot is given and a clone is suspected: the caller finds that out by `holderOf`.
     */
    ActivateInstance: (slots, asked: ActivateInstance, { at }) => {
      const { maxActivations, reclaimable, silent: _silent, ...ask } = asked
      const known = knownAs(slots, asked)
      const room = { maxActivations, reclaimable }
      if (!known) {
        const rival = likest(slots, asked)
        return rival && !freed(slots, room) ? suspected(rival, at) : [...roomFor(slots, room), activated(ask)]
      }
      return [
        ...(known.status === 'DEACTIVATED' ? [...roomFor(slots, room), InstanceReactivated(which(known))] : []),
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

type Asking = Pick<ActivateInstance, 'keyThumbprint' | 'fingerprint' | 'silent'>

/** By its key, whatever became of it; by its machine only while it holds a slot and is silent. */
export function knownAs(slots: Slots, asking: Asking): Instance | undefined {
  const byKey = withKey(slots, asking.keyThumbprint)
  if (byKey) return byKey
  const like = likest(slots, asking)
  return like && isAmong(asking.silent, like) ? like : undefined
}

export const withKey = ({ instances }: Slots, keyThumbprint: string): Instance | undefined =>
  instances.findLast((each) => each.keyThumbprint === keyThumbprint)

/** The panel with a key, where it holds a slot. */
export const holderOf = (slots: Slots, keyThumbprint: string): Instance | undefined =>
  withKey({ instances: holding(slots) }, keyThumbprint)

/** Who holds a slot on the same machine; of two that are equally like it, the silent one. */
function likest(slots: Slots, { fingerprint, silent }: Omit<Asking, 'keyThumbprint'>): Instance | undefined {
  const { quiet = [], heard = [] } = Object.groupBy(holding(slots), (each) =>
    isAmong(silent, each) ? 'quiet' : 'heard',
  )
  return recognised([...quiet, ...heard], fingerprint)
}

const isAmong = (some: readonly Reclaimable[], { id }: Instance): boolean =>
  some.some(({ instanceId }) => instanceId === id)

/** Once a day, so that a caller who tries again and again fills neither the log nor a mailbox. */
function suspected(rival: Instance, at: Date) {
  const { suspectedAt } = rival
  const isKnown = suspectedAt !== undefined && Date.parse(suspectedAt) > at.getTime() - DAY_MS
  return isKnown ? [] : [InstanceFlagged({ ...which(rival), flag: 'CLONE_SUSPECTED' })]
}

type Room = Pick<ActivateInstance, 'maxActivations' | 'reclaimable'>

/** What has to happen so that there is a free slot. @throws Rejection 409 */
function roomFor(slots: Slots, room: Room) {
  const { maxActivations } = room
  const full = () => reject('conflict', noFreeSlot(slots, maxActivations), 'NO_FREE_SLOT')
  return freed(slots, room) ?? full()
}

export const noFreeSlot = (slots: Slots, maxActivations: number): string =>
  `License has no free activation slot (${holding(slots).length} of ${maxActivations} in use)`

/** Undefined: no slot can be had. */
function freed(slots: Slots, { maxActivations, reclaimable }: Room) {
  const held = holding(slots)
  if (held.length < maxActivations) return []
  const silent = held.length === maxActivations ? longestSilent(held, reclaimable) : undefined
  return silent && [InstanceDeactivated({ ...which(silent), reason: 'silent, and its slot was needed' })]
}

function longestSilent(held: readonly Instance[], reclaimable: readonly Reclaimable[]): Instance | undefined {
  const since = new Map(reclaimable.map((each) => [each.instanceId, Date.parse(each.lastHeartbeatAt)]))
  return held.filter(({ id }) => since.has(id)).toSorted((one, other) => since.get(one.id)! - since.get(other.id)!)[0]
}

const activated = ({ fingerprint, ...ask }: Omit<ActivateInstance, 'maxActivations' | 'reclaimable' | 'silent'>) =>
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
