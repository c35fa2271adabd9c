import { resetSecondFactor } from '../panel/access/reset-second-factor.ts'
import { Rejection } from '../kernel/lib/rejection.ts'
import { withCore } from './installation.ts'
import { hasLiftedLocks, liftedLocksText } from './lifted-locks.ts'
import type { ServiceProfile } from './service-profile.ts'

/** Whoever may run commands on the host can let an account in again that is locked or has lost its second factor. */
export async function resetTwoFactor([email]: readonly string[], which: ServiceProfile): Promise<number> {
  if (!email) {
    console.error(`Usage: ${which.commandPrefix} reset-2fa EMAIL`)
    return 2
  }
  return withCore(async (core, place) => {
    const { hadSecondFactor, ...lifted } = await resetSecondFactor(core, email).catch((error: unknown) => {
      if (!(error instanceof Rejection && error.statusCode === 404)) throw error
      throw new Error(`Nobody in ${place} has the e-mail address ${email}. Check its spelling.`)
    })
    if (!hadSecondFactor && !hasLiftedLocks(lifted))
      throw new Error(`${email} in ${place} has no second factor, and no failed sign-in had locked or delayed it.`)
    console.log(
      hadSecondFactor
        ? `The second factor of ${email} in ${place} is off, and all sessions of the account have ended.`
        : `${email} in ${place} has no second factor.`,
    )
    console.log(liftedLocksText(lifted))
    return 0
  }, which)
}
