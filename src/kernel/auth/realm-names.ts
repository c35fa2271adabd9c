/**
 * The names that a realm gives to its accounts and sessions. The names of its events, fields and unique
 * constraints follow from them.
 */
import { z } from 'zod'
import type { SessionIdentity } from './session-rules.ts'

export type SessionKey<Noun extends string> = `${Uncapitalize<Noun>}SessionId`

/** How its events name an account. */
export type AccountIdField<AccountKey extends string> = { readonly [Key in AccountKey]: string }
/** How its events name a session and its account. */
export type SessionIdFields<Noun extends string, AccountKey extends string> = {
  readonly [Key in SessionKey<Noun> | AccountKey]: string
}

/**
 * TypeScript cannot check computed names. Untyped access is limited to this file and the files that
 * declare events with it.
 */
type Fields = Readonly<Record<string, any>>

interface RealmNamesOptions {
  /** The subject whose key seals the personal data of an account. */
  readonly subject: (accountId: string) => string
  /** How audit sentences name an account; by default by its id. */
  readonly called?: (accountId: string) => string
}

export type RealmNames<Noun extends string, AccountKey extends string> = ReturnType<typeof realmNames<Noun, AccountKey>>

/**
 * @param noun starts the name of every event and, in lower case, the scope of every unique constraint:
 * `Staff` has the event `StaffSessionStarted`, the field `staffSessionId` and the scope `staffRefresh`
 * @param accountKey the field that names an account
 */
export function realmNames<Noun extends string, AccountKey extends string>(
  noun: Noun,
  accountKey: AccountKey & `${string}Id`,
  { subject, called = (accountId) => accountId }: RealmNamesOptions,
) {
  const scope = `${noun.charAt(0).toLowerCase()}${noun.slice(1)}`
  const sessionKey = `${scope}SessionId`
  return {
    noun,
    scope,
    accountKey: accountKey as AccountKey,
    sessionKey: sessionKey as SessionKey<Noun>,
    called,
    subject,
    sealedFor: (data: Fields): string => subject(data[accountKey]),
    accountId: (data: Fields): string => data[accountKey],
    /** For events that a session may have caused. */
    sessionOf: (data: Fields): string | null => data[sessionKey],
    held: (data: Fields): SessionIdentity => ({ accountId: data[accountKey], sessionId: data[sessionKey] }),
    ofAccount: (accountId: string) => ({ [accountKey]: accountId }) as AccountIdField<AccountKey>,
    ofSession: ({ accountId, sessionId }: SessionIdentity) =>
      ({ [sessionKey]: sessionId, [accountKey]: accountId }) as SessionIdFields<Noun, AccountKey>,
    accountField: { [accountKey]: z.uuid() },
    sessionField: { [sessionKey]: z.uuid() },
  }
}
