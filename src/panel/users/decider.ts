import { decider } from '#kernel/events/decider'
import type { DecisionContext } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
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
import { validLink, isRequestedTooSoon, withLink } from '#kernel/auth/one-time-links'
import type { OneTimeLinks } from '#kernel/auth/one-time-links'
import { credentialDecisions } from '#kernel/auth/credential-decisions'
import type { ServedSession, SignInInput } from '#kernel/auth/credential-decisions'
import { invalidCredentials } from '#kernel/auth/rejections'
import { found, reject } from '#kernel/lib/rejection'
import { entryOf, persistentMap, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import type { PersistentMap } from '#kernel/lib/persistent-map'
import { isAbove } from '../access/permissions.ts'
import type { PlatformPermission, PlatformRole } from '../access/permissions.ts'
import {
  UserAdded,
  UserAdminRoleChanged,
  UserAvatarRemoved,
  UserAvatarSet,
  UserEnrolled,
  UserErased,
  UserLeft,
  UserLinkMade,
  UserOnboarded,
  UserPasswordReset,
  UserPermissionsChanged,
  UserRegistrationContested,
  UserRenamed,
  UserRoleChanged,
  UserStatusChanged,
  UserTotpReset,
  UserVerified,
  userEvents,
  userRealmNames,
  userCredentialTypes,
  userRosterEvents,
} from './events.ts'
import type { AccountStatus, AvatarType, LinkPurpose } from './events.ts'

export interface User extends Account {
  readonly email: string
  readonly emailKey: string
  readonly name: string | null
  readonly role: PlatformRole
  readonly status: AccountStatus
  readonly createdAt: string
  readonly links: OneTimeLinks<LinkPurpose>
  /** Whether the person has ever opened a link to the address, or nobody asked for that. */
  readonly isVerified: boolean
  /** What he holds as an ADMIN, besides what his admin role gives him. */
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

/** Whoever changes an account, with the role that he has at that moment. */
export interface ActingUser {
  readonly id: string
  readonly role: PlatformRole
}

const MINUTE_MS = 60_000
/** security.md 2.4 */
const LINK_MS: Readonly<Record<LinkPurpose, number>> = {
  RESET: 10 * MINUTE_MS,
  VERIFY: 24 * 60 * MINUTE_MS,
  INVITE: 24 * 60 * MINUTE_MS,
}

type UserLinkInput = Omit<DataOf<typeof UserLinkMade>, 'userId' | 'expiresAt'>

interface ChangeUserInput {
  readonly by: ActingUser
  readonly name?: string | null | undefined
  readonly role?: PlatformRole | undefined
  /** Not PENDING_VERIFICATION, which only its own beginning is. */
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
      // Whoever was shown a link stood above the role of before.
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
    AddUser: (_none, ask: DataOf<typeof UserAdded>) => [UserAdded(ask)],
    /** By an administrator. */
    InviteUser: (_none, { by, ...ask }: DataOf<typeof UserAdded> & { by: ActingUser }) => {
      if (!isAbove(by.role, ask.role)) rejectHierarchy()
      return [UserAdded(ask)]
    },
    SignIn: (user, ask: SignInInput) =>
      credentialRules.commands.SignIn(requireActive(requireUnchangedPassword(user, ask)), ask),
    ResetPassword: (user, { passwordHash }: { passwordHash: string }) => [
      UserPasswordReset({ userId: found(user).id, passwordHash }),
    ],
    /** By anybody, to be mailed: none follows where one was mailed a moment ago. */
    AskForLink: (user, ask: Omit<UserLinkInput, 'mailed'>, { at }: DecisionContext) => {
      const known = found(user)
      return isRequestedTooSoon(known.links, ask.purpose, at) ? [] : [createLink(known, { ...ask, mailed: true }, at)]
    },
    /** For somebody else, of whom it is not asked whether he wants it. */
    MakeLinkFor: (user, { by, ...ask }: UserLinkInput & { by: ActingUser }, { at }: DecisionContext) => {
      const known = requireChangeableUser(user, by)
      rejectOwnAccount(known, by)
      return [createLink(known, ask, at)]
    },
    /** Neither the password nor the name of whoever came first is left. */
    RegisterAgain: (user, _ask: object) => {
      const { id: userId } = found(user)
      return [UserRegistrationContested({ userId }), UserRenamed({ userId, name: null })]
    },
    /** By a RESET or an INVITE link: whoever opens it reads the mailbox. */
    SetPasswordByLink: (user, ask: { linkHash: string; passwordHash: string }, { at }: DecisionContext) => {
      const known = userByLink(user, ask.linkHash, ['RESET', 'INVITE'], at)
      return [UserPasswordReset({ userId: known.id, passwordHash: ask.passwordHash }), ...verifyEvents(known)]
    },
    VerifyByLink: (
      user,
      ask: ServedSession & { linkHash: string; factor?: UsedFactor | undefined },
      { at }: DecisionContext,
    ) => {
      const known = userByLink(user, ask.linkHash, ['VERIFY'], at)
      return [...credentialRules.neededFactor(known, ask), ...verifyEvents(known)]
    },
    Onboard: (user, _ask: object) => [UserOnboarded({ userId: found(user).id })],
    /** By himself. */
    Rename: (user, { name }: { name: string | null }) => [UserRenamed({ userId: found(user).id, name })],
    /** What is not given stays. A role or a status that is given once more is recorded once more. */
    ChangeUser: (user, { by, name, role, status }: ChangeUserInput) => {
      const known = requireChangeableUser(user, by)
      const { id: userId } = known
      if (role !== undefined) mustBeAbleToGiveRole(known, by, role)
      if (status !== undefined) rejectOwnAccount(known, by)
      return [
        ...(name === undefined ? [] : [UserRenamed({ userId, name })]),
        ...(role === undefined ? [] : [UserRoleChanged({ userId, role })]),
        ...(status === undefined ? [] : [UserStatusChanged({ userId, status: statusToSet(known, status) })]),
      ]
    },
    GrantPermissions: (user, { by, permissions }: { by: ActingUser; permissions: readonly PlatformPermission[] }) => [
      UserPermissionsChanged({ userId: requireAdmin(user, by).id, permissions: [...permissions] }),
    ],
    GiveAdminRole: (user, { by, adminRoleId }: { by: ActingUser; adminRoleId: string | null }) => [
      UserAdminRoleChanged({ userId: requireAdmin(user, by).id, adminRoleId }),
    ],
    SetAvatar: (user, { by, id: avatarId, ...photo }: Avatar & { by: ActingUser }) => [
      UserAvatarSet({ userId: requireChangeableUser(user, by).id, avatarId, ...photo }),
    ],
    RemoveAvatar: (user, { by }: { by: ActingUser }) => {
      const { id: userId, avatar } = requireChangeableUser(user, by)
      return [UserAvatarRemoved({ userId, avatarId: found(avatar).id })]
    },
    ResetTotp: (user, _ask: object) => {
      const { id: userId } = requireTotp(user)
      return [UserTotpReset({ userId })]
    },
    Erase: (user, { by }: { by: ActingUser }) => {
      const { id: userId, emailKey } = requireChangeableUser(user, by)
      return [UserErased({ userId, emailKey })]
    },
  },
})

export interface RosterEntry {
  readonly role: PlatformRole
  readonly isActive: boolean
}

/** As the license has it; without it, no limit. */
interface AccountLimit {
  readonly plan?: string | undefined
  /** How many accounts there may be, pending ones included. */
  readonly usersMax?: number | undefined
}

interface Roster {
  /** By their accounts’ ids. */
  readonly all: PersistentMap<RosterEntry>
  /** Those of them who can do everything. */
  readonly ruling: readonly string[]
}

const EMPTY_ROSTER: Roster = { all: persistentMap(), ruling: [] }

const isActiveSuperadmin = (enrolled: RosterEntry | undefined): boolean =>
  enrolled?.role === 'SUPERADMIN' && enrolled.isActive

/** Accounts. */
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
      return [UserEnrolled({ userId, role, isActive })]
    },
    /** Whether another account could be made: asked before anybody learns whether one is. */
    AskForRoom: (roster, room: AccountLimit) => {
      rejectBeyondAccountLimit(roster, room)
      return []
    },
    EnrolFirst: (roster, { userId }: { userId: string }) => {
      if (!isRosterEmpty(roster)) reject('conflict', 'The first account has been made already', 'SETUP_DONE')
      return [UserEnrolled({ userId, role: 'SUPERADMIN', isActive: true })]
    },
    Leave: (roster, { userId }: { userId: string }) => {
      if (!entryOf(roster.all, userId)) return []
      mustKeepSuperadmin(roster, userId)
      return [UserLeft({ userId })]
    },
  },
})

/** Whether there is no account yet. */
export const isRosterEmpty = ({ all }: Roster): boolean => all.size === 0

/** @throws Rejection 402 LIMIT_REACHED */
function rejectBeyondAccountLimit({ all }: Roster, { plan = 'free', usersMax = Infinity }: AccountLimit): void {
  if (all.size >= usersMax) reject('paymentRequired', `The plan ${plan} allows ${usersMax} accounts`, 'LIMIT_REACHED')
}

/** Of whoever rules no longer. @throws Rejection 409 LAST_SUPERADMIN */
function mustKeepSuperadmin({ ruling }: Roster, userId: string): void {
  if (ruling.includes(userId) && ruling.length === 1)
    reject('conflict', 'Nobody else could do everything: this is the last active SUPERADMIN', 'LAST_SUPERADMIN')
}

/** Suspended, banned and unverified accounts are told nothing. @throws Rejection 401 */
const requireActive = <Known extends User>(user: Known): Known =>
  user.status === 'ACTIVE' ? user : invalidCredentials()

const withoutVerifyLinks = ({ links }: User): User['links'] => links.filter(({ purpose }) => purpose !== 'VERIFY')

function createLink({ id: userId }: User, ask: UserLinkInput, at: Date) {
  const expiresAt = new Date(at.getTime() + LINK_MS[ask.purpose]).toISOString()
  return UserLinkMade({ ...ask, userId, expiresAt })
}

function rejectHierarchy(): never {
  return reject('forbidden', 'Only a SUPERADMIN may do this to an ADMIN or a SUPERADMIN', 'HIERARCHY')
}

/** The account, for whoever stands above it or whose it is. @throws Rejection 404, 403 HIERARCHY */
export function requireChangeableUser(user: User | undefined, by: ActingUser): User {
  const known = found(user)
  return known.id === by.id || isAbove(by.role, known.role) ? known : rejectHierarchy()
}

/** @throws Rejection 403 OWN_ACCOUNT */
function rejectOwnAccount({ id }: User, by: ActingUser): void {
  if (id === by.id) reject('forbidden', 'Nobody does this to his own account', 'OWN_ACCOUNT')
}

/** Only a SUPERADMIN gives or takes a role. @throws Rejection 403 */
function mustBeAbleToGiveRole(user: User, by: ActingUser, role: PlatformRole): void {
  rejectOwnAccount(user, by)
  if (by.role !== 'SUPERADMIN' && role !== user.role) rejectHierarchy()
}

/** Whoever never proved his address does not come to be ACTIVE by way of a suspension. @throws Rejection 409 NOT_VERIFIED */
function statusToSet({ status, isVerified }: User, wanted: AccountStatus): AccountStatus {
  if (wanted !== 'ACTIVE' || isVerified) return wanted
  return status === 'PENDING_VERIFICATION'
    ? reject('conflict', 'The person has not opened the link to this address yet', 'NOT_VERIFIED')
    : 'PENDING_VERIFICATION'
}

/** An ADMIN, to whom something is granted. @throws Rejection 404, 403 HIERARCHY, 409 NOT_ADMIN */
function requireAdmin(user: User | undefined, by: ActingUser): User {
  const known = found(user)
  if (by.role !== 'SUPERADMIN') rejectHierarchy()
  if (known.role !== 'ADMIN')
    reject('conflict', `Only an ADMIN is granted permissions, and this is a ${known.role}`, 'NOT_ADMIN')
  return known
}

const verifyEvents = ({ id: userId, status }: User) => [
  UserVerified({ userId }),
  ...(status === 'ACTIVE' ? [] : [UserStatusChanged({ userId, status: 'ACTIVE' })]),
]

/** Those whose links lead anywhere: nobody comes back from a suspension by his mailbox. */
export const canUseLinks = ({ status }: User): boolean => status === 'ACTIVE' || status === 'PENDING_VERIFICATION'

/** The account whose link it is. @throws Rejection 400, the same for an unknown, used, voided or expired one */
export function userByLink(user: User | undefined, linkHash: string, purposes: readonly LinkPurpose[], at: Date): User {
  const isGood = user && validLink(user.links, { hash: linkHash, purposes }, at) !== undefined
  return isGood && canUseLinks(user) ? user : rejectInvalidLink()
}

export function rejectInvalidLink(): never {
  return reject('invalid', 'The link is not valid any more: ask for a new one', 'LINK_INVALID')
}
