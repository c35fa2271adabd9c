import { readablePassword } from '../evaluation/readable-password.ts'
import { Rejection } from '../kernel/lib/rejection.ts'
import { resetStaffPassword } from '../licensing/access/staff-accounts.ts'
import { StaffSessionEnded } from '../licensing/auth/events.ts'
import { withCore } from './installation.ts'
import { liftedLocksText } from './lifted-locks.ts'

const ENDED_WITHIN_MS = 5_000

/**
 * An operator who can run commands on the host can reset a staff password. The audit trail names the
 * system as the actor.
 */
export async function staff([command, email]: readonly string[]): Promise<number> {
  if (command !== 'reset-password' || !email) {
    console.error('Usage: daybook staff reset-password EMAIL')
    return 2
  }
  const password = readablePassword()
  return withCore(async (core, place) => {
    const lifted = await resetStaffPassword(core, email, password).catch((error: unknown) =>
      refuseUnknown(error, email, place),
    )
    console.log(`The new password of ${email} in ${place}, shown only this once:\n\n  ${password}\n`)
    console.log(liftedLocksText(lifted))
    await core.projector.catchUp()
    if (
      await core.projector.waitUntilCaughtUp(
        { types: [StaffSessionEnded.type], position: await core.store.head() },
        ENDED_WITHIN_MS,
      )
    ) {
      console.log('All sessions of the account have ended.')
      return 0
    }
    console.error(
      'The sessions of the account are still accepted, because the read models are stalled: run "daybook doctor" to find the reason.',
    )
    return 1
  })
}

function refuseUnknown(error: unknown, email: string, place: string): never {
  if (!(error instanceof Rejection && error.statusCode === 404)) throw error
  throw new Error(`No staff account of ${place} has the e-mail address ${email}. Check its spelling.`)
}
