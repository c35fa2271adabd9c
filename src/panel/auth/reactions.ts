/** What follows asking for a link, and what owners hear of what others could have done in their name. */
import { hashSecret } from '#kernel/credentials/secret-token'
import { validLink } from '#kernel/auth/one-time-links'
import { ownerNoticeTexts, ownerNotices } from '#kernel/auth/owner-notices'
import { recurringJob } from '#kernel/jobs/recurring-job'
import { reaction } from '#kernel/jobs/reaction'
import type { JobContext } from '#kernel/jobs/job-context'
import { requestUserLink, linkSecret, userLinkUrl } from '../access/user-links.ts'
import { activeKeysOf } from '../workflows/api-keys.ts'
import { recipientOf } from '../access/mail-recipient.ts'
import { canUseLinks, users } from '../users/decider.ts'
import type { User } from '../users/decider.ts'
import {
  UserLinkMade,
  UserPasswordChanged,
  UserPasswordReset,
  UserTotpDisabled,
  UserTotpEnabled,
  UserTotpReset,
} from '../users/events.ts'
import type { LinkPurpose } from '../users/events.ts'
import {
  sealedForLinkRequests,
  UserLinkAsked,
  UserLoginFailed,
  UserRegistrationRepeated,
  UserSessionEnded,
} from './events.ts'

/** What an account is sent that asks for this; undefined when it needs none. Whoever has no password yet chooses one. */
function purposeFor(user: User, asked: LinkPurpose): LinkPurpose | undefined {
  if (!canUseLinks(user) || (asked === 'VERIFY' && user.isVerified)) return undefined
  return user.passwordHash === undefined ? 'INVITE' : asked
}

/** Where nobody waits for it. */
export const createRequestedLinks = reaction('user-link-asks', {
  on: [UserLinkAsked],
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
/** How long nobody may have been there to do it. */
const FORGOTTEN_DAYS = 60

/** Strangers name addresses of people who know nothing of it, and whose accounts, where they have any, may be erased. */
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
      `Somebody registered with this address. If it was you, confirm it here within 24 hours:\n\n${link}\n\n` +
      'If it was not you, do not open the link: without it nobody can sign in.\n',
  },
  RESET: {
    subject: 'Choose a new password',
    text: (link) =>
      `Somebody asked for a new password for your account. If it was you, choose it here within 10 minutes:\n\n${link}\n\n` +
      'If it was not you, do nothing: your password stays as it is.\n',
  },
  INVITE: {
    subject: 'Choose your password',
    text: (link) =>
      `There is an account for this address. Choose its password here within 24 hours:\n\n${link}\n\n` +
      'If you know nothing of it, do not open the link: without it nobody can sign in.\n',
  },
}

/** A link that was used, voided or has run out while it waited would only be in the way of the next one. */
export const userLinks = reaction('user-links', {
  outside: true,
  on: [UserLinkMade],
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

/** Whoever knew the old password may have made some of them. */
async function remainingKeysText({ run }: JobContext, userId: string): Promise<string> {
  const keys = await run((unit) => activeKeysOf(unit, userId))
  if (keys.length === 0) return ''
  return (
    '\nA new password ends no API key. These of yours work on:\n\n' +
    keys.map(({ id, prefix }) => `  ${prefix}… (${id})\n`).join('') +
    '\nRevoke those that you do not know, or all of them at once.\n'
  )
}

export const userNotices = ownerNotices('user-notices', {
  on: [
    UserRegistrationRepeated,
    UserPasswordReset,
    UserPasswordChanged,
    UserTotpEnabled,
    UserTotpDisabled,
    UserTotpReset,
    UserLoginFailed,
    UserSessionEnded,
  ],
  notices: {
    UserRegistrationRepeated: [
      'You have an account already',
      'Somebody registered with this address, which has an account already. Nothing was changed. If it was you, sign in, or ask for a new password.\n',
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
