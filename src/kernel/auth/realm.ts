/**
 * A kind of people that sign in, such as those who work behind a counter and those before it. Each has accounts, sessions,
 * cookies and counters of its own; how somebody gets in, stays in and is put out is the same for all.
 */
import type { UnitOfWork } from '../commands/command-runner.ts'
import type { Actor } from '../events/event.ts'
import type { ServiceKey } from '../lib/services.ts'
import type { RequestHead, HandlerContext, Caller } from '../http/route.ts'
import type { Account, UsedFactor, VerifiedPassword } from './account-rules.ts'
import type { FailureReason } from './session-events.ts'
import type { EndReason, SessionIdentity, Rotation, Session } from './session-rules.ts'
import type { AccessTokenKind } from './session-tokens.ts'

/** An account that can sign in. */
export interface RealmAccount extends Account {
  readonly email: string
  /** HMAC of the normalised address. */
  readonly emailKey: string
  readonly name: string | null
  readonly passwordHash: string
}

interface RealmSignInInput {
  readonly verified: string
  readonly rehashed: string | undefined
  readonly factor: UsedFactor | undefined
  readonly refreshHash: string
  readonly userAgent: string | null
}

/** What is decided in the streams of a realm. Each is part of the unit that it is given. */
export interface RealmDecisions {
  /** @throws Rejection 401 when the password or the code is not good any more */
  signIn(unit: UnitOfWork, held: SessionIdentity, ask: RealmSignInInput): Promise<unknown>
  failSignIn(unit: UnitOfWork, accountId: string, reason: FailureReason): void
  refresh(unit: UnitOfWork, held: SessionIdentity, tokens: Rotation): Promise<unknown>
  changePassword(
    unit: UnitOfWork,
    held: SessionIdentity,
    change: VerifiedPassword & { passwordHash: string },
  ): Promise<unknown>
  setUpTotp(unit: UnitOfWork, held: SessionIdentity, ask: VerifiedPassword & { secret: string }): Promise<unknown>
  /** The session has proved the password for it, and that is recorded too. */
  enableTotp(
    unit: UnitOfWork,
    held: SessionIdentity,
    ask: VerifiedPassword & { secret: string; step: number; backupCodes: readonly string[] },
  ): Promise<unknown>
  disableTotp(unit: UnitOfWork, held: SessionIdentity, proof: VerifiedPassword & { step: number }): Promise<unknown>
  endSession(unit: UnitOfWork, held: SessionIdentity, reason: EndReason): Promise<unknown>
  endOthers(unit: UnitOfWork, held: SessionIdentity, reason: EndReason): Promise<unknown>
}

/** By which a session renews its proof: the step of a right code or, without a second factor, the password. */
export type ProofRenewal = { readonly step: number } | VerifiedPassword

/** Of a realm whose sessions prove anew who they are, for what is asked of them in the next minutes. */
export interface StepUpRealm<M extends RealmAccount = any, Profile = unknown> extends Realm<M, Profile> {
  readonly decide: RealmDecisions & {
    /** @throws Rejection 403 for a factor that is younger than the session's last password proof */
    stepUp(unit: UnitOfWork, held: SessionIdentity, proof: ProofRenewal): Promise<unknown>
  }
}

export interface Realm<M extends RealmAccount = any, Profile = unknown> {
  readonly actorType: string
  /** Where its cookies are sent. */
  readonly authPath: `/${string}`
  /** Whose pages may send its cookies, besides the installation's own. */
  readonly pages?: ServiceKey<string | undefined>
  readonly cookies: { readonly refresh: string; readonly device: string }
  /** The claims that refresh tokens are, and the installation key that their successors are derived with. */
  readonly refresh: { readonly constraintScope: string; readonly key: string }
  readonly tokens: AccessTokenKind
  /** Before the names that guesses are counted under: the realms share no counter but that of addresses. */
  readonly counterPrefix: string
  /** Asks the store as often for an address that nobody has as for one that somebody has. Whoever may not sign in is nobody. */
  accountByEmailKey(unit: UnitOfWork, emailKey: string): Promise<M | undefined>
  /** Undefined, too, for whoever may not go on. */
  account(unit: UnitOfWork, accountId: string): Promise<M | undefined>
  sessions(unit: UnitOfWork, accountId: string): Promise<readonly Session[]>
  /** Whose bearer token this is. @throws Rejection 401 */
  caller(
    token: string,
    arrival: RequestHead,
    parts: Pick<HandlerContext, 'read' | 'vault' | 'baseUrl'>,
  ): Promise<Caller>
  sessionIdentityOf(caller: Caller): SessionIdentity
  /** What he is told about himself. */
  profile(member: M): Profile
  readonly decide: RealmDecisions
}

export const actorOf = ({ actorType }: Pick<Realm, 'actorType'>, accountId: string): Actor => ({
  type: actorType,
  id: accountId,
})

/** Perhaps not the account's owner, so the address is sealed with a key of its own; it goes when the owner's key goes. */
export const anonymousActorFor = (accountId: string): Actor => ({ type: 'ANONYMOUS', id: accountId })
export const ANONYMOUS_ACTOR = anonymousActorFor('nobody')
