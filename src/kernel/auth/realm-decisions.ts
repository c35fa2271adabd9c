/** How a realm's people get in, stay in and are put out, decided in the streams of their accounts and of their sessions. */
import type { Unit } from '../commands/command-runner.ts'
import type { Decider, Deciding } from '../events/decider.ts'
import type { DomainEvent, Stream } from '../events/event.ts'
import type { Verified } from './account-rules.ts'
import type { EnablingTotp, Serving, SigningIn, SteppingUp } from './credential-decisions.ts'
import type { RealmDecisions, Renewal } from './realm.ts'
import { actingSession } from './session-rules.ts'
import type { EndReason, Held, Rotation } from './session-rules.ts'

type Rule<Ask> = (state: any, ask: Ask, deciding: Deciding) => readonly DomainEvent[]

/** Rules of accounts, among which are those of `proofDecisions`. */
type Accounts = Decider<
  Stream,
  any,
  {
    SignIn: Rule<SigningIn>
    ChangePassword: Rule<Verified & { passwordHash: string }>
    SetUpTotp: Rule<Verified & Serving & { secret: string }>
    EnableTotp: Rule<EnablingTotp>
    DisableTotp: Rule<Verified & Serving & { step: number }>
  }
>

/** Rules of sessions, among which are those of `sessionDecisions`. */
type Sessions = Decider<
  Stream,
  any,
  {
    StartSession: Rule<Held & { refreshHash: string; userAgent: string | null }>
    RefreshSession: Rule<Held & Rotation>
    ProvePassword: Rule<Held>
    EndSession: Rule<{ sessionId: string; reason: EndReason }>
    EndOtherSessions: Rule<{ sessionId: string; reason: EndReason }>
  }
>

/** @param failSignIn records it, in a stream that guards no rule */
export const realmDecisions = (
  accounts: Accounts,
  sessions: Sessions,
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

type Stepping = Decider<Stream, any, { StepUp: Rule<SteppingUp>; StepUpByPassword: Rule<Verified> }>
type SteppingSessions = Decider<Stream, any, { ProvePassword: Rule<Held>; StepUpSession: Rule<Held> }>

/** For a realm whose sessions renew their proof. */
export const stepUpBy =
  (accounts: Stepping, sessions: SteppingSessions) =>
  async (unit: Unit, held: Held, proof: Renewal): Promise<void> => {
    const { accountId, sessionId } = held
    if ('step' in proof) {
      const { provedPasswordAt } = actingSession(await unit.load(sessions, accountId), sessionId, unit.at)
      await unit.decide(accounts, accountId, 'StepUp', { ...proof, sessionId, provedPasswordAt })
    } else {
      await unit.decide(accounts, accountId, 'StepUpByPassword', proof)
      await unit.decide(sessions, accountId, 'ProvePassword', held)
    }
    await unit.decide(sessions, accountId, 'StepUpSession', held)
  }
