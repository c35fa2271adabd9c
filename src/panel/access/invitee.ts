/** Recipient of a membership: an account, or an invited address without an account yet. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import { users } from '../users/decider.ts'

interface InvitedAddress {
  readonly emailKey: string
  readonly email: string
}

/** @throws Rejection 400 UNKNOWN_USER */
export async function resolveInvitee(unit: UnitOfWork, given: string | undefined, invited: InvitedAddress | undefined) {
  const userId =
    given === undefined ? await userWithVerifiedEmail(unit, invited!.emailKey) : await requireAccount(unit, given)
  return userId === undefined ? { userId: null, invited: invited! } : { userId, invited: null }
}

/** The account that has proven the address, if any. */
async function userWithVerifiedEmail(unit: UnitOfWork, emailKey: string): Promise<string | undefined> {
  const userId = await unit.holderOf('userEmail', emailKey)
  const user = userId === undefined ? undefined : await unit.look(users, userId)
  return user?.isVerified ? userId : undefined
}

async function requireAccount(unit: UnitOfWork, userId: string): Promise<string> {
  if (!(await unit.look(users, userId))) reject('invalid', 'No account has this userId', 'UNKNOWN_USER')
  return userId
}
