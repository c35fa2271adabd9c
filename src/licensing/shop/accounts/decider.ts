import {
  applyBackupCodeUsed,
  applyPasswordRehashed,
  applyTotpDisabled,
  applyTotpEnabled,
  applyTotpUsed,
} from '#kernel/auth/account-rules'
import type { Account } from '#kernel/auth/account-rules'
import { credentialDecisions } from '#kernel/auth/credential-decisions'
import { validLink, isRequestedTooSoon, withLink } from '#kernel/auth/one-time-links'
import type { OneTimeLinks } from '#kernel/auth/one-time-links'
import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import {
  ShopLinkRequested,
  ShopPasswordSet,
  ShopRegistrationRepeated,
  shopAccountEvents,
  shopNames,
  shopProofs,
} from './events.ts'
import type { LinkPurpose } from './events.ts'

type NewLink = Omit<DataOf<typeof ShopLinkRequested>, 'expiresAt'>

export interface ShopAccount extends Account {
  readonly links: OneTimeLinks<LinkPurpose>
}

/** RESET: ASVS 6.5.5. VERIFY is longer, because a new customer may read the mail a day later. */
const LINK_HOLDS_MS: Readonly<Record<LinkPurpose, number>> = { RESET: 10 * 60_000, VERIFY: 24 * 3_600_000 }

const BARE = { passwordHash: undefined, totp: undefined, pendingTotp: undefined, lastStep: undefined, links: [] }

/** A new password makes every link invalid. */
const withPassword = (account: ShopAccount | undefined, passwordHash: string): ShopAccount => ({
  ...account!,
  passwordHash,
  links: [],
})

const proofs = credentialDecisions(shopNames, shopProofs)

export const shopAccounts = decider(shopAccountEvents, {
  initial: undefined as ShopAccount | undefined,
  evolve: {
    ShopLinkRequested: (account, { customerId, purpose, tokenHash: hash, expiresAt }, at): ShopAccount => {
      const known = account ?? { ...BARE, id: customerId }
      const link = { purpose, hash, madeAt: at.toISOString(), expiresAt, mailed: true }
      return { ...known, links: withLink<LinkPurpose>(known.links, link) }
    },
    ShopRegistrationRepeated: (account) => account,
    ShopPasswordSet: (account, { passwordHash }) => withPassword(account, passwordHash),
    ShopPasswordChanged: (account, { passwordHash }) => withPassword(account, passwordHash),
    ShopPasswordRehashed: applyPasswordRehashed,
    ShopTotpSetUp: proofs.totpSetUp,
    ShopTotpEnabled: applyTotpEnabled,
    ShopTotpDisabled: applyTotpDisabled,
    ShopTotpUsed: applyTotpUsed,
    ShopBackupCodeUsed: applyBackupCodeUsed,
  },
  commands: {
    ...proofs.commands,
    ...proofs.steppingUp,
    /** Requested by staff. */
    RequestLink: (_account, ask: NewLink, { at }) => [requested(ask, at)],
    /** Requested anonymously: no second link shortly after another. */
    AskForLink: (account, ask: NewLink, { at }) =>
      isRequestedTooSoon(account?.links ?? [], ask.purpose, at) ? [] : [requested(ask, at)],
    RepeatRegistration: (_account, { customerId }: { customerId: string }) => [
      ShopRegistrationRepeated({ customerId }),
    ],
    SetPassword: (
      account,
      { passwordHash, ...ask }: { purpose: LinkPurpose; tokenHash: string; passwordHash: string },
      { at },
    ) => [ShopPasswordSet({ customerId: accountByLink(account, ask, at).id, passwordHash, ...ask })],
  },
})

const requested = (ask: NewLink, at: Date) =>
  ShopLinkRequested({ ...ask, expiresAt: new Date(at.getTime() + LINK_HOLDS_MS[ask.purpose]).toISOString() })

/**
 * The account of the link.
 * @throws Rejection 400 LINK_INVALID
 */
export function accountByLink(
  account: ShopAccount | undefined,
  { purpose, tokenHash }: { purpose: LinkPurpose; tokenHash: string },
  at: Date,
): ShopAccount {
  const isGood = account && validLink(account.links, { hash: tokenHash, purposes: [purpose] }, at) !== undefined
  return isGood ? account : rejectInvalidLink()
}

/** The same reply for unknown, used, replaced and expired links. */
export function rejectInvalidLink(): never {
  reject('invalid', 'This link is no longer valid: request a new one', 'LINK_INVALID')
}
