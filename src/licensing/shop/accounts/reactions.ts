import { validLink } from '#kernel/auth/one-time-links'
import { ownerNoticeTexts, ownerNotices } from '#kernel/auth/owner-notices'
import type { DataOf } from '#kernel/events/event'
import type { JobContext } from '#kernel/jobs/job-context'
import { reaction } from '#kernel/jobs/reaction'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { customerTable } from '#projections/licensing/customers'
import { linkToken } from '../../access/customer-links.ts'
import { shopPages } from '../page-links.ts'
import { ShopSessionEnded } from '../sessions/events.ts'
import { shopAccounts } from './decider.ts'
import {
  ShopLinkRequested,
  ShopLoginFailed,
  ShopPasswordChanged,
  ShopPasswordSet,
  ShopRegistrationRepeated,
  ShopTotpDisabled,
  ShopTotpEnabled,
} from './events.ts'
import type { LinkPurpose } from './events.ts'

/**
 * The page and the text of each kind of link. The token is in the fragment, so that no server on
 * the way logs it.
 */
const LINKS: Readonly<Record<LinkPurpose, { page: string; subject: string; text: (link: string) => string }>> = {
  VERIFY: {
    page: 'verify-email',
    subject: 'Choose your password',
    text: (link) =>
      `This address was used to register an account at ${new URL(link).host}. ` +
      `If you did this, choose your password here within 24 hours:\n\n${link}\n\n` +
      'If it was not you, do nothing: without this link the account cannot be used.\n',
  },
  RESET: {
    page: 'reset-password',
    subject: 'Choose a new password',
    text: (link) =>
      `A new password was requested for your account. If you did this, choose it here within 10 minutes:\n\n${link}\n\n` +
      'If it was not you, do nothing: your password stays unchanged.\n',
  },
}

/** The customer's address; undefined if the customer was suspended or erased meanwhile. */
async function shopCustomerEmail({ read, vault }: JobContext, customerId: string): Promise<string | undefined> {
  const row = found(await findRow(read, customerTable, { id: customerId }))
  const [customer] = await customerTable.open(vault, [row])
  return customer!.status === 'ACTIVE' ? customer!.email : undefined
}

/** A link that was used, replaced or expired while it waited would only confuse, so it is not mailed. */
async function isLinkValid(
  { run, now }: JobContext,
  { customerId, purpose, tokenHash }: DataOf<typeof ShopLinkRequested>,
) {
  const account = await run((unit) => unit.look(shopAccounts, customerId))
  return validLink(account?.links ?? [], { hash: tokenHash, purposes: [purpose] }, now) !== undefined
}

export const shopLinks = reaction('shop-links', {
  outside: true,
  on: [ShopLinkRequested],
  async run({ data }, work) {
    const [to, pages] = [await shopCustomerEmail(work, data.customerId), work.service(shopPages)]
    if (to === undefined || pages === undefined || !(await isLinkValid(work, data))) return
    const { page, subject, text } = LINKS[data.purpose]
    const token = await linkToken(work.vault, data)
    await work.mail({ to, subject, text: text(`${pages}/${page}#token=${token}`) })
  },
})

const NOT_YOU = 'If it was not you, choose a new password at once and tell us.\n'
const { passwordChanged, totpEnabled, totpDisabled, loginFailed, sessionEnded } = ownerNoticeTexts(NOT_YOU)

export const shopNotices = ownerNotices('shop-notices', {
  on: [
    ShopRegistrationRepeated,
    ShopPasswordSet,
    ShopPasswordChanged,
    ShopTotpEnabled,
    ShopTotpDisabled,
    ShopLoginFailed,
    ShopSessionEnded,
  ],
  notices: {
    ShopRegistrationRepeated: [
      'You have an account already',
      'This address was used to register again, but it already has an account. Nothing was changed. If it was you, sign in or request a new password.\n',
    ],
    ShopPasswordSet: [
      'Your password was set',
      `The password of your account was set by a link from your mail. ${NOT_YOU}`,
    ],
    ShopPasswordChanged: passwordChanged,
    ShopTotpEnabled: totpEnabled,
    ShopTotpDisabled: totpDisabled,
    ShopLoginFailed: loginFailed,
    ShopSessionEnded: sessionEnded,
  },
  to: (work, { customerId }) => shopCustomerEmail(work, customerId),
})
