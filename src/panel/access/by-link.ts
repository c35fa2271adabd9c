/** What is done with one-time links: asked for by anybody, used by whoever reads the mailbox. */
import { z } from 'zod'
import type { Unit } from '#kernel/commands/command-runner'
import { answer } from '#kernel/http/route'
import type { Answer, Call } from '#kernel/http/route'
import { Attempts } from '#kernel/credentials/attempt-counter'
import { accountPlace } from '#kernel/credentials/fair-queue'
import { checkNewPassword } from '#kernel/credentials/password-policy'
import { hashPassword } from '#kernel/credentials/password'
import { hashSecret, isSecret, newSecret } from '#kernel/credentials/secret-token'
import { passwordTry } from '#kernel/auth/verify-credentials'
import { forgetIdle, limitedByBlock, LINK_ASKERS } from '#kernel/auth/caller-limits'
import { linkHolder } from '#kernel/auth/link-attempts'
import { givenCode, wordsOf } from '#kernel/auth/manage-credentials'
import { actorOf, STRANGER } from '#kernel/auth/realm'
import { emailKeyOf, givenPassword, granted, secondFactor, userAgentOf } from '#kernel/auth/sign-in'
import { invalidSession } from '#kernel/auth/refusals'
import { userSessions } from '../auth/decider.ts'
import { revokeKeysOf } from '../workflows/api-keys.ts'
import { byLink, linkInvalid, userRoster, users } from '../users/decider.ts'
import type { User } from '../users/decider.ts'
import type { LinkPurpose } from '../users/events.ts'
import { noteAsked } from './user-links.ts'
import { endUserSessions, userRealm } from './user-realm.ts'
import type { SigningUser } from './user-realm.ts'

export const Forgotten = z.strictObject({ email: z.string().min(1).max(320) })
const token = z.string().max(100)
export const Verification = z.strictObject({ token, totp: givenCode.optional() })
/** With a password go no API keys, unless whoever chooses it says so: another may have made some. */
export const NewPassword = z.strictObject({ token, password: givenPassword, revokeApiKeys: z.boolean().default(false) })

type With<Body> = Call<unknown, unknown, Body>

const ON_ITS_WAY = 'If that address has an account that needs it, a mail is on its way'

/** Writes down that it was asked; whether there is an account is found out later, so neither answer nor time tells. */
export async function askForLink(
  call: With<z.output<typeof Forgotten>>,
  purpose: 'VERIFY' | 'RESET',
): Promise<Answer<{ message: string }>> {
  await limitedByBlock(call, LINK_ASKERS)
  const emailKey = await emailKeyOf(call.vault, call.body.email)
  await forgetIdle(call, LINK_ASKERS)
  await call.runUntold(async (unit) => noteAsked(unit, { purpose, emailKey, isMuted: false }), STRANGER)
  return answer({ message: ON_ITS_WAY }, 202)
}

/** The token counts once, for a session: with a second factor only together with a code of it. @throws Rejection 400 LINK_INVALID | 401 */
export async function verifyEmail(call: With<z.output<typeof Verification>>) {
  const { user, linkHash } = await linkOwner(call, call.body.token, ['VERIFY'])
  const { id: userId, passwordHash } = user
  if (passwordHash === undefined) return linkInvalid()
  const known: SigningUser = { ...user, passwordHash }
  const factor = await secondFactor(userRealm, call, known, { totp: call.body.totp })
  const refreshToken = newSecret('r')
  const refreshHash = hashSecret(refreshToken)
  const started = await call.run(
    async (unit) => {
      const sessionId = unit.newId()
      await unit.decide(users, userId, 'VerifyByLink', { linkHash, factor, sessionId })
      await countActive(unit, userId)
      const about = { accountId: userId, sessionId, refreshHash, userAgent: userAgentOf(call) }
      await unit.decide(userSessions, userId, 'StartSession', about)
      const session = (await unit.load(userSessions, userId)).find(({ id }) => id === sessionId)!
      return { member: (await userRealm.member(unit, userId)) ?? invalidSession(), session }
    },
    actorOf(userRealm, userId),
  )
  return granted(userRealm, call, { ...started, refreshToken })
}

/** Ends all sessions; the second factor stays. @throws Rejection 400 for the link or the password */
export async function setPasswordByLink(call: With<z.output<typeof NewPassword>>): Promise<void> {
  const { user, linkHash } = await linkOwner(call, call.body.token, ['RESET', 'INVITE'])
  const { id: userId, totp } = user
  await checkNewPassword(call.body.password, { withTotp: totp !== undefined, forbidden: wordsOf(user) })
  const passwordHash = await hashPassword(call.body.password, accountPlace(userId))
  await call.run(
    async (unit) => {
      await unit.decide(users, userId, 'SetPasswordByLink', { linkHash, passwordHash })
      await countActive(unit, userId)
      await endUserSessions(unit, userId, 'PASSWORD_RESET')
      if (call.body.revokeApiKeys) await revokeKeysOf(unit, userId)
    },
    actorOf(userRealm, userId),
  )
  await new Attempts(call.telemetry).reset(passwordTry(userRealm, user))
}

/** With the role that the account has when it is done. */
async function countActive(unit: Unit, userId: string): Promise<void> {
  const { role } = (await unit.load(users, userId))!
  await unit.decide(userRoster, undefined, 'Enrol', { userId, role, isActive: true })
}

/** Looked at before anything is hashed, and again in the stream, where it counts once. */
async function linkOwner(call: Call, secret: string, purposes: readonly LinkPurpose[]) {
  const linkHash = hashSecret(secret)
  const user = await linkHolder(call, linkHash, async () => {
    const holder = isSecret(secret, 'l') ? await call.run((unit) => ownerOf(unit, linkHash), STRANGER) : undefined
    return byLink(holder, linkHash, purposes, call.now)
  })
  return { user, linkHash }
}

async function ownerOf(unit: Unit, linkHash: string): Promise<User | undefined> {
  const userId = await unit.holderOf('userLink', linkHash)
  return userId === undefined ? undefined : unit.look(users, userId)
}
