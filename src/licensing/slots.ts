/** The activation slots of a subscription, for whoever ends a license or looks at one. */
import type { Unit } from '#kernel/command'
import { holding, licenseSlots } from './instances/decider.ts'

/**
 * Belongs into the unit of every end of a license that no other license takes the place of, whether or not a slot is taken: an
 * activation that has not seen the end loses the race for this stream, and looks again.
 */
export async function releaseSlots(unit: Unit, subscription: { readonly id: string; readonly customerId: string }) {
  const { id: subscriptionId, customerId } = subscription
  await unit.decide(licenseSlots, subscriptionId, 'ReleaseSlots', { subscriptionId, customerId })
}

/** How many slots of a subscription are taken. */
export const takenSlots = async (unit: Unit, subscriptionId: string): Promise<number> =>
  holding(await unit.look(licenseSlots, subscriptionId)).length
