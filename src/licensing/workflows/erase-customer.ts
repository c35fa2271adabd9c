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
  // After the event, because a destroyed key cannot be restored. If the process dies here, the
  // erasure loop destroys the keys.
  await vault.erase([...erasedSubjects(id), ...(await panelSubjects(read, id))])
  // Attempts were counted by address, and the address may belong to another customer next.
  await liftLocks(telemetry, customerRealm, { id, emailKey })
}

/**
 * One append, so that no read shows an erased customer with a license. A concurrent sale makes the
 * command start again.
 */
async function erase(unit: UnitOfWork, id: string, emailKey: string): Promise<void> {
  const { subscriptionIds } = found(await unit.load(customers, id))
  await unit.decide(customers, id, 'EraseCustomer', { emailKey })
  await endShopSessions(unit, id, 'ERASED')
  for (const each of subscriptionIds)
    await decideSubscription(unit, each, 'CancelSubscription', { reason: 'customer erased' })
}
