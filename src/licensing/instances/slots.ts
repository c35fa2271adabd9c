/** The activation slots of a subscription, for code that ends a license, looks at one or gives a slot. */
import type { Kysely } from 'kysely'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import { silentSince } from '#projections/licensing/instances'
import { slotHolders, licenseSlots, noFreeSlot } from './decider.ts'
import type { Reclaimable, Slots } from './decider.ts'
import type { License } from '../licenses/rules.ts'

/** Heartbeats. A panel that misses as many may lose its slot to its own machine with another key. */
const HEARD_PERIODS = 2

/**
 * Belongs into the unit of every end of a license that no other license takes the place of, whether or not a slot is taken: an
 * activation that has not seen the end loses the race for this stream, and looks again.
 */
export async function releaseSlots(
  unit: UnitOfWork,
  subscription: { readonly id: string; readonly customerId: string },
) {
  const { id: subscriptionId, customerId } = subscription
  await unit.decide(licenseSlots, subscriptionId, 'ReleaseSlots', { subscriptionId, customerId })
}

/** How many slots of a subscription are taken. */
export const countTakenSlots = async (unit: UnitOfWork, subscriptionId: string): Promise<number> =>
  slotHolders(await unit.look(licenseSlots, subscriptionId)).length

type SlotTerms = Pick<License, 'subscriptionId' | 'heartbeatSeconds' | 'maxActivations'>

const heardSeconds = ({ heartbeatSeconds }: SlotTerms): number => HEARD_PERIODS * heartbeatSeconds

/** The panels that a machine with another key takes the slot of. A lease file speaks for its panel until it ends. */
export const silentPanels = (read: Kysely<any>, terms: SlotTerms, at: Date): Promise<Reclaimable[]> =>
  silentSince(read, terms.subscriptionId, new Date(at.getTime() - heardSeconds(terms) * 1_000))

/** @throws Rejection 409 that says what to do */
export function refuseOccupiedSlot(slots: Slots, terms: SlotTerms): never {
  const lately = inWords(heardSeconds(terms))
  const why = `A panel that was heard within the last ${lately}, or has a lease file that still holds, has the slot of this machine.`
  const what = `Deactivate that instance in the shop or have it deactivated, or try again once it has been silent for ${lately}.`
  return reject('conflict', `${noFreeSlot(slots, terms.maxActivations)}. ${why} ${what}`, 'PANEL_STILL_HEARD')
}

const inWords = (seconds: number): string =>
  seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`
