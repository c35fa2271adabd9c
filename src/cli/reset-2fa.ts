import { Rejection } from '../kernel/lib/rejection.ts'
import { resetSecondFactor } from '../panel/access/reset-second-factor.ts'
import { withCore } from './installation.ts'
import { hasLiftedLocks, liftedLocksText } from './lifted-locks.ts'
import type { ServiceProfile } from './service-profile.ts'

/** An operator who can run commands on the host can unlock an account, or remove its lost second factor. */
export async function resetTwoFactor([email]: readonly string[], which: ServiceProfile): Promise<number> {
  if (!email) {
    console.error(`Usage: ${which.commandPrefix} reset-2fa EMAIL`)
    return 2
  }
  return withCore(async (core, place) => {
    const { hadSecondFactor, ...lifted } = await resetSecondFactor(core, email).catch((error: unknown) => {
      if (!(error instanceof Rejection && error.statusCode === 404)) throw error
      throw new Error(`No account in ${place} has the e-mail address ${email}. Check its spelling.`)
    })
    if (!hadSecondFactor && !hasLiftedLocks(lifted))
      throw new Error(`${email} in ${place} has no second factor, and the account is neither locked nor delayed.`)
    console.log(
      hadSecondFactor
        ? `The second factor of ${email} in ${place} is removed, and all sessions of the account have ended.`
        : `${email} in ${place} has no second factor.`,
    )
    console.log(liftedLocksText(lifted))
    return 0
  }, which)
}
