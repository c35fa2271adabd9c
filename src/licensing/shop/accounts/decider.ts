import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { reject } from '#kernel/rejection'
import { backupCodeUsed, passwordRehashed, totpDisabled, totpEnabled, totpUsed } from '#kernel/realm/account-rules'
import type { Account } from '#kernel/realm/account-rules'
import { proofDecisions } from '#kernel/realm/proof-decisions'
import {
  ShopLinkRequested,
  ShopPasswordSet,
  ShopRegistrationRepeated,
  shopAccountEvents,
  shopNames,
  shopProofs,
} from './events.ts'
import type { LinkPurpose } from './events.ts'

type Requested = DataOf<typeof ShopLinkRequested>

export interface ShopAccount extends Account {
  /** The newest link, until it is used or the password changes. */
  readonly link: Pick<Requested, 'purpose' | 'tokenHash' | 'expiresAt'> | undefined
}

/** ASVS 6.5.5 for the one; whoever registers may read his mail tomorrow. */
const LINK_HOLDS_MS: Readonly<Record<LinkPurpose, number>> = { RESET: 10 * 60_000, VERIFY: 24 * 3_600_000 }

const BARE = { passwordHash: undefined, totp: undefined, pendingTotp: undefined, lastStep: undefined, link: undefined }

/** A password that is new voids every link. */
const withPassword = (account: ShopAccount | undefined, passwordHash: string): ShopAccount => ({
  ...account!,
  passwordHash,
  link: undefined,
})

const proofs = proofDecisions(shopNames, shopProofs)

export const shopAccounts = decider(shopAccountEvents, {
  initial: undefined as ShopAccount | undefined,
  evolve: {
    ShopLinkRequested: (account, { customerId, purpose, tokenHash, expiresAt }): ShopAccount => ({
      ...(account ?? { ...BARE, id: customerId }),
      link: { purpose, tokenHash, expiresAt },
    }),
    ShopRegistrationRepeated: (account) => account,
    ShopPasswordSet: (account, { passwordHash }) => withPassword(account, passwordHash),
    ShopPasswordChanged: (account, { passwordHash }) => withPassword(account, passwordHash),
    ShopPasswordRehashed: passwordRehashed,
    ShopTotpSetUp: proofs.totpSetUp,
    ShopTotpEnabled: totpEnabled,
    ShopTotpDisabled: totpDisabled,
    ShopTotpUsed: totpUsed,
    ShopBackupCodeUsed: backupCodeUsed,
  },
  commands: {
    ...proofs.commands,
    ...proofs.steppingUp,
    RequestLink: (_account, ask: Omit<Requested, 'expiresAt'>, { at }) => [
      ShopLinkRequested({ ...ask, expiresAt: new Date(at.getTime() + LINK_HOLDS_MS[ask.purpose]).toISOString() }),
    ],
    RepeatRegistration: (_account, { customerId }: { customerId: string }) => [
      ShopRegistrationRepeated({ customerId }),
    ],
    SetPassword: (
      account,
      { passwordHash, ...ask }: { purpose: LinkPurpose; tokenHash: string; passwordHash: string },
      { at },
    ) => [ShopPasswordSet({ customerId: linked(account, ask, at).id, passwordHash, ...ask })],
  },
})

/** The account whose newest link this is. @throws Rejection 400 LINK_INVALID */
export function linked(
  account: ShopAccount | undefined,
  { purpose, tokenHash }: { purpose: LinkPurpose; tokenHash: string },
  at: Date,
): ShopAccount {
  const { link } = account ?? {}
  const isGood = link?.purpose === purpose && link.tokenHash === tokenHash && Date.parse(link.expiresAt) > at.getTime()
  return account && isGood ? account : linkInvalid()
}

/** Unknown, used, voided and expired ones alike. */
export function linkInvalid(): never {
  reject('invalid', 'This link is not valid any more: ask for a new one', 'LINK_INVALID')
}
