/** An account of the panel: who it is, how the person proves it, and what the person may do on the platform. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { credentialEvents } from '#kernel/auth/credential-events'
import { realmNames } from '#kernel/auth/realm-names'
import { PLATFORM_ROLES } from '../access/permissions.ts'

const userId = z.uuid()
/** HMAC of the normalised address: one account an address. Sealed like the address: once he is erased, even a guess cannot be tried. */
const emailKey = sealed(z.string())
const passwordHash = internal(z.string())
const role = z.enum(PLATFORM_ROLES)

export const ACCOUNT_STATUSES = ['ACTIVE', 'SUSPENDED', 'BANNED', 'PENDING_VERIFICATION'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]
const status = z.enum(ACCOUNT_STATUSES)

export const userRealmNames = realmNames('User', 'userId', { subject: (userId) => `user/${userId}` })
export const sealedForUser = (data: { userId: string }): string => userRealmNames.sealedFor(data)

/** With his own goes the key that seals the addresses of strangers who tried to sign in as him. */
export const erasedSubjects = (userId: string): string[] => [sealedForUser({ userId }), `anonymous/${userId}`]

export const userCredentialTypes = credentialEvents(userRealmNames, passwordHash)
export const {
  PasswordChanged: UserPasswordChanged,
  PasswordRehashed: UserPasswordRehashed,
  TotpSetUp: UserTotpSetUp,
  TotpEnabled: UserTotpEnabled,
  TotpDisabled: UserTotpDisabled,
  TotpUsed: UserTotpUsed,
  BackupCodeUsed: UserBackupCodeUsed,
} = userCredentialTypes

export const UserAdded = event(
  'UserAdded',
  'userId',
  {
    userId,
    email: sealed(z.string()),
    emailKey,
    name: sealed(z.string().nullable()),
    role,
    status,
    /** Null until the person has chosen a password by a link. */
    passwordHash: internal(z.string().nullable()),
  },
  ({ userId, role, status }) => `added account ${userId} as ${role} (${status})`,
  { sealedFor: sealedForUser, takes: ({ emailKey }) => [{ scope: 'userEmail', key: emailKey }] },
)

export const UserVerified = event(
  'UserVerified',
  'userId',
  { userId },
  ({ userId }) => `verified the address of ${userId}`,
)

/** By a mailed or shown link, or on the host. It never touches the second factor. */
export const UserPasswordReset = event(
  'UserPasswordReset',
  'userId',
  { userId, passwordHash },
  ({ userId }) => `reset the password of ${userId}`,
  { strict: true },
)

/**
 * Somebody registered again with an address that nobody has proved yet. Which of them it belongs to nobody knows, so neither's
 * password counts: whoever reads the mailbox chooses one.
 */
export const UserRegistrationContested = event(
  'UserRegistrationContested',
  'userId',
  { userId },
  ({ userId }) => `registered once more with the address of ${userId}, which nobody has proved`,
)

/** On the host, for who has lost what makes the codes. */
export const UserTotpReset = event(
  'UserTotpReset',
  'userId',
  { userId },
  ({ userId }) => `took the second factor from ${userId}`,
  { strict: true },
)

export const LINK_PURPOSES = ['VERIFY', 'RESET', 'INVITE'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

/** A one-time link. A new password voids it; which newer links do, `withLink` says. */
export const UserLinkMade = event(
  'UserLinkMade',
  'userId',
  {
    userId,
    /** What the secret in the link is derived from. */
    userLinkId: z.uuid(),
    purpose: z.enum(LINK_PURPOSES),
    linkHash: internal(z.string()),
    expiresAt: z.iso.datetime(),
    /** Else it was answered to whoever had it made. */
    mailed: z.boolean(),
  },
  ({ userId, purpose, mailed }) => `made a link for ${userId} (${purpose})${mailed ? ', by mail' : ''}`,
  { takes: ({ userId, linkHash }) => [{ scope: 'userLink', key: linkHash, holder: userId }] },
)

export const UserRenamed = event(
  'UserRenamed',
  'userId',
  { userId, name: sealed(z.string().nullable()) },
  ({ userId }) => `renamed ${userId}`,
  { sealedFor: sealedForUser },
)

export const UserRoleChanged = event(
  'UserRoleChanged',
  'userId',
  { userId, role },
  ({ userId, role }) => `made ${userId} ${role}`,
  { strict: true },
)

export const UserStatusChanged = event(
  'UserStatusChanged',
  'userId',
  { userId, status },
  ({ userId, status }) => `set the status of ${userId} to ${status}`,
  { strict: true },
)

/** What an ADMIN holds beside what his admin role gives him. */
export const UserPermissionsChanged = event(
  'UserPermissionsChanged',
  'userId',
  { userId, permissions: z.array(z.string()) },
  ({ userId, permissions }) => `gave ${userId} the permissions ${permissions.join(', ') || 'none'}`,
  { strict: true },
)

export const UserAdminRoleChanged = event(
  'UserAdminRoleChanged',
  'userId',
  { userId, adminRoleId: z.uuid().nullable() },
  ({ userId, adminRoleId }) =>
    adminRoleId === null ? `took the admin role from ${userId}` : `gave ${userId} the admin role ${adminRoleId}`,
  { strict: true },
)

export const AVATAR_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type AvatarType = (typeof AVATAR_TYPES)[number]

/** The photo itself is kept beside the events, sealed for the person. */
export const UserAvatarSet = event(
  'UserAvatarSet',
  'userId',
  {
    userId,
    avatarId: z.uuid(),
    type: z.enum(AVATAR_TYPES),
    /** Hex, of the bytes. */
    sha256: sealed(z.string()),
  },
  ({ userId }) => `set the photo of ${userId}`,
  { sealedFor: sealedForUser },
)

export const UserAvatarRemoved = event(
  'UserAvatarRemoved',
  'userId',
  { userId, avatarId: z.uuid() },
  ({ userId }) => `removed the photo of ${userId}`,
  { strict: true },
)

/** The person has seen what a newcomer is shown. */
export const UserOnboarded = event('UserOnboarded', 'userId', { userId }, ({ userId }) => `has shown ${userId} around`)

/** The address is anybody’s again. With the key of the person goes everything personal that was ever written of him. */
export const UserErased = event(
  'UserErased',
  'userId',
  { userId, emailKey },
  ({ userId }) => `erased account ${userId}`,
  {
    sealedFor: sealedForUser,
    strict: true,
    releases: ({ emailKey }) => [{ scope: 'userEmail', key: emailKey }],
  },
)

/** One stream a person: a code, a backup code and a password count once for that person, wherever they are used. */
export const userEvents = stream('user', [
  UserAdded,
  UserVerified,
  UserPasswordChanged,
  UserPasswordReset,
  UserRegistrationContested,
  UserPasswordRehashed,
  UserTotpSetUp,
  UserTotpEnabled,
  UserTotpDisabled,
  UserTotpUsed,
  UserBackupCodeUsed,
  UserTotpReset,
  UserLinkMade,
  UserRenamed,
  UserRoleChanged,
  UserStatusChanged,
  UserPermissionsChanged,
  UserAdminRoleChanged,
  UserAvatarSet,
  UserAvatarRemoved,
  UserOnboarded,
  UserErased,
])

/** What a person can be notified of, and can wish not to be. */
export const NOTIFICATION_KINDS = [
  'NEW_DEVICE',
  'SECOND_FACTOR',
  'PASSWORD',
  'API_KEY',
  'MEMBERSHIP',
  'LICENSE',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Of each kind whether the person wants it; before the first of these events he wants all. */
export const UserPreferencesSet = event(
  'UserPreferencesSet',
  'userId',
  { userId, notifications: z.record(z.enum(NOTIFICATION_KINDS), z.boolean()) },
  ({ userId }) => `set what ${userId} is notified of`,
)

/** A stream of its own, since it guards no rule. */
export const userPreferenceEvents = stream('userPreferences', [UserPreferencesSet])

export const UserEnrolled = event(
  'UserEnrolled',
  'userId',
  { userId, role, isActive: z.boolean() },
  ({ userId, role, isActive }) => `counted ${userId} as ${role}${isActive ? '' : ', not active'}`,
)

export const UserLeft = event('UserLeft', 'userId', { userId }, ({ userId }) => `counted ${userId} no longer`)

/** One stream for the installation: that a SUPERADMIN is left, and how many accounts there may be, are rules about all of them. */
export const userRosterEvents = stream('userRoster', [UserEnrolled, UserLeft])
