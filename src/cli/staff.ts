import { randomInt } from 'node:crypto'
import { openCore } from '../app.ts'
import { logger } from '../kernel/log.ts'
import { resetStaffPassword } from '../licensing/identity/staff-accounts.ts'
import { installation } from './installation.ts'

const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const PASSWORD_LENGTH = 24

/** Whoever may run commands on the host can let a member of staff in again. It is audited as done by the system. */
export async function staff([command, email, ...more]: readonly string[]): Promise<number> {
  if (command !== 'reset-password' || !email || more.length > 0) {
    console.error('Usage: daybook staff reset-password EMAIL')
    return 2
  }
  const { config, place, close } = await installation(process.env)
  const core = await openCore(config, logger({ level: config.logLevel, destination: process.stderr }))
  const password = Array.from({ length: PASSWORD_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  try {
    await resetStaffPassword(core, email, password)
    await core.projector.catchUp()
    console.log(
      `The new password of ${email} in ${place}, shown this once:\n\n  ${password}\n\nAll of its sessions have ended.`,
    )
    return 0
  } finally {
    await core.close()
    await close()
  }
}
