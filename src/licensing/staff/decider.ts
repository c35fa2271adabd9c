import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import {
  confirmed,
  freshStep,
  notSetUp,
  otherBackupCodes,
  pendingSecret,
  withoutTotp,
  withTotp,
} from '../identity/account-rules.ts'
import type { Account, Factor, Verified } from '../identity/account-rules.ts'
import { secondFactorRequired } from '../identity/refusals.ts'
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

export interface Person extends Account {
  readonly email: string
  readonly emailKey: string
  readonly name: string
  readonly roles: readonly string[]
  readonly passwordHash: string
  readonly createdAt: string
}

interface InSession {
  readonly staffSessionId: string
}

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
          step: freshStep(known, ask.step),
          staffSessionId,
          backupCodes: [...backupCodes],
        }),
      ]
    },
    DisableTotp: (person, ask: Verified & InSession & { step: number }) => {
      const known = withTotp(confirmed(person, ask))
      return [
        StaffTotpDisabled({ staffId: known.id, step: freshStep(known, ask.step), staffSessionId: ask.staffSessionId }),
      ]
    },
  },
})

function usedFactor({ id: staffId, ...person }: Person, factor: Factor, staffSessionId: string) {
  if ('step' in factor) return [StaffTotpUsed({ staffId, step: freshStep(person, factor.step), staffSessionId })]
  const { backupCode } = factor
  const left = otherBackupCodes(person, backupCode).length
  return [StaffBackupCodeUsed({ staffId, backupCode, left, staffSessionId })]
}
