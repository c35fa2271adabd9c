import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { reject } from '#kernel/rejection'
import {
  backupCodeUsed,
  confirmed,
  freshStep,
  notSetUp,
  otherBackupCodes,
  pendingSecret,
  totpEnabled,
  withoutTotp,
  withTotp,
} from '#kernel/realm/account-rules'
import type { Account, Factor, Verified } from '#kernel/realm/account-rules'
import { secondFactorRequired } from '#kernel/realm/refusals'
import {
  ShopBackupCodeUsed,
  ShopLinkRequested,
  ShopPasswordChanged,
  ShopPasswordRehashed,
  ShopPasswordSet,
  ShopRegistrationRepeated,
  ShopTotpDisabled,
  ShopTotpEnabled,
  ShopTotpSetUp,
  ShopTotpUsed,
  shopAccountEvents,
} from './events.ts'
import type { LinkPurpose } from './events.ts'

type Requested = DataOf<typeof ShopLinkRequested>

export interface ShopAccount extends Account {
  /** The newest link, until it is used or the password changes. */
  readonly link: Pick<Requested, 'purpose' | 'tokenHash' | 'expiresAt'> | undefined
}

interface InSession {
  readonly shopSessionId: string
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
    ShopPasswordRehashed: (account, { passwordHash }) => ({ ...account!, passwordHash }),
    ShopTotpSetUp: (account, { secret }, at) => ({ ...account!, pendingTotp: { secret, at } }),
    ShopTotpEnabled: (account, enabled) => totpEnabled(account!, enabled),
    ShopTotpDisabled: (account, { step }) => ({ ...account!, totp: undefined, lastStep: step }),
    ShopTotpUsed: (account, { step }) => ({ ...account!, lastStep: step }),
    ShopBackupCodeUsed: (account, { backupCode }) => backupCodeUsed(account!, backupCode),
  },
  commands: {
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
    SignIn: (account, ask: Verified & InSession & { rehashed?: string | undefined; factor?: Factor | undefined }) => {
      const known = confirmed(account, ask)
      const used = known.totp ? usedFactor(known, ask.factor ?? secondFactorRequired(), ask.shopSessionId) : []
      const { rehashed } = ask
      return rehashed === undefined
        ? used
        : [...used, ShopPasswordRehashed({ customerId: known.id, passwordHash: rehashed })]
    },
    StepUp: (account, ask: InSession & { step: number }) => usedFactor(withTotp(account), ask, ask.shopSessionId),
    ChangePassword: (account, ask: Verified & { passwordHash: string }) => [
      ShopPasswordChanged({ customerId: confirmed(account, ask).id, passwordHash: ask.passwordHash }),
    ],
    SetUpTotp: (account, { secret }: { secret: string }) => [
      ShopTotpSetUp({ customerId: withoutTotp(account).id, secret }),
    ],
    EnableTotp: (
      account,
      ask: InSession & { secret: string; step: number; backupCodes: readonly string[] },
      { at }: { at: Date },
    ) => {
      const known = withoutTotp(account)
      if (pendingSecret(known, at) !== ask.secret) notSetUp()
      const { shopSessionId, backupCodes } = ask
      const step = freshStep(known, ask.step)
      return [ShopTotpEnabled({ customerId: known.id, step, shopSessionId, backupCodes: [...backupCodes] })]
    },
    DisableTotp: (account, ask: Verified & InSession & { step: number }) => {
      const known = withTotp(confirmed(account, ask))
      const step = freshStep(known, ask.step)
      return [ShopTotpDisabled({ customerId: known.id, step, shopSessionId: ask.shopSessionId })]
    },
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

function usedFactor({ id: customerId, ...account }: ShopAccount, factor: Factor, shopSessionId: string) {
  if ('step' in factor) return [ShopTotpUsed({ customerId, step: freshStep(account, factor.step), shopSessionId })]
  const { backupCode } = factor
  const left = otherBackupCodes(account, backupCode).length
  return [ShopBackupCodeUsed({ customerId, backupCode, left, shopSessionId })]
}
