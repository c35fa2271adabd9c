/** The events of sessions: the same for every realm, with the realm's names. */
import { z } from 'zod'
import { computedEvent, internal, sealed } from '../events/event.ts'
import type { EventType } from '../events/event.ts'
import type { AccountIdField, SessionIdFields, RealmNames } from './realm-names.ts'
import { END_REASONS, refreshTokenConstraint } from './session-rules.ts'
import type { EndReason } from './session-rules.ts'

/** SHA-256 of a refresh token, in hex. */
const refreshHash = internal(z.string())
const expiresAt = z.iso.datetime()

/** The current refresh token and its expiry. */
interface RefreshTokenFields {
  readonly refreshHash: string
  readonly expiresAt: string
}

export interface SessionEvents<Noun extends string, AccountKey extends string, More extends string> {
  readonly Started: EventType<
    `${Noun}SessionStarted`,
    SessionIdFields<Noun, AccountKey> & RefreshTokenFields & { readonly userAgent: string | null }
  >
  readonly Refreshed: EventType<`${Noun}SessionRefreshed`, SessionIdFields<Noun, AccountKey> & RefreshTokenFields>
  /** Within an existing session; starting a session proves the password as well. */
  readonly PasswordProved: EventType<`${Noun}SessionPasswordProved`, SessionIdFields<Noun, AccountKey>>
  readonly Ended: EventType<
    `${Noun}SessionEnded`,
    SessionIdFields<Noun, AccountKey> & { readonly reason: EndReason | More }
  >
}

/** Only for realms whose sessions renew their proof. */
export type SteppedUpEvent<Noun extends string, AccountKey extends string> = EventType<
  `${Noun}SessionSteppedUp`,
  SessionIdFields<Noun, AccountKey>
>

/** The scope of the unique constraints for refresh tokens. */
export const refreshScope = ({ scope }: { readonly scope: string }): string => `${scope}Refresh`

/** @param more additional reasons for the end of a session in this realm */
export function sessionEvents<Noun extends string, AccountKey extends string, More extends string = never>(
  names: RealmNames<Noun, AccountKey>,
  more: readonly More[] = [],
): SessionEvents<Noun, AccountKey, More> {
  const { noun, sessionKey, called, held, sealedFor } = names
  const ids = { ...names.sessionField, ...names.accountField }
  const takes = (data: RefreshTokenFields) => [
    refreshTokenConstraint(refreshScope(names), held(data), data.refreshHash),
  ]
  return {
    Started: computedEvent(
      `${noun}SessionStarted`,
      sessionKey,
      { ...ids, refreshHash, expiresAt, userAgent: sealed(z.string().nullable()) },
      (data) => `signed in as ${called(held(data).accountId)}, session ${held(data).sessionId}`,
      { sealedFor, takes },
    ),
    Refreshed: computedEvent(
      `${noun}SessionRefreshed`,
      sessionKey,
      { ...ids, refreshHash, expiresAt },
      (data) => `refreshed session ${held(data).sessionId}`,
      { takes },
    ),
    PasswordProved: computedEvent(
      `${noun}SessionPasswordProved`,
      sessionKey,
      ids,
      (data) => `proved the password in session ${held(data).sessionId}`,
    ),
    Ended: computedEvent(
      `${noun}SessionEnded`,
      sessionKey,
      { ...ids, reason: z.enum([...END_REASONS, ...more]) },
      (data) => `ended session ${held(data).sessionId} (${data.reason})`,
      // Version 2 adds one reason.
      { strict: true, upcasters: [(data) => data] },
    ),
  }
}

export const steppedUpEvent = <Noun extends string, AccountKey extends string>({
  noun,
  sessionKey,
  sessionField,
  accountField,
  held,
}: RealmNames<Noun, AccountKey>): SteppedUpEvent<Noun, AccountKey> =>
  computedEvent(
    `${noun}SessionSteppedUp`,
    sessionKey,
    { ...sessionField, ...accountField },
    (data) => `proved who it is again in session ${held(data).sessionId}`,
  )

const FAILURE_REASONS = ['WRONG_PASSWORD', 'WRONG_CODE', 'CODE_MISSING'] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/** A failed sign-in to an existing account. The attempt counters bound the number of these events. */
export const loginFailedEvent = <Noun extends string, AccountKey extends string>({
  noun,
  accountKey,
  accountField,
  accountId,
  called,
}: RealmNames<Noun, AccountKey>): EventType<
  `${Noun}LoginFailed`,
  AccountIdField<AccountKey> & { readonly reason: FailureReason }
> =>
  computedEvent(
    `${noun}LoginFailed`,
    accountKey,
    { ...accountField, reason: z.enum(FAILURE_REASONS) },
    (data) => `could not sign in as ${called(accountId(data))} (${data.reason})`,
  )
