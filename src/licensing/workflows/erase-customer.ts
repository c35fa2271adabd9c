import { liftLocks } from '#kernel/auth/verify-credentials'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { normalisedEmail } from '#kernel/credentials/email-address'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import type { Vault } from '#kernel/vault/vault'
import { panelSubjects } from '#projections/licensing/customers'
import { customerRealm, endShopSessions } from '../access/customer-realm.ts'
import { customers } from '../customers/decider.ts'
import { erasedSubjects } from '../customers/events.ts'
import { decideSubscription } from './subscriptions/decide.ts'

export const emailKeyOf = (vault: Vault, email: string): Promise<string> => vault.hmac('pepper', normalisedEmail(email))

/** @throws Rejection 404 for an unknown customer, 400 for another address */
export async function eraseCustomer(
  { run, read, vault, telemetry }: Pick<HandlerContext, 'run' | 'read' | 'vault' | 'telemetry'>,
  id: string,
  confirmEmail: string,
): Promise<void> {
  const emailKey = await emailKeyOf(vault, confirmEmail)
  await run((unit) => erase(unit, id, emailKey))
  // After the event, since a key cannot be brought back; whoever does not live to do it leaves it to the erasure loop.
  await vault.erase([...erasedSubjects(id), ...(await panelSubjects(read, id))])
  // Guesses at the password were counted by the address, which may be another customer's next.
  await liftLocks(telemetry, customerRealm, { id, emailKey })
}

/** One append: nobody sees a customer who is erased and yet licensed. Whoever sells to him meanwhile makes it start again. */
async function erase(unit: UnitOfWork, id: string, emailKey: string): Promise<void> {
  const { subscriptionIds } = found(await unit.load(customers, id))
  await unit.decide(customers, id, 'EraseCustomer', { emailKey })
  await endShopSessions(unit, id, 'ERASED')
  for (const each of subscriptionIds)
    await decideSubscription(unit, each, 'CancelSubscription', { reason: 'customer erased' })
}
