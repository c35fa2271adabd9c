import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { found, reject } from '#kernel/rejection'
import { invalidCredentials, secondFactorRequired } from '../identity/staff-refusals.ts'
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
  /** Has never set a password. */
  readonly isInvited: boolean
  readonly link: { readonly hash: string; readonly expiresAt: string } | undefined
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

/** The secret that was set up in the last ten minutes. @throws Rejection 409 TOTP_NOT_SET_UP */
export function pendingSecret({ pendingTotp }: Person, now: Date): string {
  if (!pendingTotp || now.getTime() - pendingTotp.at.getTime() > SETUP_MS) return notSetUp()
  return pendingTotp.secret
}

/** @throws Rejection 409 TOTP_NOT_ENABLED */
export function withTotp(person: Person | undefined): Person & { totp: NonNullable<Person['totp']> } {
  const { totp } = found(person)
  if (!totp) return reject('conflict', 'The second factor is not enabled', 'TOTP_NOT_ENABLED')
  return { ...person!, totp }
}

/** @throws Rejection 409 TOTP_ENABLED */
export function withoutTotp(person: Person | undefined): Person {
  if (found(person).totp) reject('conflict', 'The second factor is already enabled', 'TOTP_ENABLED')
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
