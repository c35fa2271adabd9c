import { decider } from '#kernel/events/decider'
import type { Deciding } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import {
  backupCodeUsed,
  confirmed,
  passwordRehashed,
  totpDisabled,
  totpEnabled,
  totpUsed,
  withTotp,
} from '#kernel/auth/account-rules'
import type { Account, Factor } from '#kernel/auth/account-rules'
import { goodLink, isAskedTooSoon, withLink } from '#kernel/auth/one-time-links'
import type { KeptLinks } from '#kernel/auth/one-time-links'
import { proofDecisions } from '#kernel/auth/credential-decisions'
import type { Serving, SigningIn } from '#kernel/auth/credential-decisions'
import { invalidCredentials } from '#kernel/auth/refusals'
import { found, reject } from '#kernel/lib/rejection'
import { entryOf, wideMap, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import type { WideMap } from '#kernel/lib/persistent-map'
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
  userNames,
  userProofs,
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
  readonly links: KeptLinks<LinkPurpose>
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
export interface Acting {
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

type NewLink = Omit<DataOf<typeof UserLinkMade>, 'userId' | 'expiresAt'>

interface Change {
  readonly by: Acting
  readonly name?: string | null | undefined
  readonly role?: PlatformRole | undefined
  /** Not PENDING_VERIFICATION, which only its own beginning is. */
  readonly status?: 'ACTIVE' | 'SUSPENDED' | 'BANNED' | undefined
}

const proofs = proofDecisions(userNames, userProofs)

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
    UserVerified: (user) => ({ ...user!, isVerified: true, links: unverifying(user!) }),
    UserPasswordChanged: (user, { passwordHash }) => ({ ...user!, passwordHash, links: [] }),
    UserPasswordReset: (user, { passwordHash }) => ({ ...user!, passwordHash, links: [] }),
    UserRegistrationContested: (user) => ({ ...user!, passwordHash: undefined, links: [] }),
    UserPasswordRehashed: passwordRehashed,
    UserTotpSetUp: proofs.totpSetUp,
    UserTotpEnabled: totpEnabled,
    UserTotpDisabled: totpDisabled,
    UserTotpUsed: totpUsed,
    UserBackupCodeUsed: backupCodeUsed,
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
    ...proofs.commands,
    AddUser: (_none, ask: DataOf<typeof UserAdded>) => [UserAdded(ask)],
    /** By an administrator. */
    InviteUser: (_none, { by, ...ask }: DataOf<typeof UserAdded> & { by: Acting }) => {
      if (!isAbove(by.role, ask.role)) beyond()
      return [UserAdded(ask)]
    },
    SignIn: (user, ask: SigningIn) => proofs.commands.SignIn(active(confirmed(user, ask)), ask),
    ResetPassword: (user, { passwordHash }: { passwordHash: string }) => [
      UserPasswordReset({ userId: found(user).id, passwordHash }),
    ],
    /** By anybody, to be mailed: none follows where one was mailed a moment ago. */
    AskForLink: (user, ask: Omit<NewLink, 'mailed'>, { at }: Deciding) => {
      const known = found(user)
      return isAskedTooSoon(known.links, ask.purpose, at) ? [] : [linkMade(known, { ...ask, mailed: true }, at)]
    },
    /** For somebody else, of whom it is not asked whether he wants it. */
    MakeLinkFor: (user, { by, ...ask }: NewLink & { by: Acting }, { at }: Deciding) => {
      const known = changeable(user, by)
      notOneself(known, by)
      return [linkMade(known, ask, at)]
    },
    /** Neither the password nor the name of whoever came first is left. */
    RegisterAgain: (user, _ask: object) => {
      const { id: userId } = found(user)
      return [UserRegistrationContested({ userId }), UserRenamed({ userId, name: null })]
    },
    /** By a RESET or an INVITE link: whoever opens it reads the mailbox. */
    SetPasswordByLink: (user, ask: { linkHash: string; passwordHash: string }, { at }: Deciding) => {
      const known = byLink(user, ask.linkHash, ['RESET', 'INVITE'], at)
      return [UserPasswordReset({ userId: known.id, passwordHash: ask.passwordHash }), ...verified(known)]
    },
    VerifyByLink: (user, ask: Serving & { linkHash: string; factor?: Factor | undefined }, { at }: Deciding) => {
      const known = byLink(user, ask.linkHash, ['VERIFY'], at)
      return [...proofs.neededFactor(known, ask), ...verified(known)]
    },
    Onboard: (user, _ask: object) => [UserOnboarded({ userId: found(user).id })],
    /** By himself. */
    Rename: (user, { name }: { name: string | null }) => [UserRenamed({ userId: found(user).id, name })],
    /** What is not given stays. A role or a status that is given once more is recorded once more. */
    ChangeUser: (user, { by, name, role, status }: Change) => {
      const known = changeable(user, by)
      const { id: userId } = known
      if (role !== undefined) givable(known, by, role)
      if (status !== undefined) notOneself(known, by)
      return [
        ...(name === undefined ? [] : [UserRenamed({ userId, name })]),
        ...(role === undefined ? [] : [UserRoleChanged({ userId, role })]),
        ...(status === undefined ? [] : [UserStatusChanged({ userId, status: standing(known, status) })]),
      ]
    },
    GrantPermissions: (user, { by, permissions }: { by: Acting; permissions: readonly PlatformPermission[] }) => [
      UserPermissionsChanged({ userId: admin(user, by).id, permissions: [...permissions] }),
    ],
    GiveAdminRole: (user, { by, adminRoleId }: { by: Acting; adminRoleId: string | null }) => [
      UserAdminRoleChanged({ userId: admin(user, by).id, adminRoleId }),
    ],
    SetAvatar: (user, { by, id: avatarId, ...photo }: Avatar & { by: Acting }) => [
      UserAvatarSet({ userId: changeable(user, by).id, avatarId, ...photo }),
    ],
    RemoveAvatar: (user, { by }: { by: Acting }) => {
      const { id: userId, avatar } = changeable(user, by)
      return [UserAvatarRemoved({ userId, avatarId: found(avatar).id })]
    },
    ResetTotp: (user, _ask: object) => {
      const { id: userId } = withTotp(user)
      return [UserTotpReset({ userId })]
    },
    Erase: (user, { by }: { by: Acting }) => {
      const { id: userId, emailKey } = changeable(user, by)
      return [UserErased({ userId, emailKey })]
    },
  },
})

export interface Enrolled {
  readonly role: PlatformRole
  readonly isActive: boolean
}

/** As the license has it; without it, no limit. */
interface Room {
  readonly plan?: string | undefined
  /** How many accounts there may be, pending ones included. */
  readonly usersMax?: number | undefined
}

interface Roster {
  /** By their accounts’ ids. */
  readonly all: WideMap<Enrolled>
  /** Those of them who can do everything. */
  readonly ruling: readonly string[]
}

const NOBODY: Roster = { all: wideMap(), ruling: [] }

const isRuling = (enrolled: Enrolled | undefined): boolean => enrolled?.role === 'SUPERADMIN' && enrolled.isActive

/** Accounts. */
export const userRoster = decider(userRosterEvents, {
  initial: NOBODY,
  snapshot: { version: 1, every: 500, sealedFor: () => 'installation' },
  evolve: {
    UserEnrolled: ({ all, ruling }, { userId, role, isActive }) => {
      const others = ruling.filter((id) => id !== userId)
      const enrolled = { role, isActive }
      return { all: withEntry(all, userId, enrolled), ruling: isRuling(enrolled) ? [...others, userId] : others }
    },
    UserLeft: ({ all, ruling }, { userId }) => ({
      all: withoutEntry(all, userId),
      ruling: ruling.filter((id) => id !== userId),
    }),
  },
  commands: {
    Enrol: (roster, { userId, role, isActive, ...room }: Enrolled & { userId: string } & Room) => {
      const present = entryOf(roster.all, userId)
      if (present?.role === role && present.isActive === isActive) return []
      if (!present) needRoom(roster, room)
      if (!isRuling({ role, isActive })) keepsSuperadmin(roster, userId)
      return [UserEnrolled({ userId, role, isActive })]
    },
    /** Whether another account could be made: asked before anybody learns whether one is. */
    AskForRoom: (roster, room: Room) => {
      needRoom(roster, room)
      return []
    },
    EnrolFirst: (roster, { userId }: { userId: string }) => {
      if (!isNobody(roster)) reject('conflict', 'The first account has been made already', 'SETUP_DONE')
      return [UserEnrolled({ userId, role: 'SUPERADMIN', isActive: true })]
    },
    Leave: (roster, { userId }: { userId: string }) => {
      if (!entryOf(roster.all, userId)) return []
      keepsSuperadmin(roster, userId)
      return [UserLeft({ userId })]
    },
  },
})

/** Whether there is no account yet. */
export const isNobody = ({ all }: Roster): boolean => all.size === 0

/** @throws Rejection 402 LIMIT_REACHED */
function needRoom({ all }: Roster, { plan = 'free', usersMax = Infinity }: Room): void {
  if (all.size >= usersMax) reject('paymentRequired', `The plan ${plan} allows ${usersMax} accounts`, 'LIMIT_REACHED')
}

/** Of whoever rules no longer. @throws Rejection 409 LAST_SUPERADMIN */
function keepsSuperadmin({ ruling }: Roster, userId: string): void {
  if (ruling.includes(userId) && ruling.length === 1)
    reject('conflict', 'Nobody else could do everything: this is the last active SUPERADMIN', 'LAST_SUPERADMIN')
}

/** Suspended, banned and unverified accounts are told nothing. @throws Rejection 401 */
const active = <Known extends User>(user: Known): Known => (user.status === 'ACTIVE' ? user : invalidCredentials())

const unverifying = ({ links }: User): User['links'] => links.filter(({ purpose }) => purpose !== 'VERIFY')

function linkMade({ id: userId }: User, ask: NewLink, at: Date) {
  const expiresAt = new Date(at.getTime() + LINK_MS[ask.purpose]).toISOString()
  return UserLinkMade({ ...ask, userId, expiresAt })
}

function beyond(): never {
  return reject('forbidden', 'Only a SUPERADMIN may do this to an ADMIN or a SUPERADMIN', 'HIERARCHY')
}

/** The account, for whoever stands above it or whose it is. @throws Rejection 404, 403 HIERARCHY */
export function changeable(user: User | undefined, by: Acting): User {
  const known = found(user)
  return known.id === by.id || isAbove(by.role, known.role) ? known : beyond()
}

/** @throws Rejection 403 OWN_ACCOUNT */
function notOneself({ id }: User, by: Acting): void {
  if (id === by.id) reject('forbidden', 'Nobody does this to his own account', 'OWN_ACCOUNT')
}

/** Only a SUPERADMIN gives or takes a role. @throws Rejection 403 */
function givable(user: User, by: Acting, role: PlatformRole): void {
  notOneself(user, by)
  if (by.role !== 'SUPERADMIN' && role !== user.role) beyond()
}

/** Whoever never proved his address does not come to be ACTIVE by way of a suspension. @throws Rejection 409 NOT_VERIFIED */
function standing({ status, isVerified }: User, wanted: AccountStatus): AccountStatus {
  if (wanted !== 'ACTIVE' || isVerified) return wanted
  return status === 'PENDING_VERIFICATION'
    ? reject('conflict', 'The person has not opened the link to this address yet', 'NOT_VERIFIED')
    : 'PENDING_VERIFICATION'
}

/** An ADMIN, to whom something is granted. @throws Rejection 404, 403 HIERARCHY, 409 NOT_ADMIN */
function admin(user: User | undefined, by: Acting): User {
  const known = found(user)
  if (by.role !== 'SUPERADMIN') beyond()
  if (known.role !== 'ADMIN')
    reject('conflict', `Only an ADMIN is granted permissions, and this is a ${known.role}`, 'NOT_ADMIN')
  return known
}

const verified = ({ id: userId, status }: User) => [
  UserVerified({ userId }),
  ...(status === 'ACTIVE' ? [] : [UserStatusChanged({ userId, status: 'ACTIVE' })]),
]

/** Those whose links lead anywhere: nobody comes back from a suspension by his mailbox. */
export const mayUseLinks = ({ status }: User): boolean => status === 'ACTIVE' || status === 'PENDING_VERIFICATION'

/** The account whose link it is. @throws Rejection 400, the same for an unknown, used, voided or expired one */
export function byLink(user: User | undefined, linkHash: string, purposes: readonly LinkPurpose[], at: Date): User {
  const isGood = user && goodLink(user.links, { hash: linkHash, purposes }, at) !== undefined
  return isGood && mayUseLinks(user) ? user : linkInvalid()
}

export function linkInvalid(): never {
  return reject('invalid', 'The link is not valid any more: ask for a new one', 'LINK_INVALID')
}
