/**
 * A realm: a group of accounts that sign in separately, for example the staff or the customers. Each
 * realm has its own accounts, sessions, cookies and counters; the rules for signing in, sessions and
 * signing out are shared.
 */
import type { UnitOfWork } from '../commands/command-runner.ts'
import type { Actor } from '../events/event.ts'
import type { RequestHead, HandlerContext, Caller } from '../http/route.ts'
import type { ServiceKey } from '../lib/services.ts'
import type { ReadDatabase } from '../projections/read-database.ts'
import type { Account, UsedFactor, VerifiedPassword } from './account-rules.ts'
import type { FailureReason } from './session-events.ts'
import type { EndReason, SessionIdentity, Rotation, Session } from './session-rules.ts'
import type { AccessTokenKind } from './session-tokens.ts'

/** An account that can sign in. */
export interface RealmAccount extends Account {
  readonly email: string
  /** The HMAC of the normalised address. */
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

/** The decisions in the streams of a realm. Each runs within the given unit of work. */
export interface RealmDecisions {
  /** @throws Rejection 401 if the password or the code is no longer valid */
  signIn(unit: UnitOfWork, held: SessionIdentity, ask: RealmSignInInput): Promise<unknown>
  failSignIn(unit: UnitOfWork, accountId: string, reason: FailureReason): void
  refresh(unit: UnitOfWork, held: SessionIdentity, tokens: Rotation): Promise<unknown>
  changePassword(
    unit: UnitOfWork,
    held: SessionIdentity,
    change: VerifiedPassword & { passwordHash: string },
  ): Promise<unknown>
  setUpTotp(unit: UnitOfWork, held: SessionIdentity, ask: VerifiedPassword & { secret: string }): Promise<unknown>
  /** Also records that the session proved the password. */
  enableTotp(
    unit: UnitOfWork,
    held: SessionIdentity,
    ask: VerifiedPassword & { secret: string; step: number; backupCodes: readonly string[] },
  ): Promise<unknown>
  disableTotp(unit: UnitOfWork, held: SessionIdentity, proof: VerifiedPassword & { step: number }): Promise<unknown>
  endSession(unit: UnitOfWork, held: SessionIdentity, reason: EndReason): Promise<unknown>
  endOthers(unit: UnitOfWork, held: SessionIdentity, reason: EndReason): Promise<unknown>
}

/**
 * How a session renews its proof: by the step of a verified code or, without a second factor, by the
 * password.
 */
export type ProofRenewal = { readonly step: number } | VerifiedPassword

/** A realm whose sessions renew their proof before sensitive changes; a proof is valid for some minutes. */
export interface StepUpRealm<M extends RealmAccount = any, Profile = unknown> extends Realm<M, Profile> {
  readonly decide: RealmDecisions & {
    /** @throws Rejection 403 for a factor that was enabled after the session last proved the password */
    stepUp(unit: UnitOfWork, held: SessionIdentity, proof: ProofRenewal): Promise<unknown>
  }
}

export interface Realm<M extends RealmAccount = any, Profile = unknown> {
  readonly actorType: string
  /** The path to which browsers send its cookies. */
  readonly authPath: `/${string}`
  /** The address of the pages that may send its cookies, besides the installation's own. */
  readonly pages?: ServiceKey<string | undefined>
  readonly cookies: { readonly refresh: string; readonly device: string }
  /**
   * The scope of the unique constraints for refresh tokens, and the installation key that derives their
   * successors.
   */
  readonly refresh: { readonly constraintScope: string; readonly key: string }
  readonly tokens: AccessTokenKind
  /** The prefix of the realm's counters. Realms share no counters except those of addresses. */
  readonly counterPrefix: string
  /**
   * Makes the same number of queries for unknown and known addresses. An account that may not sign in
   * counts as unknown.
   */
  accountByEmailKey(unit: UnitOfWork, emailKey: string): Promise<M | undefined>
  /** Also undefined for an account that may no longer sign in. */
  account(unit: UnitOfWork, accountId: string): Promise<M | undefined>
  sessions(unit: UnitOfWork, accountId: string): Promise<readonly Session[]>
  /**
   * The caller of a bearer token.
   * @throws Rejection 401
   */
  caller(
    token: string,
    arrival: RequestHead,
    parts: Pick<HandlerContext, 'read' | 'vault' | 'baseUrl'>,
  ): Promise<Caller>
  sessionIdentityOf(caller: Caller): SessionIdentity
  /** The profile that an account sees of itself. */
  profile(member: M, read: ReadDatabase): Profile | Promise<Profile>
  readonly decide: RealmDecisions
}

export const actorOf = ({ actorType }: Pick<Realm, 'actorType'>, accountId: string): Actor => ({
  type: actorType,
  id: accountId,
})

/**
 * The caller may not be the account's owner. The caller's address is therefore sealed with its own key,
 * which is destroyed together with the owner's key.
 */
export const anonymousActorFor = (accountId: string): Actor => ({ type: 'ANONYMOUS', id: accountId })
export const ANONYMOUS_ACTOR = anonymousActorFor('nobody')
