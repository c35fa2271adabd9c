import { z } from 'zod'
import { route } from '#kernel/http/route'
import { hashBackupCodes, newBackupCodes } from '#kernel/identity/backup-codes'
import { checkNewPassword } from '#kernel/identity/new-password'
import { newTotpSecret, totpUri, verifyTotp } from '#kernel/identity/totp'
import { found } from '#kernel/rejection'
import { staff as staffOnly } from '../../identity/access.ts'
import { staffOf } from '../../identity/staff-caller.ts'
import { proveCode, provePassword } from '../../identity/staff-credentials.ts'
import { invalidCredentials } from '../../identity/staff-refusals.ts'
import { pendingSecret, staff, withoutTotp, withTotp } from '../../staff/decider.ts'
import { staffSessions } from '../decider.ts'

const ISSUER = 'Daybook'
const code = z.string().max(64)

export const secondFactorRoutes = [
  route('POST /api/admin/auth/2fa/setup', {
    does: 'Begin to set up a second factor. The secret holds for ten minutes, until a code of it is shown to enable.',
    access: staffOnly(),
    reply: z.object({ secret: z.string(), otpauthUrl: z.string() }),
    shownOnce: ['secret', 'otpauthUrl'],
    async handle({ run, caller }) {
      const { staffId } = staffOf(caller)
      const secret = newTotpSecret()
      const { email } = await run(async (unit) => {
        await unit.decide(staff, staffId, 'SetUpTotp', { secret })
        return found(await unit.load(staff, staffId))
      })
      return { secret, otpauthUrl: totpUri(secret, email, ISSUER) }
    },
  }),

  route('POST /api/admin/auth/2fa/enable', {
    does: 'Enable the second factor with a code of the secret just set up. Answers ten backup codes, this once, and ends my other sessions.',
    access: staffOnly(),
    body: z.strictObject({ code }),
    reply: z.object({ backupCodes: z.array(z.string()) }),
    shownOnce: ['backupCodes'],
    async handle({ run, caller, body, now }) {
      const { staffId, sid: staffSessionId } = staffOf(caller)
      const person = withoutTotp(found(await run((unit) => unit.load(staff, staffId))))
      const secret = pendingSecret(person, now)
      // Without a counter: whoever asks was just given the secret.
      const step = verifyTotp(secret, body.code, { at: now, lastStep: person.lastStep }) ?? invalidCredentials()
      const codes = newBackupCodes()
      const backupCodes = await hashBackupCodes(codes)
      await run(async (unit) => {
        await unit.decide(staff, staffId, 'EnableTotp', { secret, step, backupCodes, staffSessionId })
        await unit.decide(staffSessions, staffId, 'EndOtherSessions', { staffSessionId, reason: 'TOTP_CHANGED' })
      })
      return { backupCodes: codes }
    },
  }),

  route('POST /api/admin/auth/2fa/disable', {
    does: 'Disable the second factor. Needs the password, which must be long enough to stand alone, and a code not used before.',
    access: staffOnly(),
    body: z.strictObject({ password: z.string().min(1).max(1_024), code }),
    async handle(call) {
      const { staffId, sid: staffSessionId } = staffOf(call.caller)
      const person = withTotp(found(await call.run((unit) => unit.load(staff, staffId))))
      await provePassword(call, person, call.body.password)
      await checkNewPassword(call.body.password, { withTotp: false })
      const step = await proveCode(call, person, call.body.code)
      const proof = { verified: person.passwordHash, step, staffSessionId }
      await call.run(async (unit) => {
        await unit.decide(staff, staffId, 'DisableTotp', proof)
        await unit.decide(staffSessions, staffId, 'EndOtherSessions', { staffSessionId, reason: 'TOTP_CHANGED' })
      })
    },
  }),
]
