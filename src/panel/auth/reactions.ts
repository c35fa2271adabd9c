/** Creates and mails requested links, and mails owners about security events of their accounts. */
import { validLink } from '#kernel/auth/one-time-links'
import { ownerNoticeTexts, ownerNotices } from '#kernel/auth/owner-notices'
import { hashSecret } from '#kernel/credentials/secret-token'
import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { recipientOf } from '../access/mail-recipient.ts'
import { requestUserLink, linkSecret, userLinkUrl } from '../access/user-links.ts'
import { canUseLinks, users } from '../users/decider.ts'
import type { User } from '../users/decider.ts'
import { userEvents } from '../users/events.ts'
import type { LinkPurpose } from '../users/events.ts'
import { activeKeysOf } from '../workflows/api-keys.ts'
import { sealedForLinkRequests, userLinkRequestEvents, userLoginEvents, userSessionEvents } from './events.ts'

/** Purpose of the link to send, if any. An account without a password gets an INVITE link to choose one. */
function purposeFor(user: User, asked: LinkPurpose): LinkPurpose | undefined {
  if (!canUseLinks(user) || (asked === 'VERIFY' && user.isVerified)) return undefined
  return user.passwordHash === undefined ? 'INVITE' : asked
}

/** Runs after the answer, so that its duration reveals nothing. */
export const createRequestedLinks = reaction('user-link-asks', {
  on: [userLinkRequestEvents.UserLinkAsked],
  async run({ data: { emailKey, isMuted, userLinkId, purpose: asked } }, { run, vault }) {
    if (isMuted) return
    const linkHash = hashSecret(await linkSecret(vault, userLinkId))
    await run(async (unit) => {
      const userId = await unit.holderOf('userEmail', emailKey)
      if (userId === undefined || (await unit.holderOf('userLink', linkHash)) !== undefined) return
      const user = await unit.load(users, userId)
      const purpose = user && purposeFor(user, asked)
      if (purpose) await requestUserLink(unit, vault, { userId, userLinkId, purpose })
    })
  },
})

const DAY_MS = 86_400_000
/** Upper bound of the days that no process ran this job. */
const FORGOTTEN_DAYS = 60

/** Anonymous requests may name addresses of uninvolved people, and of accounts that are erased later. */
export const eraseLinkRequests = recurringJob('forget-link-asks', DAY_MS, ({ vault, now }) => {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10)
  return vault.erase(
    Array.from({ length: FORGOTTEN_DAYS }, (_, nth) => sealedForLinkRequests({ day: daysAgo(nth + 2) })),
  )
})

const LINKS: Readonly<Record<LinkPurpose, { subject: string; text: (link: string) => string }>> = {
  VERIFY: {
    subject: 'Confirm your address',
    text: (link) =>
      'An account was registered with this address. If it was you, confirm the address here within 24 hours:' +
      `\n\n${link}\n\n` +
      'If it was not you, do not open the link: the account cannot be used without it.\n',
  },
  RESET: {
    subject: 'Choose a new password',
    text: (link) =>
      `A new password was requested for your account. If it was you, choose it here within 10 minutes:\n\n${link}\n\n` +
      'If it was not you, do nothing: your password stays the same.\n',
  },
  INVITE: {
    subject: 'Choose your password',
    text: (link) =>
      `There is an account for this address at ${new URL(link).host}. Choose its password here within 24 hours:\n\n${link}\n\n` +
      'If you did not expect this, do not open the link: the account cannot be used without it.\n',
  },
}

/** Skips a link that was used, voided or expired while the mail waited; a newer link may be on its way. */
export const userLinks = reaction('user-links', {
  outside: true,
  on: [userEvents.UserLinkMade],
  async run({ data: { userId, purpose, userLinkId, linkHash, mailed } }, work) {
    if (!mailed || !(await work.canMail())) return
    const user = await work.run((unit) => unit.look(users, userId))
    const isGood = user && validLink(user.links, { hash: linkHash, purposes: [purpose] }, work.now) !== undefined
    if (!isGood || !canUseLinks(user)) return
    const { subject, text } = LINKS[purpose]
    await work.mail({ to: user.email, subject, text: text(await userLinkUrl(work, { userLinkId, purpose })) })
  },
})

const NOT_YOU = 'If it was not you, choose a new password at once and tell your administrator.\n'

const { passwordChanged, totpEnabled, totpDisabled, totpReset, loginFailed, sessionEnded } = ownerNoticeTexts(NOT_YOU)

/** A person who knew the old password may have created some of the keys. */
async function remainingKeysText({ run }: JobContext, userId: string): Promise<string> {
  const keys = await run((unit) => activeKeysOf(unit, userId))
  if (keys.length === 0) return ''
  return (
    '\nA new password does not revoke API keys. These keys of yours are still active:\n\n' +
    keys.map(({ id, prefix }) => `  ${prefix}… (${id})\n`).join('') +
    '\nRevoke the keys that you do not recognize, or all of them.\n'
  )
}

export const userNotices = ownerNotices('user-notices', {
  on: [
    userLoginEvents.UserRegistrationRepeated,
    userEvents.UserPasswordReset,
    userEvents.UserPasswordChanged,
    userEvents.UserTotpEnabled,
    userEvents.UserTotpDisabled,
    userEvents.UserTotpReset,
    userLoginEvents.UserLoginFailed,
    userSessionEvents.UserSessionEnded,
  ],
  notices: {
    UserRegistrationRepeated: [
      'You already have an account',
      'A registration used your address, which already has an account. Nothing was changed. If it was you, sign ' +
        'in, or request a new password.\n',
    ],
    UserPasswordReset: ['Your password was set', `The password of your account was set by a one-time link. ${NOT_YOU}`],
    UserPasswordChanged: passwordChanged,
    UserTotpEnabled: totpEnabled,
    UserTotpDisabled: totpDisabled,
    UserTotpReset: totpReset,
    UserLoginFailed: loginFailed,
    UserSessionEnded: sessionEnded,
  },
  to: async (work, { userId }) => (await recipientOf(work, userId))?.email,
  more: async (work, { type, data }) => (type === 'UserPasswordReset' ? remainingKeysText(work, data.userId) : ''),
})
