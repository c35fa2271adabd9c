/** What somebody may do about his password and second factor: in every realm the same, under names of its own. */
import type { Deciding } from '../events/decider.ts'
import type { DataOf } from '../events/event.ts'
import {
  confirmed,
  freshStep,
  notSetUp,
  otherBackupCodes,
  pendingSecret,
  totpSetUp,
  withOlderTotp,
  withoutTotp,
  withTotp,
} from './account-rules.ts'
import type { Account, Factor, Verified } from './account-rules.ts'
import type { ProofEvents } from './credential-events.ts'
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

/** A code by which a session renews its proof. */
export interface SteppingUp extends Serving {
  readonly step: number
  /** When the session last proved the password. */
  readonly provedPasswordAt: Date
}

/** A second factor that a session is about to enable. */
export interface EnablingTotp extends Verified, Serving {
  readonly secret: string
  readonly step: number
  readonly backupCodes: readonly string[]
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
    neededFactor,
    totpSetUp<A extends Account>(account: A | undefined, data: DataOf<typeof events.TotpSetUp>, at: Date): A {
      return totpSetUp(account, { secret: data.secret, at, sessionId: names.sessionOf(data) })
    },
    /** Of a realm whose sessions renew their proof. */
    steppingUp: {
      StepUp(account: Account | undefined, { step, sessionId, provedPasswordAt }: SteppingUp) {
        return usedFactor(withOlderTotp(account, provedPasswordAt), { step }, sessionId)
      },
      /** Where no second factor is enabled, the password is all that signing in asks for. */
      StepUpByPassword(account: Account | undefined, ask: Verified) {
        withoutTotp(confirmed(account, ask))
        return []
      },
    },
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
      SetUpTotp(account: Account | undefined, ask: Verified & Serving & { secret: string }) {
        const known = withoutTotp(confirmed(account, ask))
        return [events.TotpSetUp({ ...ofSession(known, ask.sessionId), secret: ask.secret })]
      },
      EnableTotp(account: Account | undefined, ask: EnablingTotp, { at }: Deciding) {
        const { sessionId, backupCodes } = ask
        const known = withoutTotp(confirmed(account, ask))
        if (pendingSecret(known, sessionId, at) !== ask.secret) notSetUp()
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
