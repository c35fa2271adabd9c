import {
  applyBackupCodeUsed,
  applyPasswordRehashed,
  applyTotpDisabled,
  applyTotpEnabled,
  applyTotpUsed,
} from '#kernel/auth/account-rules'
import type { Account } from '#kernel/auth/account-rules'
import { credentialDecisions } from '#kernel/auth/credential-decisions'
import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import {
  StaffAdded,
  StaffDemoted,
  StaffLinkMade,
  StaffPasswordReset,
  StaffPromoted,
  StaffRemoved,
  StaffRenamed,
  StaffRolesChanged,
  StaffTotpReset,
  staffEvents,
  staffNames,
  staffProofs,
  staffRosterEvents,
} from './events.ts'

export interface StaffMember extends Account {
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

/** Validity of an invitation (security.md 2.4). */
const LINK_MS = 24 * 60 * 60_000

const proofs = credentialDecisions(staffNames, staffProofs)

export const staffAccounts = decider(staffEvents, {
  initial: undefined as StaffMember | undefined,
  evolve: {
    StaffAdded: (_none, { staffId, invited = false, ...person }, at): StaffMember => ({
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
    StaffPasswordRehashed: applyPasswordRehashed,
    StaffTotpSetUp: proofs.totpSetUp,
    StaffTotpEnabled: applyTotpEnabled,
    StaffTotpDisabled: applyTotpDisabled,
    StaffTotpUsed: applyTotpUsed,
    StaffBackupCodeUsed: applyBackupCodeUsed,
    StaffLinkMade: (person, { linkHash, expiresAt }) => ({ ...person!, link: { hash: linkHash, expiresAt } }),
    StaffRenamed: (person, { name }) => ({ ...person!, name }),
    StaffRolesChanged: (person, { roles }) => ({ ...person!, roles }),
    StaffTotpReset: (person) => ({ ...person!, totp: undefined, pendingTotp: undefined }),
    StaffRemoved: () => undefined,
  },
  commands: {
    ...proofs.commands,
    ...proofs.steppingUp,
    AddStaff: (_none, ask: DataOf<typeof StaffAdded>) => [StaffAdded(ask)],
    ResetPassword: (person, { passwordHash }: { passwordHash: string }) => [
      StaffPasswordReset({ staffId: found(person).id, passwordHash }),
    ],
    MakeLink: (person, ask: Omit<DataOf<typeof StaffLinkMade>, 'staffId' | 'expiresAt'>, { at }: { at: Date }) => {
      const expiresAt = new Date(at.getTime() + LINK_MS).toISOString()
      return [StaffLinkMade({ ...ask, staffId: found(person).id, expiresAt })]
    },
    UseLink: (person, ask: { linkHash: string; passwordHash: string }, { at }: { at: Date }) => [
      StaffPasswordReset({ staffId: staffByLink(person, ask.linkHash, at).id, passwordHash: ask.passwordHash }),
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
  },
})

/** Active SUPERADMINs; invited ones are left out. */
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
      if (all.length === 1)
        reject(
          'conflict',
          'This is the only active SUPERADMIN: make another member of staff SUPERADMIN first',
          'LAST_SUPERADMIN',
        )
      return [StaffDemoted({ staffId })]
    },
  },
})

/**
 * The account of the link.
 * @throws Rejection 400, the same for an unknown, used, replaced or expired link
 */
export function staffByLink(person: StaffMember | undefined, linkHash: string, at: Date): StaffMember {
  const { link } = person ?? {}
  const isGood = link?.hash === linkHash && Date.parse(link.expiresAt) > at.getTime()
  return person && isGood ? person : rejectInvalidLink()
}

function rejectInvalidLink(): never {
  return reject('invalid', 'The link is no longer valid: ask an administrator for a new one', 'LINK_INVALID')
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each))
