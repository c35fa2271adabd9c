/**
 * Suspends and reactivates customers. A suspension ends all shop sessions, and reactivation does
 * not restore them.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { CommandInputOf } from '#kernel/events/decider'
import { endShopSessions } from '../../access/customer-realm.ts'
import { customers } from '../../customers/decider.ts'

/**
 * @returns nothing if the status is unchanged.
 * @throws Rejection 404, or 409 for an erased customer
 */
export async function setCustomerStatus(
  unit: UnitOfWork,
  customerId: string,
  change: CommandInputOf<typeof customers, 'SetCustomerStatus'>,
): Promise<readonly unknown[]> {
  const decided = await unit.decide(customers, customerId, 'SetCustomerStatus', change)
  if (change.status === 'SUSPENDED') await endShopSessions(unit, customerId, 'SUSPENDED')
  return decided
}
