/** The events of passwords and second factors: the same for every realm, with the realm's names. */
import { z } from 'zod'
import { computedEvent, internal, sealed } from '../events/event.ts'
import type { EventType } from '../events/event.ts'
import type { AccountIdField, SessionIdFields, RealmNames, SessionKey } from './realm-names.ts'

/** A TOTP time step: seconds since 1970 / 30. */
const step = internal(z.int().min(0))

export interface CredentialEvents<Noun extends string, AccountKey extends string> {
  readonly PasswordChanged: EventType<
    `${Noun}PasswordChanged`,
    AccountIdField<AccountKey> & { readonly passwordHash: string }
  >
  /** The same password, hashed with the current parameters. */
  readonly PasswordRehashed: EventType<
    `${Noun}PasswordRehashed`,
    AccountIdField<AccountKey> & { readonly passwordHash: string }
  >
  /** The session is null in events of 0.1.0, which did not record it. */
  readonly TotpSetUp: EventType<
    `${Noun}TotpSetUp`,
    AccountIdField<AccountKey> & { readonly secret: string } & { readonly [Key in SessionKey<Noun>]: string | null }
  >
  readonly TotpEnabled: EventType<
    `${Noun}TotpEnabled`,
    SessionIdFields<Noun, AccountKey> & { readonly step: number; readonly backupCodes: string[] }
  >
  readonly TotpDisabled: EventType<`${Noun}TotpDisabled`, SessionIdFields<Noun, AccountKey> & { readonly step: number }>
  readonly TotpUsed: EventType<`${Noun}TotpUsed`, SessionIdFields<Noun, AccountKey> & { readonly step: number }>
  readonly BackupCodeUsed: EventType<
    `${Noun}BackupCodeUsed`,
    SessionIdFields<Noun, AccountKey> & { readonly backupCode: string; readonly left: number }
  >
}

/** @param passwordHash as the realm stores it: internal or sealed */
export function credentialEvents<Noun extends string, AccountKey extends string>(
  names: RealmNames<Noun, AccountKey>,
  passwordHash: z.ZodString,
): CredentialEvents<Noun, AccountKey> {
  const { noun, scope, accountKey, accountField, sessionKey, sessionField, accountId, held, sealedFor } = names
  const called = (data: object): string => names.called(accountId(data))
  /**
   * Each code is used once per account and 30 s, for any purpose; the session that used it holds the
   * constraint.
   */
  const takesStep = (data: { step: number }) => [
    { scope: `${scope}TotpStep`, key: `${accountId(data)}/${data.step}`, holder: held(data).sessionId },
  ]
  const takesBackupCode = (data: { backupCode: string }) => [
    { scope: `${scope}BackupCode`, key: `${accountId(data)}/${data.backupCode}`, holder: held(data).sessionId },
  ]
  return {
    PasswordChanged: computedEvent(
      `${noun}PasswordChanged`,
      accountKey,
      { ...accountField, passwordHash },
      (data) => `changed the password of ${called(data)}`,
      { sealedFor, strict: true },
    ),
    PasswordRehashed: computedEvent(
      `${noun}PasswordRehashed`,
      accountKey,
      { ...accountField, passwordHash },
      (data) => `hashed the password of ${called(data)} with present parameters`,
      { sealedFor },
    ),
    TotpSetUp: computedEvent(
      `${noun}TotpSetUp`,
      accountKey,
      { ...accountField, secret: sealed(z.string()), [sessionKey]: z.uuid().nullable() },
      (data) => `began to set up the second factor of ${called(data)}`,
      { sealedFor, upcasters: [(data) => ({ ...data, [sessionKey]: null })] },
    ),
    TotpEnabled: computedEvent(
      `${noun}TotpEnabled`,
      accountKey,
      { ...accountField, step, ...sessionField, backupCodes: internal(z.array(z.string())) },
      (data) => `enabled the second factor of ${called(data)}`,
      { strict: true, takes: takesStep },
    ),
    TotpDisabled: computedEvent(
      `${noun}TotpDisabled`,
      accountKey,
      { ...accountField, step, ...sessionField },
      (data) => `disabled the second factor of ${called(data)}`,
      { strict: true, takes: takesStep },
    ),
    TotpUsed: computedEvent(
      `${noun}TotpUsed`,
      accountKey,
      { ...accountField, step, ...sessionField },
      (data) => `used a code of ${called(data)} for session ${held(data).sessionId}`,
      { takes: takesStep },
    ),
    BackupCodeUsed: computedEvent(
      `${noun}BackupCodeUsed`,
      accountKey,
      { ...accountField, backupCode: internal(z.string()), left: z.int().min(0), ...sessionField },
      (data) => `used a backup code of ${called(data)}, ${data.left} left`,
      { takes: takesBackupCode },
    ),
  }
}
