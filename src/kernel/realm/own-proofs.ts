/** What somebody with a session does about his own password and second factor. */
import { z } from 'zod'
import type { Call } from '../http/route.ts'
import { hashBackupCodes, newBackupCodes } from '../identity/backup-codes.ts'
import { checkNewPassword } from '../identity/new-password.ts'
import { hashPassword } from '../identity/password.ts'
import { newTotpSecret, totpUri, verifyTotp } from '../identity/totp.ts'
import { found } from '../rejection.ts'
import { pendingSecret, withoutTotp, withTotp } from './account-rules.ts'
import { proveCode, provePassword } from './credentials.ts'
import type { Member, Realm, SteppingRealm } from './realm.ts'
import { invalidCredentials } from './refusals.ts'
import { givenPassword } from './signing-in.ts'
import { own } from './staying-in.ts'

const ISSUER = 'Daybook'

export const givenCode = z.string().max(64)

type With<Body> = Call<unknown, unknown, Body>

export const wordsOf = ({ email, name }: Pick<Member, 'email' | 'name'>): string[] =>
  name === null ? [email] : [email, name]

/** Every other session ends. */
export async function changePassword(realm: Realm, call: With<{ current: string; new: string }>): Promise<void> {
  const member: Member = await own(realm, call)
  await provePassword(realm, call, member, call.body.current)
  await checkNewPassword(call.body.new, { withTotp: member.totp !== undefined, forbidden: wordsOf(member) })
  const change = { verified: member.passwordHash, passwordHash: await hashPassword(call.body.new) }
  const held = realm.held(call.caller)
  await call.run(async (unit) => {
    await realm.decide.changePassword(unit, held, change)
    await realm.decide.endOthers(unit, held, 'PASSWORD_CHANGED')
  })
}

export async function stepUpByCode(realm: SteppingRealm, call: Call, code: string): Promise<void> {
  const step = await proveCode(call, await own(realm, call), code)
  await call.run((unit) => realm.decide.stepUp(unit, realm.held(call.caller), step))
}

export async function setUpTotp(realm: Realm, { run, caller }: Call): Promise<{ secret: string; otpauthUrl: string }> {
  const secret = newTotpSecret()
  const { accountId } = realm.held(caller)
  const { email }: Member = await run(async (unit) => {
    await realm.decide.setUpTotp(unit, accountId, secret)
    return found(await realm.member(unit, accountId))
  })
  return { secret, otpauthUrl: totpUri(secret, email, ISSUER) }
}

/** Every other session ends. @returns the backup codes, this once */
export async function enableTotp(realm: Realm, call: With<{ code: string }>): Promise<{ backupCodes: string[] }> {
  const member = withoutTotp<Member>(await own(realm, call))
  const secret = pendingSecret(member, call.now)
  // Without a counter: whoever asks was just given the secret.
  const step = verifyTotp(secret, call.body.code, { at: call.now, lastStep: member.lastStep }) ?? invalidCredentials()
  const codes = newBackupCodes()
  const backupCodes = await hashBackupCodes(codes)
  const held = realm.held(call.caller)
  await call.run(async (unit) => {
    await realm.decide.enableTotp(unit, held, { secret, step, backupCodes })
    await realm.decide.endOthers(unit, held, 'TOTP_CHANGED')
  })
  return { backupCodes: codes }
}

/** The password must be long enough to stand alone from now on. Every other session ends. */
export async function disableTotp(realm: Realm, call: With<{ password: string; code: string }>): Promise<void> {
  const member = withTotp<Member>(await own(realm, call))
  await provePassword(realm, call, member, call.body.password)
  await checkNewPassword(call.body.password, { withTotp: false })
  const step = await proveCode(call, member, call.body.code)
  const held = realm.held(call.caller)
  await call.run(async (unit) => {
    await realm.decide.disableTotp(unit, held, { verified: member.passwordHash, step })
    await realm.decide.endOthers(unit, held, 'TOTP_CHANGED')
  })
}

export const PasswordChange = z.strictObject({ current: givenPassword, new: givenPassword })
export const Code = z.strictObject({ code: givenCode })
export const PasswordAndCode = z.strictObject({ password: givenPassword, code: givenCode })
export const TotpSetUp = z.object({ secret: z.string(), otpauthUrl: z.string() })
export const BackupCodes = z.object({ backupCodes: z.array(z.string()) })
