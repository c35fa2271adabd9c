/** An account of the panel: its identity, its credentials, and its rights on the platform. */
import { z } from 'zod'
import { credentialEvents } from '#kernel/auth/credential-events'
import { realmNames } from '#kernel/auth/realm-names'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { PLATFORM_ROLES } from '../access/permissions.ts'

const userId = z.uuid()
/**
 * HMAC of the normalised address, for the unique constraint. Sealed too, so that guesses cannot be
 * checked after the erasure.
 */
const emailKey = sealed(z.string())
const passwordHash = internal(z.string())
const role = z.enum(PLATFORM_ROLES)

export const ACCOUNT_STATUSES = ['ACTIVE', 'SUSPENDED', 'BANNED', 'PENDING_VERIFICATION'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]
const status = z.enum(ACCOUNT_STATUSES)

export const userRealmNames = realmNames('User', 'userId', { subject: (userId) => `user/${userId}` })
export const sealedForUser = (data: { userId: string }): string => userRealmNames.sealedFor(data)

/** The second subject seals the addresses of anonymous clients that tried to sign in to the account. */
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
    /** Null until a password was set by a link. */
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

/** By a mailed or shown link, or on the host. The second factor stays. */
export const UserPasswordReset = event(
  'UserPasswordReset',
  'userId',
  { userId, passwordHash },
  ({ userId }) => `reset the password of ${userId}`,
  { strict: true },
)

/**
 * A second registration with an unproven address. Either one may come from a stranger, so no password
 * is valid until the owner of the mailbox chooses one.
 */
export const UserRegistrationContested = event(
  'UserRegistrationContested',
  'userId',
  { userId },
  ({ userId }) => `registered once more with the address of ${userId}, which nobody has proved`,
)

/** On the host, for an account that has lost its authenticator. */
export const UserTotpReset = event(
  'UserTotpReset',
  'userId',
  { userId },
  ({ userId }) => `took the second factor from ${userId}`,
  { strict: true },
)

export const LINK_PURPOSES = ['VERIFY', 'RESET', 'INVITE'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

/** A one-time link. A new password voids it; `withLink` decides which newer links do. */
export const UserLinkMade = event(
  'UserLinkMade',
  'userId',
  {
    userId,
    /** The secret of the link is derived from this id. */
    userLinkId: z.uuid(),
    purpose: z.enum(LINK_PURPOSES),
    linkHash: internal(z.string()),
    expiresAt: z.iso.datetime(),
    /** False: the link was returned to the administrator. */
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

/** Permissions of an ADMIN in addition to those of the admin role. */
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

/** The photo itself is stored outside the log, sealed for the account. */
export const UserAvatarSet = event(
  'UserAvatarSet',
  'userId',
  {
    userId,
    avatarId: z.uuid(),
    type: z.enum(AVATAR_TYPES),
    /** Hexadecimal hash of the bytes. */
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

/** The account has completed the onboarding. */
export const UserOnboarded = event('UserOnboarded', 'userId', { userId }, ({ userId }) => `has shown ${userId} around`)

/** Frees the address. Destroying the account's key makes all its personal data unreadable. */
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

/** One stream per account, because a TOTP code, a backup code and a link each count only once per account. */
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

/** Kinds of notifications, each of which an account can switch off. */
export const NOTIFICATION_KINDS = [
  'NEW_DEVICE',
  'SECOND_FACTOR',
  'PASSWORD',
  'API_KEY',
  'MEMBERSHIP',
  'LICENSE',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** One value per kind; before the first such event, all kinds are on. */
export const UserPreferencesSet = event(
  'UserPreferencesSet',
  'userId',
  { userId, notifications: z.record(z.enum(NOTIFICATION_KINDS), z.boolean()) },
  ({ userId }) => `set what ${userId} is notified of`,
)

/** A stream of its own, because it guards no invariant. */
export const userPreferenceEvents = stream('userPreferences', [UserPreferencesSet])

export const UserEnrolled = event(
  'UserEnrolled',
  'userId',
  { userId, role, isActive: z.boolean() },
  ({ userId, role, isActive }) => `counted ${userId} as ${role}${isActive ? '' : ', not active'}`,
)

export const UserLeft = event('UserLeft', 'userId', { userId }, ({ userId }) => `counted ${userId} no longer`)

/** One stream for the installation, because a SUPERADMIN must remain and the number of accounts is limited. */
export const userRosterEvents = stream('userRoster', [UserEnrolled, UserLeft])
