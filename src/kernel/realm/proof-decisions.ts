/** What somebody may do about his password and second factor: in every realm the same, under names of its own. */
import type { Deciding } from '../decider.ts'
import {
  confirmed,
  freshStep,
  notSetUp,
  otherBackupCodes,
  pendingSecret,
  withoutTotp,
  withTotp,
} from './account-rules.ts'
import type { Account, Factor, Verified } from './account-rules.ts'
import type { ProofEvents } from './proof-events.ts'
import type { RealmNames } from './realm-names.ts'
import { secondFactorRequired } from './refusals.ts'

/** The session that a proof serves. */
export interface Serving {
  readonly sessionId: string
}

export interface SigningIn extends Verified, Serving {
  readonly rehashed?: string | undefined
  readonly factor?: Factor | undefined
}

export function proofDecisions<Noun extends string, AccountKey extends string>(
  names: RealmNames<Noun, AccountKey>,
  events: ProofEvents<Noun, AccountKey>,
) {
  const { ofAccount } = names
  const ofSession = ({ id: accountId }: Account, sessionId: string) => names.ofSession({ accountId, sessionId })

  /** Uses up a code or a backup code. @throws Rejection 401 when it was used before */
  const usedFactor = (account: Account, factor: Factor, sessionId: string) => {
    const named = ofSession(account, sessionId)
    if ('step' in factor) return [events.TotpUsed({ ...named, step: freshStep(account, factor.step) })]
    const { backupCode } = factor
    return [events.BackupCodeUsed({ ...named, backupCode, left: otherBackupCodes(account, backupCode).length })]
  }

  /** As `usedFactor`, of whoever has a second factor. @throws Rejection 401 `Second factor required` */
  const neededFactor = (account: Account, { factor, sessionId }: { factor?: Factor | undefined } & Serving) =>
    account.totp ? usedFactor(account, factor ?? secondFactorRequired(), sessionId) : []

  return {
    usedFactor,
    neededFactor,
    commands: {
      SignIn(account: Account | undefined, ask: SigningIn) {
        const known = confirmed(account, ask)
        const used = neededFactor(known, ask)
        const { rehashed } = ask
        return rehashed === undefined
          ? used
          : [...used, events.PasswordRehashed({ ...ofAccount(known.id), passwordHash: rehashed })]
      },
      ChangePassword: (account: Account | undefined, ask: Verified & { passwordHash: string }) => [
        events.PasswordChanged({ ...ofAccount(confirmed(account, ask).id), passwordHash: ask.passwordHash }),
      ],
      SetUpTotp: (account: Account | undefined, { secret }: { secret: string }) => [
        events.TotpSetUp({ ...ofAccount(withoutTotp(account).id), secret }),
      ],
      EnableTotp(
        account: Account | undefined,
        ask: Serving & { secret: string; step: number; backupCodes: readonly string[] },
        { at }: Deciding,
      ) {
        const known = withoutTotp(account)
        if (pendingSecret(known, at) !== ask.secret) notSetUp()
        const { sessionId, backupCodes } = ask
        const step = freshStep(known, ask.step)
        return [events.TotpEnabled({ ...ofSession(known, sessionId), step, backupCodes: [...backupCodes] })]
      },
      DisableTotp(account: Account | undefined, ask: Verified & Serving & { step: number }) {
        const known = withTotp(confirmed(account, ask))
        return [events.TotpDisabled({ ...ofSession(known, ask.sessionId), step: freshStep(known, ask.step) })]
      },
    },
  }
}
