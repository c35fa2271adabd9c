/**
 * Commands on the password and second factor of an account: the same for every realm, with the realm's
 * names.
 */
import type { DecisionContext } from '../events/decider.ts'
import type { DataOf } from '../events/event.ts'
import {
  requireUnchangedPassword,
  requireFreshStep,
  rejectTotpNotSetUp,
  remainingBackupCodes,
  pendingSecret,
  applyTotpSetUp,
  requireOlderTotp,
  requireNoTotp,
  requireTotp,
} from './account-rules.ts'
import type { Account, UsedFactor, VerifiedPassword } from './account-rules.ts'
import type { CredentialEvents } from './credential-events.ts'
import type { RealmNames } from './realm-names.ts'
import { secondFactorRequired } from './rejections.ts'

/** The session for which a proof is given. */
export interface ServedSession {
  readonly sessionId: string
}

export interface SignInInput extends VerifiedPassword, ServedSession {
  readonly rehashed?: string | undefined
  readonly factor?: UsedFactor | undefined
}

/** A code by which a session renews its proof. */
export interface StepUpInput extends ServedSession {
  readonly step: number
  /** When the session last proved the password. */
  readonly provedPasswordAt: Date
}

/** A second factor that a session is about to enable. */
export interface EnableTotpInput extends VerifiedPassword, ServedSession {
  readonly secret: string
  readonly step: number
  readonly backupCodes: readonly string[]
}

export function credentialDecisions<Noun extends string, AccountKey extends string>(
  names: RealmNames<Noun, AccountKey>,
  events: CredentialEvents<Noun, AccountKey>,
) {
  const { ofAccount } = names
  const ofSession = ({ id: accountId }: Account, sessionId: string) => names.ofSession({ accountId, sessionId })

  /**
   * Uses up a code or a backup code.
   * @throws Rejection 401 if it was used before
   */
  const usedFactor = (account: Account, factor: UsedFactor, sessionId: string) => {
    const named = ofSession(account, sessionId)
    if ('step' in factor) return [events.TotpUsed({ ...named, step: requireFreshStep(account, factor.step) })]
    const { backupCode } = factor
    return [events.BackupCodeUsed({ ...named, backupCode, left: remainingBackupCodes(account, backupCode).length })]
  }

  /**
   * As `usedFactor`, for an account with a second factor.
   * @throws Rejection 401 `Second factor required`
   */
  const neededFactor = (account: Account, { factor, sessionId }: { factor?: UsedFactor | undefined } & ServedSession) =>
    account.totp ? usedFactor(account, factor ?? secondFactorRequired(), sessionId) : []

  return {
    neededFactor,
    totpSetUp<A extends Account>(account: A | undefined, data: DataOf<typeof events.TotpSetUp>, at: Date): A {
      return applyTotpSetUp(account, { secret: data.secret, at, sessionId: names.sessionOf(data) })
    },
    /** Only for realms whose sessions renew their proof. */
    steppingUp: {
      StepUp(account: Account | undefined, { step, sessionId, provedPasswordAt }: StepUpInput) {
        return usedFactor(requireOlderTotp(account, provedPasswordAt), { step }, sessionId)
      },
      /** Without a second factor, the password proves as much as signing in. */
      StepUpByPassword(account: Account | undefined, ask: VerifiedPassword) {
        requireNoTotp(requireUnchangedPassword(account, ask))
        return []
      },
    },
    commands: {
      SignIn(account: Account | undefined, ask: SignInInput) {
        const known = requireUnchangedPassword(account, ask)
        const used = neededFactor(known, ask)
        const { rehashed } = ask
        return rehashed === undefined
          ? used
          : [...used, events.PasswordRehashed({ ...ofAccount(known.id), passwordHash: rehashed })]
      },
      ChangePassword: (account: Account | undefined, ask: VerifiedPassword & { passwordHash: string }) => [
        events.PasswordChanged({
          ...ofAccount(requireUnchangedPassword(account, ask).id),
          passwordHash: ask.passwordHash,
        }),
      ],
      SetUpTotp(account: Account | undefined, ask: VerifiedPassword & ServedSession & { secret: string }) {
        const known = requireNoTotp(requireUnchangedPassword(account, ask))
        return [events.TotpSetUp({ ...ofSession(known, ask.sessionId), secret: ask.secret })]
      },
      EnableTotp(account: Account | undefined, ask: EnableTotpInput, { at }: DecisionContext) {
        const { sessionId, backupCodes } = ask
        const known = requireNoTotp(requireUnchangedPassword(account, ask))
        if (pendingSecret(known, sessionId, at) !== ask.secret) rejectTotpNotSetUp()
        const step = requireFreshStep(known, ask.step)
        return [events.TotpEnabled({ ...ofSession(known, sessionId), step, backupCodes: [...backupCodes] })]
      },
      DisableTotp(account: Account | undefined, ask: VerifiedPassword & ServedSession & { step: number }) {
        const known = requireTotp(requireUnchangedPassword(account, ask))
        return [events.TotpDisabled({ ...ofSession(known, ask.sessionId), step: requireFreshStep(known, ask.step) })]
      },
    },
  }
}
