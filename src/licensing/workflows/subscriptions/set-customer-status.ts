/** Suspending customers and activating them again. Whoever is suspended is out of the shop for good, not until he is active again. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { CommandInputOf } from '#kernel/events/decider'
import { customers } from '../../customers/decider.ts'
import { endShopSessions } from '../../access/customer-realm.ts'

/** @returns nothing where he was so already. @throws Rejection 404, or 409 for a customer who is erased */
export async function setCustomerStatus(
  unit: UnitOfWork,
  customerId: string,
  change: CommandInputOf<typeof customers, 'SetCustomerStatus'>,
): Promise<readonly unknown[]> {
  const decided = await unit.decide(customers, customerId, 'SetCustomerStatus', change)
  if (change.status === 'SUSPENDED') await endShopSessions(unit, customerId, 'SUSPENDED')
  return decided
}
