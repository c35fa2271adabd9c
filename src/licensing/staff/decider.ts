import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { found, reject } from '#kernel/rejection'
import {
  backupCodeUsed,
  confirmed,
  freshStep,
  notSetUp,
  otherBackupCodes,
  pendingSecret,
  totpEnabled,
  withoutTotp,
  withTotp,
} from '#kernel/realm/account-rules'
import type { Account, Factor, Verified } from '#kernel/realm/account-rules'
import { secondFactorRequired } from '#kernel/realm/refusals'
import {
  StaffAdded,
  StaffBackupCodeUsed,
  StaffDemoted,
  StaffLinkMade,
  StaffPasswordChanged,
  StaffPasswordRehashed,
  StaffPasswordReset,
  StaffPromoted,
  StaffRemoved,
  StaffRenamed,
  StaffRolesChanged,
  StaffTotpDisabled,
  StaffTotpEnabled,
  StaffTotpReset,
  StaffTotpSetUp,
  StaffTotpUsed,
  staffEvents,
  staffRosterEvents,
} from './events.ts'

export interface Person extends Account {
  readonly email: string
  readonly emailKey: string
  readonly name: string
  readonly roles: readonly string[]
  readonly passwordHash: string
  readonly createdAt: string
  /** Has never set a password. */
  readonly isInvited: boolean
  readonly link: { readonly hash: string; readonly expiresAt: string } | undefined
}

interface InSession {
  readonly staffSessionId: string
}

/** Of an invitation (security.md 2.4). */
const LINK_MS = 24 * 60 * 60_000

export const staff = decider(staffEvents, {
  initial: undefined as Person | undefined,
  evolve: {
    StaffAdded: (_none, { staffId, invited = false, ...person }, at): Person => ({
      ...person,
      id: staffId,
      createdAt: at.toISOString(),
      totp: undefined,
      pendingTotp: undefined,
      lastStep: undefined,
      isInvited: invited,
      link: undefined,
    }),
    StaffPasswordChanged: (person, { passwordHash }) => ({ ...person!, passwordHash, link: undefined }),
    StaffPasswordReset: (person, { passwordHash }) => ({ ...person!, passwordHash, link: undefined, isInvited: false }),
    StaffPasswordRehashed: (person, { passwordHash }) => ({ ...person!, passwordHash }),
    StaffTotpSetUp: (person, { secret }, at) => ({ ...person!, pendingTotp: { secret, at } }),
    StaffTotpEnabled: (person, enabled) => totpEnabled(person!, enabled),
    StaffTotpDisabled: (person, { step }) => ({ ...person!, totp: undefined, lastStep: step }),
    StaffTotpUsed: (person, { step }) => ({ ...person!, lastStep: step }),
    StaffBackupCodeUsed: (person, { backupCode }) => backupCodeUsed(person!, backupCode),
    StaffLinkMade: (person, { linkHash, expiresAt }) => ({ ...person!, link: { hash: linkHash, expiresAt } }),
    StaffRenamed: (person, { name }) => ({ ...person!, name }),
    StaffRolesChanged: (person, { roles }) => ({ ...person!, roles }),
    StaffTotpReset: (person) => ({ ...person!, totp: undefined, pendingTotp: undefined }),
    StaffRemoved: () => undefined,
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
      StaffPasswordReset({ staffId: found(person).id, passwordHash }),
    ],
    MakeLink: (person, ask: Omit<DataOf<typeof StaffLinkMade>, 'staffId' | 'expiresAt'>, { at }: { at: Date }) => {
      const expiresAt = new Date(at.getTime() + LINK_MS).toISOString()
      return [StaffLinkMade({ ...ask, staffId: found(person).id, expiresAt })]
    },
    UseLink: (person, ask: { linkHash: string; passwordHash: string }, { at }: { at: Date }) => [
      StaffPasswordReset({ staffId: byLink(person, ask.linkHash, at).id, passwordHash: ask.passwordHash }),
    ],
    ChangeStaff: (person, ask: { name?: string | undefined; roles?: readonly string[] | undefined }) => {
      const { id: staffId, name, roles } = found(person)
      return [
        ...(ask.name === undefined || ask.name === name ? [] : [StaffRenamed({ staffId, name: ask.name })]),
        ...(ask.roles === undefined || isSameSet(ask.roles, roles)
          ? []
          : [StaffRolesChanged({ staffId, roles: [...ask.roles] })]),
      ]
    },
    ResetTotp: (person, _ask: object) => {
      const { id: staffId, totp } = found(person)
      return totp
        ? [StaffTotpReset({ staffId })]
        : reject('conflict', 'The second factor is not enabled', 'TOTP_NOT_ENABLED')
    },
    RemoveStaff: (person, _ask: object) => {
      const { id: staffId, emailKey } = found(person)
      return [StaffRemoved({ staffId, emailKey })]
    },
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

/** Who can do everything, those who were invited and have not come yet left out. */
export const staffRoster = decider(staffRosterEvents, {
  initial: [] as readonly string[],
  evolve: {
    StaffPromoted: (all, { staffId }) => [...all, staffId],
    StaffDemoted: (all, { staffId }) => all.filter((each) => each !== staffId),
  },
  commands: {
    Enrol: (all, { staffId, roles }: { staffId: string; roles: readonly string[] }) => {
      const was = all.includes(staffId)
      const is = roles.includes('SUPERADMIN')
      if (was === is) return []
      if (is) return [StaffPromoted({ staffId })]
      if (all.length === 1) reject('conflict', 'Nobody else on the staff is a SUPERADMIN', 'LAST_SUPERADMIN')
      return [StaffDemoted({ staffId })]
    },
  },
})

/** The person whose link it is. @throws Rejection 400, the same for an unknown, used, voided or expired one */
export function byLink(person: Person | undefined, linkHash: string, at: Date): Person {
  const { link } = person ?? {}
  const isGood = link?.hash === linkHash && Date.parse(link.expiresAt) > at.getTime()
  return person && isGood ? person : linkInvalid()
}

export function linkInvalid(): never {
  return reject('invalid', 'The link is not valid any more: have a new one made', 'LINK_INVALID')
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each))

function usedFactor({ id: staffId, ...person }: Person, factor: Factor, staffSessionId: string) {
  if ('step' in factor) return [StaffTotpUsed({ staffId, step: freshStep(person, factor.step), staffSessionId })]
  const { backupCode } = factor
  const left = otherBackupCodes(person, backupCode).length
  return [StaffBackupCodeUsed({ staffId, backupCode, left, staffSessionId })]
}
