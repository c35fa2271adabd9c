/**
 * A kind of people that sign in, such as those who work behind a counter and those before it. Each has accounts, sessions,
 * cookies and counters of its own; how somebody gets in, stays in and is put out is the same for all.
 */
import type { Unit } from '../commands/command-runner.ts'
import type { Actor } from '../events/event.ts'
import type { Need } from '../lib/services.ts'
import type { Arrival, Call, Caller } from '../http/route.ts'
import type { Account, Factor, Verified } from './account-rules.ts'
import type { FailureReason } from './session-events.ts'
import type { EndReason, Held, Rotation, Session } from './session-rules.ts'
import type { TokenKind } from './session-tokens.ts'

/** An account that can sign in. */
export interface Member extends Account {
  readonly email: string
  /** HMAC of the normalised address. */
  readonly emailKey: string
  readonly name: string | null
  readonly passwordHash: string
}

interface SigningIn {
  readonly verified: string
  readonly rehashed: string | undefined
  readonly factor: Factor | undefined
  readonly refreshHash: string
  readonly userAgent: string | null
}

/** What is decided in the streams of a realm. Each is part of the unit that it is given. */
export interface RealmDecisions {
  /** @throws Rejection 401 when the password or the code is not good any more */
  signIn(unit: Unit, held: Held, ask: SigningIn): Promise<unknown>
  failSignIn(unit: Unit, accountId: string, reason: FailureReason): void
  refresh(unit: Unit, held: Held, tokens: Rotation): Promise<unknown>
  changePassword(unit: Unit, held: Held, change: Verified & { passwordHash: string }): Promise<unknown>
  setUpTotp(unit: Unit, held: Held, ask: Verified & { secret: string }): Promise<unknown>
  /** The session has proved the password for it, and that is recorded too. */
  enableTotp(
    unit: Unit,
    held: Held,
    ask: Verified & { secret: string; step: number; backupCodes: readonly string[] },
  ): Promise<unknown>
  disableTotp(unit: Unit, held: Held, proof: Verified & { step: number }): Promise<unknown>
  endSession(unit: Unit, held: Held, reason: EndReason): Promise<unknown>
  endOthers(unit: Unit, held: Held, reason: EndReason): Promise<unknown>
}

/** By which a session renews its proof: the step of a right code or, without a second factor, the password. */
export type Renewal = { readonly step: number } | Verified

/** Of a realm whose sessions prove anew who they are, for what is asked of them in the next minutes. */
export interface SteppingRealm<M extends Member = any, Profile = unknown> extends Realm<M, Profile> {
  readonly decide: RealmDecisions & {
    /** @throws Rejection 403 for a factor that is younger than the session's last password proof */
    stepUp(unit: Unit, held: Held, proof: Renewal): Promise<unknown>
  }
}

export interface Realm<M extends Member = any, Profile = unknown> {
  readonly actorType: string
  /** Where its cookies are sent. */
  readonly authPath: `/${string}`
  /** Whose pages may send its cookies, besides the installation's own. */
  readonly pages?: Need<string | undefined>
  readonly cookies: { readonly refresh: string; readonly device: string }
  /** The claims that refresh tokens are, and the installation key that their successors are derived with. */
  readonly refresh: { readonly claim: string; readonly key: string }
  readonly tokens: TokenKind
  /** Before the names that guesses are counted under: the realms share no counter but that of addresses. */
  readonly counted: string
  /** Asks the store as often for an address that nobody has as for one that somebody has. Whoever may not sign in is nobody. */
  memberBy(unit: Unit, emailKey: string): Promise<M | undefined>
  /** Undefined, too, for whoever may not go on. */
  member(unit: Unit, accountId: string): Promise<M | undefined>
  sessions(unit: Unit, accountId: string): Promise<readonly Session[]>
  /** Whose bearer token this is. @throws Rejection 401 */
  caller(token: string, arrival: Arrival, parts: Pick<Call, 'read' | 'vault' | 'baseUrl'>): Promise<Caller>
  held(caller: Caller): Held
  /** What he is told about himself. */
  profile(member: M): Profile
  readonly decide: RealmDecisions
}

export const actorOf = ({ actorType }: Pick<Realm, 'actorType'>, accountId: string): Actor => ({
  type: actorType,
  id: accountId,
})

/** Perhaps not the account's owner, so the address is sealed with a key of its own; it goes when the owner's key goes. */
export const strangerTo = (accountId: string): Actor => ({ type: 'ANONYMOUS', id: accountId })
export const STRANGER = strangerTo('nobody')
