/** An account of the panel: its identity, its credentials, and its rights on the platform. */
import { z } from 'zod'
import { credentialEvents } from '#kernel/auth/credential-events'
import { realmNames } from '#kernel/auth/realm-names'
import { eventsAbout, internal, sealed, stream } from '#kernel/events/event'
import { PLATFORM_ROLES } from '../access/permissions.ts'

const userId = z.uuid()
/** HMAC of the normalised address, for the unique constraint. Sealed, so that guesses cannot be checked later. */
const emailKey = sealed(z.string())
const passwordHash = internal(z.string())
const role = z.enum(PLATFORM_ROLES)

export const ACCOUNT_STATUSES = ['ACTIVE', 'SUSPENDED', 'BANNED', 'PENDING_VERIFICATION'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]
const status = z.enum(ACCOUNT_STATUSES)

export const userFields = { email: sealed(z.string()), name: sealed(z.string().nullable()), role, status }

export const userRealmNames = realmNames('User', 'userId', { subject: (userId) => `user/${userId}` })
export const sealedForUser = (data: { userId: string }): string => userRealmNames.sealedFor(data)

/** The second subject seals the addresses of anonymous clients that tried to sign in to the account. */
export const erasedSubjects = (userId: string): string[] => [sealedForUser({ userId }), `anonymous/${userId}`]

export const userCredentialTypes = credentialEvents(userRealmNames, passwordHash)

export const LINK_PURPOSES = ['VERIFY', 'RESET', 'INVITE'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export const AVATAR_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type AvatarType = (typeof AVATAR_TYPES)[number]

const declareEvents = eventsAbout({ userId }, sealedForUser)
const events = declareEvents({
  UserAdded: {
    fields: {
      email: userFields.email,
      emailKey,
      name: userFields.name,
      role,
      status,
      /** Null until a password was set by a link. */
      passwordHash: internal(z.string().nullable()),
    },
    sentence: ({ userId, role, status }) => `added account ${userId} as ${role} (${status})`,
    takes: ({ emailKey }) => [{ scope: 'userEmail', key: emailKey }],
  },
  UserVerified: { fields: {}, sentence: ({ userId }) => `verified the address of ${userId}` },
  /** By a mailed or shown link, or on the host. The second factor stays. */
  UserPasswordReset: {
    fields: { passwordHash },
    sentence: ({ userId }) => `reset the password of ${userId}`,
    strict: true,
  },
  /**
   * A second registration with an unproven address. Either one may come from a stranger, so no password
   * is valid until the owner of the mailbox chooses one.
   */
  UserRegistrationContested: {
    fields: {},
    sentence: ({ userId }) => `registered once more with the address of ${userId}, which nobody has proved`,
  },
  /** On the host, for an account that has lost its authenticator. */
  UserTotpReset: { fields: {}, sentence: ({ userId }) => `took the second factor from ${userId}`, strict: true },
  /** A one-time link. A new password voids it; `withLink` decides which newer links do. */
  UserLinkMade: {
    fields: {
      /** The secret of the link is derived from this id. */
      userLinkId: z.uuid(),
      purpose: z.enum(LINK_PURPOSES),
      linkHash: internal(z.string()),
      expiresAt: z.iso.datetime(),
      /** False: the link was returned to the administrator. */
      mailed: z.boolean(),
    },
    sentence: ({ userId, purpose, mailed }) => `made a link for ${userId} (${purpose})${mailed ? ', by mail' : ''}`,
    takes: ({ userId, linkHash }) => [{ scope: 'userLink', key: linkHash, holder: userId }],
  },
  UserRenamed: { fields: { name: userFields.name }, sentence: ({ userId }) => `renamed ${userId}` },
  UserRoleChanged: { fields: { role }, sentence: ({ userId, role }) => `made ${userId} ${role}`, strict: true },
  UserStatusChanged: {
    fields: { status },
    sentence: ({ userId, status }) => `set the status of ${userId} to ${status}`,
    strict: true,
  },
  /** Permissions of an ADMIN in addition to those of the admin role. */
  UserPermissionsChanged: {
    fields: { permissions: z.array(z.string()) },
    sentence: ({ userId, permissions }) => `gave ${userId} the permissions ${permissions.join(', ') || 'none'}`,
    strict: true,
  },
  UserAdminRoleChanged: {
    fields: { adminRoleId: z.uuid().nullable() },
    sentence: ({ userId, adminRoleId }) =>
      adminRoleId === null ? `took the admin role from ${userId}` : `gave ${userId} the admin role ${adminRoleId}`,
    strict: true,
  },
  /** The photo itself is stored outside the log, sealed for the account. */
  UserAvatarSet: {
    fields: {
      avatarId: z.uuid(),
      type: z.enum(AVATAR_TYPES),
      /** Hexadecimal hash of the bytes. */
      sha256: sealed(z.string()),
    },
    sentence: ({ userId }) => `set the photo of ${userId}`,
  },
  UserAvatarRemoved: {
    fields: { avatarId: z.uuid() },
    sentence: ({ userId }) => `removed the photo of ${userId}`,
    strict: true,
  },
  /** The account has completed the onboarding. */
  UserOnboarded: { fields: {}, sentence: ({ userId }) => `has shown ${userId} around` },
  /** Frees the address. Destroying the account's key makes all its personal data unreadable. */
  UserErased: {
    fields: { emailKey },
    sentence: ({ userId }) => `erased account ${userId}`,
    strict: true,
    releases: ({ emailKey }) => [{ scope: 'userEmail', key: emailKey }],
  },
})

/** One stream per account, because a TOTP code, a backup code and a link each count only once per account. */
export const userEvents = stream('user', { ...events, ...userCredentialTypes })

/** Kinds of notifications, each of which an account can switch off. */
export const NOTIFICATION_KINDS = [
  'NEW_DEVICE',
  'SECOND_FACTOR',
  'PASSWORD',
  'API_KEY',
  'MEMBERSHIP',
  'LICENSE',
  'SERVER',
  'GIT_PROVIDER',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Which kinds of notifications an account wants. */
export const wantedNotifications = z.record(z.enum(NOTIFICATION_KINDS), z.boolean())

const preferences = eventsAbout({ userId })({
  /** One value per kind; before the first such event, all kinds are on. */
  UserPreferencesSet: {
    fields: { notifications: wantedNotifications },
    // Servers came with version 2, git providers with version 3.
    upcasters: [
      ({ notifications, ...set }) => ({ ...set, notifications: { SERVER: true, ...Object(notifications) } }),
      ({ notifications, ...set }) => ({ ...set, notifications: { GIT_PROVIDER: true, ...Object(notifications) } }),
    ],
    sentence: ({ userId }) => `set what ${userId} is notified of`,
  },
})

/** A stream of its own, because it guards no invariant. */
export const userPreferenceEvents = stream('userPreferences', preferences)

const counted = eventsAbout({ userId })({
  UserEnrolled: {
    fields: { role, isActive: z.boolean() },
    sentence: ({ userId, role, isActive }) => `counted ${userId} as ${role}${isActive ? '' : ', not active'}`,
  },
  UserLeft: { fields: {}, sentence: ({ userId }) => `counted ${userId} no longer` },
})

/** One stream for the installation, because a SUPERADMIN must remain and the number of accounts is limited. */
export const userRosterEvents = stream('userRoster', counted)
