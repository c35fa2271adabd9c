import type { z } from 'zod'
import {
  applyBackupCodeUsed,
  requireUnchangedPassword,
  applyPasswordRehashed,
  applyTotpDisabled,
  applyTotpEnabled,
  applyTotpUsed,
  requireTotp,
} from '#kernel/auth/account-rules'
import type { Account, UsedFactor } from '#kernel/auth/account-rules'
import { credentialDecisions } from '#kernel/auth/credential-decisions'
import type { ServedSession, SignInInput } from '#kernel/auth/credential-decisions'
import { validLink, isRequestedTooSoon, withLink } from '#kernel/auth/one-time-links'
import type { OneTimeLinks } from '#kernel/auth/one-time-links'
import { invalidCredentials } from '#kernel/auth/rejections'
import { decider } from '#kernel/events/decider'
import type { DecisionContext } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { entryOf, persistentMap, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import type { PersistentMap } from '#kernel/lib/persistent-map'
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import { isAbove } from '../access/permissions.ts'
import type { PlatformPermission, PlatformRole } from '../access/permissions.ts'
import {
  NOTIFICATION_KINDS,
  userCredentialTypes,
  userEvents,
  userPreferenceEvents,
  userRealmNames,
  userRosterEvents,
} from './events.ts'
import type { AccountStatus, AvatarType, LinkPurpose, wantedNotifications } from './events.ts'

export interface User extends Account {
  readonly email: string
  readonly emailKey: string
  readonly name: string | null
  readonly role: PlatformRole
  readonly status: AccountStatus
  readonly createdAt: string
  readonly links: OneTimeLinks<LinkPurpose>
  /** True once a link to the address was opened, or if the account did not need that. */
  readonly isVerified: boolean
  /** Permissions of an ADMIN in addition to those of the admin role. */
  readonly permissions: readonly string[]
  readonly adminRoleId: string | null
  readonly avatar: Avatar | undefined
  /** RFC 3339. */
  readonly onboardedAt: string | undefined
}

export interface Avatar {
  readonly id: string
  readonly type: AvatarType
  /** Hex. */
  readonly sha256: string
}

/** The account that makes a change, with its role at that time. */
export interface ActingUser {
  readonly id: string
  readonly role: PlatformRole
}

const MINUTE_MS = 60_000
/** Source: security.md 2.4. */
const LINK_MS: Readonly<Record<LinkPurpose, number>> = {
  RESET: 10 * MINUTE_MS,
  VERIFY: 24 * 60 * MINUTE_MS,
  INVITE: 24 * 60 * MINUTE_MS,
}

type UserLinkInput = Omit<DataOf<typeof userEvents.UserLinkMade>, 'userId' | 'expiresAt'>

export interface ChangeUserInput {
  readonly by: ActingUser
  readonly name?: string | null | undefined
  readonly role?: PlatformRole | undefined
  /** Without PENDING_VERIFICATION, which is only an initial status. */
  readonly status?: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | undefined
}

const credentialRules = credentialDecisions(userRealmNames, userCredentialTypes)

export const users = decider(userEvents, {
  initial: undefined as User | undefined,
  evolve: {
    UserAdded: (_none, { userId, passwordHash, ...user }, at): User => ({
      ...user,
      id: userId,
      passwordHash: passwordHash ?? undefined,
      createdAt: at.toISOString(),
      totp: undefined,
      pendingTotp: undefined,
      lastStep: undefined,
      links: [],
      isVerified: user.status !== 'PENDING_VERIFICATION',
      permissions: [],
      adminRoleId: null,
      avatar: undefined,
      onboardedAt: undefined,
    }),
    UserVerified: (user) => ({ ...user!, isVerified: true, links: withoutVerifyLinks(user!) }),
    UserPasswordChanged: (user, { passwordHash }) => ({ ...user!, passwordHash, links: [] }),
    UserPasswordReset: (user, { passwordHash }) => ({ ...user!, passwordHash, links: [] }),
    UserRegistrationContested: (user) => ({ ...user!, passwordHash: undefined, links: [] }),
    UserPasswordRehashed: applyPasswordRehashed,
    UserTotpSetUp: credentialRules.totpSetUp,
    UserTotpEnabled: applyTotpEnabled,
    UserTotpDisabled: applyTotpDisabled,
    UserTotpUsed: applyTotpUsed,
    UserBackupCodeUsed: applyBackupCodeUsed,
    UserTotpReset: (user) => ({ ...user!, totp: undefined, pendingTotp: undefined }),
    UserLinkMade: (user, { purpose, linkHash: hash, expiresAt, mailed }, at) => ({
      ...user!,
      links: withLink(user!.links, { purpose, hash, madeAt: at.toISOString(), expiresAt, mailed }),
    }),
    UserRenamed: (user, { name }) => ({ ...user!, name }),
    UserRoleChanged: (user, { role }) => ({
      ...user!,
      role,
      ...(role === 'ADMIN' ? {} : { permissions: [], adminRoleId: null }),
      // Links shown to an administrator are void, because that one may rank below the new role.
      links: user!.links.filter(({ mailed }) => mailed),
    }),
    UserStatusChanged: (user, { status }) => ({ ...user!, status }),
    UserPermissionsChanged: (user, { permissions }) => ({ ...user!, permissions }),
    UserAdminRoleChanged: (user, { adminRoleId }) => ({ ...user!, adminRoleId }),
    UserAvatarSet: (user, { avatarId: id, type, sha256 }) => ({ ...user!, avatar: { id, type, sha256 } }),
    UserAvatarRemoved: (user) => ({ ...user!, avatar: undefined }),
    UserOnboarded: (user, _data, at) => ({ ...user!, onboardedAt: user!.onboardedAt ?? at.toISOString() }),
    UserErased: () => undefined,
  },
  commands: {
    ...credentialRules.commands,
    AddUser: (_none, ask: DataOf<typeof userEvents.UserAdded>) => [userEvents.UserAdded(ask)],
    /** Issued by an administrator. */
    InviteUser: (_none, { by, ...ask }: DataOf<typeof userEvents.UserAdded> & { by: ActingUser }) => {
      if (!isAbove(by.role, ask.role)) rejectHierarchy()
      return [userEvents.UserAdded(ask)]
    },
    SignIn: (user, ask: SignInInput) =>
      credentialRules.commands.SignIn(requireActive(requireUnchangedPassword(user, ask)), ask),
    ResetPassword: (user, { passwordHash }: { passwordHash: string }) => [
      userEvents.UserPasswordReset({ userId: found(user).id, passwordHash }),
    ],
    /** Anonymous requests are possible. No second link is mailed shortly after the first. */
    AskForLink: (user, ask: Omit<UserLinkInput, 'mailed'>, { at }: DecisionContext) => {
      const known = found(user)
      return isRequestedTooSoon(known.links, ask.purpose, at) ? [] : [createLink(known, { ...ask, mailed: true }, at)]
    },
    /** For another account, on an administrator's request, so that no waiting time applies. */
    MakeLinkFor: (user, { by, ...ask }: UserLinkInput & { by: ActingUser }, { at }: DecisionContext) => {
      const known = requireChangeableUser(user, by)
      rejectOwnAccount(known, by)
      return [createLink(known, ask, at)]
    },
    /** Removes the password and the name of the earlier registration. */
    RegisterAgain: (user, _ask: object) => {
      const { id: userId } = found(user)
      return [userEvents.UserRegistrationContested({ userId }), userEvents.UserRenamed({ userId, name: null })]
    },
    /** By a RESET or INVITE link. Opening it also proves the address. */
    SetPasswordByLink: (user, ask: { linkHash: string; passwordHash: string }, { at }: DecisionContext) => {
      const known = userByLink(user, ask.linkHash, ['RESET', 'INVITE'], at)
      return [
        userEvents.UserPasswordReset({ userId: known.id, passwordHash: ask.passwordHash }),
        ...verifyEvents(known),
      ]
    },
    VerifyByLink: (
      user,
      ask: ServedSession & { linkHash: string; factor?: UsedFactor | undefined },
      { at }: DecisionContext,
    ) => {
      const known = userByLink(user, ask.linkHash, ['VERIFY'], at)
      return [...credentialRules.neededFactor(known, ask), ...verifyEvents(known)]
    },
    Onboard: (user, _ask: object) => [userEvents.UserOnboarded({ userId: found(user).id })],
    /** The account renames itself. */
    Rename: (user, { name }: { name: string | null }) => [userEvents.UserRenamed({ userId: found(user).id, name })],
    /** Keeps what the command does not name. A role or status equal to the current one is recorded again. */
    ChangeUser: (user, { by, name, role, status }: ChangeUserInput) => {
      const known = requireChangeableUser(user, by)
      const { id: userId } = known
      if (role !== undefined) mustBeAbleToGiveRole(known, by, role)
      if (status !== undefined) rejectOwnAccount(known, by)
      return [
        ...(name === undefined ? [] : [userEvents.UserRenamed({ userId, name })]),
        ...(role === undefined ? [] : [userEvents.UserRoleChanged({ userId, role })]),
        ...(status === undefined ? [] : [userEvents.UserStatusChanged({ userId, status: statusToSet(known, status) })]),
      ]
    },
    GrantPermissions: (user, { by, permissions }: { by: ActingUser; permissions: readonly PlatformPermission[] }) => [
      userEvents.UserPermissionsChanged({ userId: requireAdmin(user, by).id, permissions: [...permissions] }),
    ],
    GiveAdminRole: (user, { by, adminRoleId }: { by: ActingUser; adminRoleId: string | null }) => [
      userEvents.UserAdminRoleChanged({ userId: requireAdmin(user, by).id, adminRoleId }),
    ],
    SetAvatar: (user, { by, id: avatarId, ...photo }: Avatar & { by: ActingUser }) => [
      userEvents.UserAvatarSet({ userId: requireChangeableUser(user, by).id, avatarId, ...photo }),
    ],
    RemoveAvatar: (user, { by }: { by: ActingUser }) => {
      const { id: userId, avatar } = requireChangeableUser(user, by)
      return [userEvents.UserAvatarRemoved({ userId, avatarId: found(avatar).id })]
    },
    ResetTotp: (user, _ask: object) => {
      const { id: userId } = requireTotp(user)
      return [userEvents.UserTotpReset({ userId })]
    },
    Erase: (user, { by }: { by: ActingUser }) => {
      const { id: userId, emailKey } = requireChangeableUser(user, by)
      return [userEvents.UserErased({ userId, emailKey })]
    },
  },
})

export interface RosterEntry {
  readonly role: PlatformRole
  readonly isActive: boolean
}

/** Limit of the license; absent: no limit. */
interface AccountLimit {
  readonly plan?: string | undefined
  /** Maximum number of accounts, including pending ones. */
  readonly usersMax?: number | undefined
}

interface Roster {
  /** By account id. */
  readonly all: PersistentMap<RosterEntry>
  /** Ids of the active SUPERADMINs. */
  readonly ruling: readonly string[]
}

const EMPTY_ROSTER: Roster = { all: persistentMap(), ruling: [] }

const isActiveSuperadmin = (enrolled: RosterEntry | undefined): boolean =>
  enrolled?.role === 'SUPERADMIN' && enrolled.isActive

/** All accounts of the installation with role and activity, for invariants that span accounts. */
export const userRoster = decider(userRosterEvents, {
  initial: EMPTY_ROSTER,
  snapshot: { version: 1, everyEvents: 500, sealedFor: () => 'installation' },
  evolve: {
    UserEnrolled: ({ all, ruling }, { userId, role, isActive }) => {
      const others = ruling.filter((id) => id !== userId)
      const enrolled = { role, isActive }
      return {
        all: withEntry(all, userId, enrolled),
        ruling: isActiveSuperadmin(enrolled) ? [...others, userId] : others,
      }
    },
    UserLeft: ({ all, ruling }, { userId }) => ({
      all: withoutEntry(all, userId),
      ruling: ruling.filter((id) => id !== userId),
    }),
  },
  commands: {
    Enrol: (roster, { userId, role, isActive, ...room }: RosterEntry & { userId: string } & AccountLimit) => {
      const present = entryOf(roster.all, userId)
      if (present?.role === role && present.isActive === isActive) return []
      if (!present) rejectBeyondAccountLimit(roster, room)
      if (!isActiveSuperadmin({ role, isActive })) mustKeepSuperadmin(roster, userId)
      return [userRosterEvents.UserEnrolled({ userId, role, isActive })]
    },
    /** Checks the limit before the address is looked up, so that the answer reveals no account. */
    AskForRoom: (roster, room: AccountLimit) => {
      rejectBeyondAccountLimit(roster, room)
      return []
    },
    EnrolFirst: (roster, { userId }: { userId: string }) => {
      if (!isRosterEmpty(roster)) reject('conflict', 'The first account already exists. Sign in instead.', 'SETUP_DONE')
      return [userRosterEvents.UserEnrolled({ userId, role: 'SUPERADMIN', isActive: true })]
    },
    Leave: (roster, { userId }: { userId: string }) => {
      if (!entryOf(roster.all, userId)) return []
      mustKeepSuperadmin(roster, userId)
      return [userRosterEvents.UserLeft({ userId })]
    },
  },
})

/** Whether no account exists yet. */
export const isRosterEmpty = ({ all }: Roster): boolean => all.size === 0

/** @throws Rejection 402 LIMIT_REACHED */
function rejectBeyondAccountLimit({ all }: Roster, { plan = 'free', usersMax = Infinity }: AccountLimit): void {
  if (all.size >= usersMax)
    reject(
      'paymentRequired',
      `The plan ${plan} allows ${usersMax} accounts: upgrade it or delete an account`,
      'LIMIT_REACHED',
    )
}

/**
 * Call it when the account stops being an active SUPERADMIN.
 * @throws Rejection 409 LAST_SUPERADMIN
 */
function mustKeepSuperadmin({ ruling }: Roster, userId: string): void {
  if (ruling.includes(userId) && ruling.length === 1)
    reject('conflict', 'This is the last active SUPERADMIN: give another account this role first', 'LAST_SUPERADMIN')
}

/**
 * Suspended, banned and unverified accounts get the same answer as a wrong password.
 * @throws Rejection 401
 */
const requireActive = <Known extends User>(user: Known): Known =>
  user.status === 'ACTIVE' ? user : invalidCredentials()

const withoutVerifyLinks = ({ links }: User): User['links'] => links.filter(({ purpose }) => purpose !== 'VERIFY')

function createLink({ id: userId }: User, ask: UserLinkInput, at: Date) {
  const expiresAt = new Date(at.getTime() + LINK_MS[ask.purpose]).toISOString()
  return userEvents.UserLinkMade({ ...ask, userId, expiresAt })
}

function rejectHierarchy(): never {
  return reject('forbidden', 'Only a SUPERADMIN may change an ADMIN or a SUPERADMIN', 'HIERARCHY')
}

/**
 * The account, if it is the caller's own or ranks below the caller.
 * @throws Rejection 404, 403 HIERARCHY
 */
export function requireChangeableUser(user: User | undefined, by: ActingUser): User {
  const known = found(user)
  return known.id === by.id || isAbove(by.role, known.role) ? known : rejectHierarchy()
}

/** @throws Rejection 403 OWN_ACCOUNT */
function rejectOwnAccount({ id }: User, by: ActingUser): void {
  if (id === by.id) reject('forbidden', 'You cannot do this to your own account', 'OWN_ACCOUNT')
}

/**
 * Only a SUPERADMIN may change a role.
 * @throws Rejection 403
 */
function mustBeAbleToGiveRole(user: User, by: ActingUser, role: PlatformRole): void {
  rejectOwnAccount(user, by)
  if (by.role !== 'SUPERADMIN' && role !== user.role) rejectHierarchy()
}

/**
 * An unverified account returns to PENDING_VERIFICATION after a suspension, not to ACTIVE.
 * @throws Rejection 409 NOT_VERIFIED
 */
function statusToSet({ status, isVerified }: User, wanted: AccountStatus): AccountStatus {
  if (wanted !== 'ACTIVE' || isVerified) return wanted
  return status === 'PENDING_VERIFICATION'
    ? reject(
        'conflict',
        'This account cannot be activated: its address has not been verified by the mailed link yet',
        'NOT_VERIFIED',
      )
    : 'PENDING_VERIFICATION'
}

export const ADMIN_USER = { role: ['ADMIN'] } as const satisfies States<User>

/**
 * Only a SUPERADMIN may grant permissions, and only to an ADMIN.
 * @throws Rejection 404, 403 HIERARCHY, 409 NOT_ADMIN
 */
function requireAdmin(user: User | undefined, by: ActingUser): User {
  const known = found(user)
  if (by.role !== 'SUPERADMIN') rejectHierarchy()
  if (!fits(known, ADMIN_USER))
    reject('conflict', `Permissions can be granted only to an ADMIN, and this account is a ${known.role}`, 'NOT_ADMIN')
  return known
}

const verifyEvents = ({ id: userId, status }: User) => [
  userEvents.UserVerified({ userId }),
  ...(status === 'ACTIVE' ? [] : [userEvents.UserStatusChanged({ userId, status: 'ACTIVE' })]),
]

/** Links of suspended and banned accounts are refused, so that a mailbox cannot lift a suspension. */
export const canUseLinks = ({ status }: User): boolean => status === 'ACTIVE' || status === 'PENDING_VERIFICATION'

/**
 * The account of the link.
 * @throws Rejection 400, the same for an unknown, used, voided or expired link
 */
export function userByLink(user: User | undefined, linkHash: string, purposes: readonly LinkPurpose[], at: Date): User {
  const isGood = user && validLink(user.links, { hash: linkHash, purposes }, at) !== undefined
  return isGood && canUseLinks(user) ? user : rejectInvalidLink()
}

export function rejectInvalidLink(): never {
  return reject('invalid', 'The link is invalid or has expired: request a new one', 'LINK_INVALID')
}

type Wanted = z.output<typeof wantedNotifications>

export const ALL_WANTED = Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, true])) as Wanted

export const userPreferences = decider(userPreferenceEvents, {
  initial: ALL_WANTED,
  evolve: { UserPreferencesSet: (_before, { notifications }) => notifications },
  commands: {
    /** A kind that is not named stays as it is. */
    SetPreferences: (before, { userId, ...ask }: { userId: string; notifications: Partial<Wanted> }) => [
      userPreferenceEvents.UserPreferencesSet({ userId, notifications: { ...before, ...ask.notifications } }),
    ],
  },
})
