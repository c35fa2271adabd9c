/** To whom a membership is given: an account, or an address that waits for one. */
import type { Unit } from '#kernel/commands/command-runner'
import { reject } from '#kernel/lib/rejection'
import { users } from '../users/decider.ts'

interface Invited {
  readonly emailKey: string
  readonly email: string
}

/** @throws Rejection 400 UNKNOWN_USER */
export async function newcomer(unit: Unit, given: string | undefined, invited: Invited | undefined) {
  const userId = given === undefined ? await provenBy(unit, invited!.emailKey) : await accountCalled(unit, given)
  return userId === undefined ? { userId: null, invited: invited! } : { userId, invited: null }
}

/** The account that has proven the address, if there is one. */
async function provenBy(unit: Unit, emailKey: string): Promise<string | undefined> {
  const userId = await unit.holderOf('userEmail', emailKey)
  const user = userId === undefined ? undefined : await unit.look(users, userId)
  return user?.isVerified ? userId : undefined
}

async function accountCalled(unit: Unit, userId: string): Promise<string> {
  if (!(await unit.look(users, userId))) reject('invalid', 'No account has this userId', 'UNKNOWN_USER')
  return userId
}
