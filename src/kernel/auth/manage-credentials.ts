/** Changes of a signed-in user's own password and second factor. */
import { z } from 'zod'
import { AttemptCounter } from '../credentials/attempt-counter.ts'
import { hashBackupCodes, newBackupCodes } from '../credentials/backup-codes.ts'
import { accountShare } from '../credentials/fair-queue.ts'
import { checkNewPassword, newPasswordInput } from '../credentials/password-policy.ts'
import { hashPassword } from '../credentials/password.ts'
import { newTotpSecret, totpUri, verifyTotp } from '../credentials/totp.ts'
import type { HandlerContext } from '../http/route.ts'
import { reject } from '../lib/rejection.ts'
import { pendingSecret, requireNoTotp, requireTotp } from './account-rules.ts'
import type { RealmAccount, Realm, StepUpRealm } from './realm.ts'
import { ownAccount } from './refresh.ts'
import { invalidCredentials } from './rejections.ts'
import { passwordInput } from './sign-in.ts'
import { passwordAttempt, proveCode, proveCodeInSession, provePassword } from './verify-credentials.ts'

const ISSUER = 'Daybook'

export const codeInput = z.string().max(64)

type BodyContext<Body> = HandlerContext<unknown, unknown, Body>

export const forbiddenWordsOf = ({ email, name }: Pick<RealmAccount, 'email' | 'name'>): string[] =>
  name === null ? [email] : [email, name]

/** Ends every other session. Failed guesses at the old password neither delay nor lock the new one. */
export async function changePassword(realm: Realm, call: BodyContext<{ current: string; new: string }>): Promise<void> {
  const member: RealmAccount = await ownAccount(realm, call)
  const proof = await provePassword(realm, call, member, call.body.current)
  await checkNewPassword(call.body.new, { withTotp: member.totp !== undefined, forbidden: forbiddenWordsOf(member) })
  const change = { ...proof, passwordHash: await hashPassword(call.body.new, accountShare(member.id)) }
  const held = realm.sessionIdentityOf(call.caller)
  await call.run(async (unit) => {
    await realm.decide.changePassword(unit, held, change)
    await realm.decide.endOthers(unit, held, 'PASSWORD_CHANGED')
  })
  await new AttemptCounter(call.telemetry).reset(passwordAttempt(realm, member))
}

/**
 * Needs a code if a second factor is enabled, because the password alone would prove less than signing
 * in. Otherwise needs the password.
 */
export async function stepUp(realm: StepUpRealm, call: BodyContext<z.output<typeof Proof>>): Promise<void> {
  const { body } = call
  const member: RealmAccount = await ownAccount(realm, call)
  if ('password' in body && member.totp)
    reject('conflict', 'The second factor is enabled: send a code instead of the password', 'TOTP_ENABLED')
  const proof =
    'code' in body
      ? { step: await proveCodeInSession(realm, call, member, body.code) }
      : await provePassword(realm, call, member, body.password)
  await call.run((unit) => realm.decide.stepUp(unit, realm.sessionIdentityOf(call.caller), proof))
}

/** The secret is bound to the caller's session: only that session may enable it. */
export async function setUpTotp(
  realm: Realm,
  call: BodyContext<{ password: string }>,
): Promise<{ secret: string; otpauthUrl: string }> {
  const member = requireNoTotp<RealmAccount>(await ownAccount(realm, call))
  const proof = await provePassword(realm, call, member, call.body.password)
  const secret = newTotpSecret()
  await call.run((unit) => realm.decide.setUpTotp(unit, realm.sessionIdentityOf(call.caller), { ...proof, secret }))
  return { secret, otpauthUrl: totpUri(secret, member.email, ISSUER) }
}

/**
 * Ends every other session.
 * @returns the backup codes, which are shown only this once
 */
export async function enableTotp(
  realm: Realm,
  call: BodyContext<{ password: string; code: string }>,
): Promise<{ backupCodes: string[] }> {
  const member = requireNoTotp<RealmAccount>(await ownAccount(realm, call))
  const held = realm.sessionIdentityOf(call.caller)
  const secret = pendingSecret(member, held.sessionId, call.now)
  const proof = await provePassword(realm, call, member, call.body.password)
  // Not counted as an attempt: the caller knows the secret of these codes.
  const step = verifyTotp(secret, call.body.code, { at: call.now, lastStep: member.lastStep }) ?? invalidCredentials()
  const codes = newBackupCodes()
  const backupCodes = await hashBackupCodes(codes, accountShare(member.id))
  await call.run(async (unit) => {
    await realm.decide.enableTotp(unit, held, { ...proof, secret, step, backupCodes })
    await realm.decide.endOthers(unit, held, 'TOTP_CHANGED')
  })
  return { backupCodes: codes }
}

/** The password must satisfy the policy without a second factor. Ends every other session. */
export async function disableTotp(realm: Realm, call: BodyContext<{ password: string; code: string }>): Promise<void> {
  const member = requireTotp<RealmAccount>(await ownAccount(realm, call))
  const proof = await provePassword(realm, call, member, call.body.password)
  await checkNewPassword(call.body.password, { withTotp: false })
  const step = await proveCode(realm, call, member, call.body.code)
  const held = realm.sessionIdentityOf(call.caller)
  await call.run(async (unit) => {
    await realm.decide.disableTotp(unit, held, { ...proof, step })
    await realm.decide.endOthers(unit, held, 'TOTP_CHANGED')
  })
}

export const PasswordChange = z.strictObject({ current: passwordInput, new: newPasswordInput })
export const Password = z.strictObject({ password: passwordInput })
/** The account decides which of the two is required. */
export const Proof = z.union([z.strictObject({ code: codeInput }), Password])
export const PasswordAndCode = z.strictObject({ password: passwordInput, code: codeInput })
export const TotpSetUp = z.object({ secret: z.string(), otpauthUrl: z.string() })
export const BackupCodes = z.object({ backupCodes: z.array(z.string()) })
