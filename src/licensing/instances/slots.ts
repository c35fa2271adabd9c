/** The activation slots of a subscription, for code that ends a license, reads slots or assigns one. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { silentSince } from '#projections/licensing/instances'
import type { License } from '../licenses/rules.ts'
import { slotHolders, licenseSlots, noFreeSlot } from './decider.ts'
import type { Reclaimable, Slots } from './decider.ts'

/** In heartbeats. A panel that misses this many may lose its slot to its own machine with another key. */
const HEARD_PERIODS = 2

/**
 * Call it in every unit of work that ends a license without a successor, even if no slot is taken.
 * A concurrent activation then conflicts on this stream and reads again.
 */
export async function releaseSlots(
  unit: UnitOfWork,
  subscription: { readonly id: string; readonly customerId: string },
) {
  const { id: subscriptionId, customerId } = subscription
  await unit.decide(licenseSlots, subscriptionId, 'ReleaseSlots', { subscriptionId, customerId })
}

/** Frees the slot of an instance. Repeating it changes nothing. */
export async function deactivateInstance(
  unit: UnitOfWork,
  { subscriptionId, instanceId, reason }: { subscriptionId: string; instanceId: string; reason: string | null },
): Promise<void> {
  await unit.decide(licenseSlots, subscriptionId, 'DeactivateInstance', { instanceId, reason })
}

/** The number of taken slots of a subscription. */
export const countTakenSlots = async (unit: UnitOfWork, subscriptionId: string): Promise<number> =>
  slotHolders(await unit.look(licenseSlots, subscriptionId)).length

type SlotTerms = Pick<License, 'subscriptionId' | 'heartbeatSeconds' | 'maxActivations'>

const heardSeconds = ({ heartbeatSeconds }: SlotTerms): number => HEARD_PERIODS * heartbeatSeconds

/**
 * Panels whose slot the same machine may take with another key. A lease file counts as a sign of
 * life until it ends.
 */
export const silentPanels = (read: ReadDatabase, terms: SlotTerms, at: Date): Promise<Reclaimable[]> =>
  silentSince(read, terms.subscriptionId, new Date(at.getTime() - heardSeconds(terms) * 1_000))

/** @throws Rejection 409 with a message that says what to do */
export function refuseOccupiedSlot(slots: Slots, terms: SlotTerms): never {
  const lately = inWords(heardSeconds(terms))
  const why = `A panel that was active within the last ${lately}, or has a valid lease file, holds the slot of this machine.`
  const what = `Deactivate that instance in the shop, ask the seller to deactivate it, or try again after it has been silent for ${lately}.`
  return reject('conflict', `${noFreeSlot(slots, terms.maxActivations)}. ${why} ${what}`, 'PANEL_STILL_HEARD')
}

const inWords = (seconds: number): string =>
  seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`
