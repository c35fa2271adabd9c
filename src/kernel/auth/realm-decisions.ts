/** Sign-in, refresh and the end of sessions, decided in the streams of a realm's accounts and sessions. */
import type { UnitOfWork } from '../commands/command-runner.ts'
import type { Decider, DecisionContext } from '../events/decider.ts'
import type { DomainEvent, Stream } from '../events/event.ts'
import type { VerifiedPassword } from './account-rules.ts'
import type { EnableTotpInput, ServedSession, SignInInput, StepUpInput } from './credential-decisions.ts'
import type { RealmDecisions, ProofRenewal } from './realm.ts'
import { requireLiveSession } from './session-rules.ts'
import type { EndReason, SessionIdentity, Rotation } from './session-rules.ts'

type DecisionRule<Ask> = (state: any, ask: Ask, deciding: DecisionContext) => readonly DomainEvent[]

/** The rules of accounts, including those of `credentialDecisions`. */
type AccountsDecider = Decider<
  Stream,
  any,
  {
    SignIn: DecisionRule<SignInInput>
    ChangePassword: DecisionRule<VerifiedPassword & { passwordHash: string }>
    SetUpTotp: DecisionRule<VerifiedPassword & ServedSession & { secret: string }>
    EnableTotp: DecisionRule<EnableTotpInput>
    DisableTotp: DecisionRule<VerifiedPassword & ServedSession & { step: number }>
  }
>

/** The rules of sessions, including those of `sessionDecisions`. */
type SessionsDecider = Decider<
  Stream,
  any,
  {
    StartSession: DecisionRule<SessionIdentity & { refreshHash: string; userAgent: string | null }>
    RefreshSession: DecisionRule<SessionIdentity & Rotation>
    ProvePassword: DecisionRule<SessionIdentity>
    EndSession: DecisionRule<{ sessionId: string; reason: EndReason }>
    EndOtherSessions: DecisionRule<{ sessionId: string; reason: EndReason }>
  }
>

/** @param failSignIn records a failed sign-in, in a stream without rules */
export const realmDecisions = (
  accounts: AccountsDecider,
  sessions: SessionsDecider,
  failSignIn: RealmDecisions['failSignIn'],
): RealmDecisions => ({
  failSignIn,
  async signIn(unit, held, { verified, rehashed, factor, ...started }) {
    const { accountId, sessionId } = held
    await unit.decide(accounts, accountId, 'SignIn', { verified, rehashed, factor, sessionId })
    await unit.decide(sessions, accountId, 'StartSession', { ...held, ...started })
  },
  refresh: (unit, held, tokens) => unit.decide(sessions, held.accountId, 'RefreshSession', { ...held, ...tokens }),
  changePassword: (unit, { accountId }, change) => unit.decide(accounts, accountId, 'ChangePassword', change),
  setUpTotp: (unit, { accountId, sessionId }, ask) =>
    unit.decide(accounts, accountId, 'SetUpTotp', { ...ask, sessionId }),
  async enableTotp(unit, held, ask) {
    const { accountId, sessionId } = held
    await unit.decide(accounts, accountId, 'EnableTotp', { ...ask, sessionId })
    await unit.decide(sessions, accountId, 'ProvePassword', held)
  },
  disableTotp: (unit, { accountId, sessionId }, proof) =>
    unit.decide(accounts, accountId, 'DisableTotp', { ...proof, sessionId }),
  endSession: (unit, { accountId, sessionId }, reason) =>
    unit.decide(sessions, accountId, 'EndSession', { sessionId, reason }),
  endOthers: (unit, { accountId, sessionId }, reason) =>
    unit.decide(sessions, accountId, 'EndOtherSessions', { sessionId, reason }),
})

type StepUpDecider = Decider<
  Stream,
  any,
  { StepUp: DecisionRule<StepUpInput>; StepUpByPassword: DecisionRule<VerifiedPassword> }
>
type StepUpSessionsDecider = Decider<
  Stream,
  any,
  { ProvePassword: DecisionRule<SessionIdentity>; StepUpSession: DecisionRule<SessionIdentity> }
>

/** Only for realms whose sessions renew their proof. */
export const stepUpBy =
  (accounts: StepUpDecider, sessions: StepUpSessionsDecider) =>
  async (unit: UnitOfWork, held: SessionIdentity, proof: ProofRenewal): Promise<void> => {
    const { accountId, sessionId } = held
    if ('step' in proof) {
      const { provedPasswordAt } = requireLiveSession(await unit.load(sessions, accountId), sessionId, unit.at)
      await unit.decide(accounts, accountId, 'StepUp', { ...proof, sessionId, provedPasswordAt })
    } else {
      await unit.decide(accounts, accountId, 'StepUpByPassword', proof)
      await unit.decide(sessions, accountId, 'ProvePassword', held)
    }
    await unit.decide(sessions, accountId, 'StepUpSession', held)
  }
