/** What a realm calls its accounts and sessions: the names of its events, their fields and its claims follow from it. */
import { z } from 'zod'
import type { SessionIdentity } from './session-rules.ts'

export type SessionKey<Noun extends string> = `${Uncapitalize<Noun>}SessionId`

/** As its events name an account. */
export type AccountIdField<AccountKey extends string> = { readonly [Key in AccountKey]: string }
/** As its events name a session, and whose it is. */
export type SessionIdFields<Noun extends string, AccountKey extends string> = {
  readonly [Key in SessionKey<Noun> | AccountKey]: string
}

/** The compiler does not follow computed names; what it cannot see is kept to this file and those that declare events by it. */
type Fields = Readonly<Record<string, any>>

interface RealmNamesOptions {
  /** Whose key seals what is personal in an account. */
  readonly subject: (accountId: string) => string
  /** What sentences call an account; by default its id. */
  readonly called?: (accountId: string) => string
}

export type RealmNames<Noun extends string, AccountKey extends string> = ReturnType<typeof realmNames<Noun, AccountKey>>

/**
 * @param noun begins the name of every event and, in lower case, the scope of every claim: `Staff` has `StaffSessionStarted`, its
 *   `staffSessionId`, and claims `staffRefresh`
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
    /** Of an event that a session may have caused. */
    sessionOf: (data: Fields): string | null => data[sessionKey],
    held: (data: Fields): SessionIdentity => ({ accountId: data[accountKey], sessionId: data[sessionKey] }),
    ofAccount: (accountId: string) => ({ [accountKey]: accountId }) as AccountIdField<AccountKey>,
    ofSession: ({ accountId, sessionId }: SessionIdentity) =>
      ({ [sessionKey]: sessionId, [accountKey]: accountId }) as SessionIdFields<Noun, AccountKey>,
    accountField: { [accountKey]: z.uuid() },
    sessionField: { [sessionKey]: z.uuid() },
  }
}
