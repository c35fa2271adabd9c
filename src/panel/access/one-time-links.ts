/** One-time links: anonymous callers request them, and the owner of the mailbox uses them. */
import { z } from 'zod'
import { forgetIdleAttempts, enforceLimitByBlock, LINK_REQUESTS } from '#kernel/auth/caller-limits'
import { linkHolder } from '#kernel/auth/link-attempts'
import { codeInput } from '#kernel/auth/manage-credentials'
import { setPasswordByLink } from '#kernel/auth/password-by-link'
import { actorOf, ANONYMOUS_ACTOR } from '#kernel/auth/realm'
import { invalidSession } from '#kernel/auth/rejections'
import { emailKeyOf, sessionReply, secondFactor, userAgentOf } from '#kernel/auth/sign-in'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { newPasswordInput } from '#kernel/credentials/password-policy'
import { hashSecret, isSecret, newSecret } from '#kernel/credentials/secret-token'
import { answer } from '#kernel/http/route'
import type { Answer, HandlerContext } from '#kernel/http/route'
import { userSessions } from '../auth/decider.ts'
import { userByLink, rejectInvalidLink, userRoster, users } from '../users/decider.ts'
import type { User } from '../users/decider.ts'
import type { LinkPurpose } from '../users/events.ts'
import { revokeKeysOf } from '../workflows/api-keys.ts'
import { recordLinkRequest } from './user-links.ts'
import { endUserSessions, userRealm } from './user-realm.ts'
import type { SignInUser } from './user-realm.ts'

export const EmailBody = z.strictObject({ email: z.string().min(1).max(320) })
const token = z.string().max(100)
export const Verification = z.strictObject({ token, totp: codeInput.optional() })
/** Keeps API keys by default. The caller may revoke all, because another person may have created some. */
export const NewPassword = z.strictObject({
  token,
  password: newPasswordInput,
  revokeApiKeys: z.boolean().default(false),
})

type ContextWithBody<Body> = HandlerContext<unknown, unknown, Body>

const ON_ITS_WAY = 'If this address belongs to an account that needs a link, a mail is on its way'

/** Only records the request. A reaction looks up the account, so that neither the answer nor its time reveals it. */
export async function requestLinkByEmail(
  call: ContextWithBody<z.output<typeof EmailBody>>,
  purpose: 'VERIFY' | 'RESET',
): Promise<Answer<{ message: string }>> {
  await enforceLimitByBlock(call, LINK_REQUESTS)
  const emailKey = await emailKeyOf(call.vault, call.body.email)
  await forgetIdleAttempts(call, LINK_REQUESTS)
  await call.runUnreported(
    async (unit) => recordLinkRequest(unit, { purpose, emailKey, isMuted: false }),
    ANONYMOUS_ACTOR,
  )
  return answer({ message: ON_ITS_WAY }, 202)
}

/**
 * Uses the token up and starts a session. Without a valid code of a second factor, the token stays valid.
 * @throws Rejection 400 LINK_INVALID | 401
 */
export async function verifyEmail(call: ContextWithBody<z.output<typeof Verification>>) {
  const linkHash = hashSecret(call.body.token)
  const user = await linkHolder(call, linkHash, () => linkOwner(call, call.body.token, ['VERIFY']))
  const { id: userId, passwordHash } = user
  if (passwordHash === undefined) return rejectInvalidLink()
  const known: SignInUser = { ...user, passwordHash }
  const factor = await secondFactor(userRealm, call, known, { totp: call.body.totp })
  const refreshToken = newSecret('r')
  const refreshHash = hashSecret(refreshToken)
  const started = await call.run(
    async (unit) => {
      const sessionId = unit.newId()
      await unit.decide(users, userId, 'VerifyByLink', { linkHash, factor, sessionId })
      await enrolAsActive(unit, userId)
      const about = { accountId: userId, sessionId, refreshHash, userAgent: userAgentOf(call) }
      await unit.decide(userSessions, userId, 'StartSession', about)
      const session = (await unit.load(userSessions, userId)).find(({ id }) => id === sessionId)!
      return { member: (await userRealm.account(unit, userId)) ?? invalidSession(), session }
    },
    actorOf(userRealm, userId),
  )
  return sessionReply(userRealm, call, { ...started, refreshToken })
}

/**
 * Ends all sessions and keeps the second factor.
 * @throws Rejection 400 for the link or the password
 */
export const setUserPasswordByLink = (call: ContextWithBody<z.output<typeof NewPassword>>): Promise<void> =>
  setPasswordByLink(userRealm, call, {
    ...call.body,
    find: () => linkOwner(call, call.body.token, ['RESET', 'INVITE']),
    async decide(unit, { id: userId }, set) {
      await unit.decide(users, userId, 'SetPasswordByLink', set)
      await enrolAsActive(unit, userId)
      await endUserSessions(unit, userId, 'PASSWORD_RESET')
      if (call.body.revokeApiKeys) await revokeKeysOf(unit, userId)
    },
  })

/** Reads the role after the decision, because the decision may change it. */
async function enrolAsActive(unit: UnitOfWork, userId: string): Promise<void> {
  const { role } = (await unit.load(users, userId))!
  await unit.decide(userRoster, undefined, 'Enrol', { userId, role, isActive: true })
}

/** The stream checks the link again, so that it counts only once. */
async function linkOwner(call: HandlerContext, secret: string, purposes: readonly LinkPurpose[]): Promise<User> {
  const linkHash = hashSecret(secret)
  const holder = isSecret(secret, 'l')
    ? await call.run((unit) => findLinkOwner(unit, linkHash), ANONYMOUS_ACTOR)
    : undefined
  return userByLink(holder, linkHash, purposes, call.now)
}

async function findLinkOwner(unit: UnitOfWork, linkHash: string): Promise<User | undefined> {
  const userId = await unit.holderOf('userLink', linkHash)
  return userId === undefined ? undefined : unit.look(users, userId)
}
