import { resetSecondFactor } from '../panel/identity/reset-second-factor.ts'
import { Rejection } from '../kernel/rejection.ts'
import { withCore } from './installation.ts'
import type { Which } from './which.ts'

/** Whoever may run commands on the host can let somebody in again who has lost his second factor. */
export async function resetTwoFactor([email]: readonly string[], which: Which): Promise<number> {
  if (!email) {
    console.error(`Usage: ${which.called} reset-2fa EMAIL`)
    return 2
  }
  return withCore(async (core, place) => {
    await resetSecondFactor(core, email).catch((error: unknown) => {
      if (!(error instanceof Rejection)) throw error
      throw new Error(
        error.statusCode === 404
          ? `Nobody in ${place} has the e-mail address ${email}. Check its spelling.`
          : `${email} has no second factor: ${error.message}.`,
      )
    })
    console.log(`The second factor of ${email} in ${place} is off, and all sessions of the account have ended.`)
    return 0
  }, which)
}
