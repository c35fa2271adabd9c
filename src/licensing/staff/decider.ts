import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { reject } from '#kernel/rejection'
import { invalidCredentials, secondFactorRequired } from '../identity/staff-refusals.ts'
import {
  StaffAdded,
  StaffBackupCodeUsed,
  StaffPasswordChanged,
  StaffPasswordRehashed,
  StaffPasswordReset,
  StaffTotpDisabled,
  StaffTotpEnabled,
  StaffTotpSetUp,
  StaffTotpUsed,
  staffEvents,
} from './events.ts'

export interface Person {
  readonly id: string
  readonly email: string
  readonly emailKey: string
  readonly name: string
  readonly roles: readonly string[]
  /** A PHC string. */
  readonly passwordHash: string
  readonly createdAt: string
  readonly totp: { readonly secret: string; readonly backupCodes: readonly string[] } | undefined
  readonly pendingTotp: { readonly secret: string; readonly at: Date } | undefined
  /** The newest time step ever used; it outlives the secret, so no code counts twice. */
  readonly lastStep: number | undefined
}

/** A TOTP step or the stored hash of a backup code, either found to be right. */
export type Factor = { readonly step: number } | { readonly backupCode: string }

/**
 * `verified` is the hash that the given password was found to fit. It takes a while to find out, so the rule looks again
 * whether it is still the person's.
 */
interface Verified {
  readonly verified: string
}

interface InSession {
  readonly staffSessionId: string
}

const SETUP_MS = 10 * 60_000

export const staff = decider(staffEvents, {
  initial: undefined as Person | undefined,
  evolve: {
    StaffAdded: (_none, { staffId, ...person }, at) => ({
      ...person,
      id: staffId,
      createdAt: at.toISOString(),
      totp: undefined,
      pendingTotp: undefined,
      lastStep: undefined,
    }),
    StaffPasswordChanged: (person, { passwordHash }) => ({ ...person!, passwordHash }),
    StaffPasswordReset: (person, { passwordHash }) => ({ ...person!, passwordHash }),
    StaffPasswordRehashed: (person, { passwordHash }) => ({ ...person!, passwordHash }),
    StaffTotpSetUp: (person, { secret }, at) => ({ ...person!, pendingTotp: { secret, at } }),
    StaffTotpEnabled: (person, { step, backupCodes }) => ({
      ...person!,
      totp: { secret: person!.pendingTotp!.secret, backupCodes },
      pendingTotp: undefined,
      lastStep: step,
    }),
    StaffTotpDisabled: (person, { step }) => ({ ...person!, totp: undefined, lastStep: step }),
    StaffTotpUsed: (person, { step }) => ({ ...person!, lastStep: step }),
    StaffBackupCodeUsed: (person, { backupCode }) => ({
      ...person!,
      totp: { ...person!.totp!, backupCodes: person!.totp!.backupCodes.filter((each) => each !== backupCode) },
    }),
  },
  commands: {
    AddStaff: (_none, ask: DataOf<typeof StaffAdded>) => [StaffAdded(ask)],
    SignIn: (person, ask: Verified & InSession & { rehashed?: string | undefined; factor?: Factor | undefined }) => {
      const known = confirmed(person, ask)
      const used = known.totp ? usedFactor(known, ask.factor ?? secondFactorRequired(), ask.staffSessionId) : []
      const { rehashed } = ask
      return rehashed === undefined
        ? used
        : [...used, StaffPasswordRehashed({ staffId: known.id, passwordHash: rehashed })]
    },
    StepUp: (person, ask: InSession & { step: number }) => usedFactor(withTotp(person), ask, ask.staffSessionId),
    ChangePassword: (person, ask: Verified & { passwordHash: string }) => [
      StaffPasswordChanged({ staffId: confirmed(person, ask).id, passwordHash: ask.passwordHash }),
    ],
    ResetPassword: (person, { passwordHash }: { passwordHash: string }) => [
      StaffPasswordReset({ staffId: person!.id, passwordHash }),
    ],
    SetUpTotp: (person, { secret }: { secret: string }) => [
      StaffTotpSetUp({ staffId: withoutTotp(person).id, secret }),
    ],
    EnableTotp: (
      person,
      ask: InSession & { secret: string; step: number; backupCodes: readonly string[] },
      { at }: { at: Date },
    ) => {
      const known = withoutTotp(person)
      if (pendingSecret(known, at) !== ask.secret) notSetUp()
      const { staffSessionId, backupCodes } = ask
      return [
        StaffTotpEnabled({
          staffId: known.id,
          step: fresh(known, ask.step),
          staffSessionId,
          backupCodes: [...backupCodes],
        }),
      ]
    },
    DisableTotp: (person, ask: Verified & InSession & { step: number }) => {
      const known = withTotp(confirmed(person, ask))
      return [
        StaffTotpDisabled({ staffId: known.id, step: fresh(known, ask.step), staffSessionId: ask.staffSessionId }),
      ]
    },
  },
})

/** The secret that was set up in the last ten minutes. @throws Rejection 409 TOTP_NOT_SET_UP */
export function pendingSecret({ pendingTotp }: Person, now: Date): string {
  if (!pendingTotp || now.getTime() - pendingTotp.at.getTime() > SETUP_MS) return notSetUp()
  return pendingTotp.secret
}

/** @throws Rejection 409 TOTP_NOT_ENABLED */
export function withTotp(person: Person | undefined): Person & { totp: NonNullable<Person['totp']> } {
  const { totp } = person!
  if (!totp) return reject('conflict', 'The second factor is not enabled', 'TOTP_NOT_ENABLED')
  return { ...person!, totp }
}

/** @throws Rejection 409 TOTP_ENABLED */
export function withoutTotp(person: Person | undefined): Person {
  if (person!.totp) reject('conflict', 'The second factor is already enabled', 'TOTP_ENABLED')
  return person!
}

function notSetUp(): never {
  reject('conflict', 'Set the second factor up first; a set-up holds for ten minutes', 'TOTP_NOT_SET_UP')
}

function confirmed(person: Person | undefined, { verified }: Verified): Person {
  return person && person.passwordHash === verified ? person : invalidCredentials()
}

function usedFactor({ id: staffId, ...person }: Person, factor: Factor, staffSessionId: string) {
  if ('step' in factor) return [StaffTotpUsed({ staffId, step: fresh(person, factor.step), staffSessionId })]
  const { backupCode } = factor
  const left = person.totp!.backupCodes.filter((each) => each !== backupCode).length
  if (left === person.totp!.backupCodes.length) invalidCredentials()
  return [StaffBackupCodeUsed({ staffId, backupCode, left, staffSessionId })]
}

const fresh = ({ lastStep = -1 }: Pick<Person, 'lastStep'>, step: number): number =>
  step > lastStep ? step : invalidCredentials()
