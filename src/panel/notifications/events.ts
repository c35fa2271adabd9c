/**
 * Notifications of an account. A title names the kind of event and the object, never personal or secret
 * data.
 */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { NOTIFICATION_KINDS, sealedForUser } from '../users/events.ts'

const userId = z.uuid()
const notificationId = z.uuid()

/** Unique constraint: at most one notification per account and cause. */
export const CAUSE_CONSTRAINT = 'notificationCause'
export const causeKey = ({ userId, causeId }: { userId: string; causeId: string }): string => `${userId}/${causeId}`

export const NotificationAdded = event(
  'NotificationAdded',
  'notificationId',
  {
    notificationId,
    userId,
    /** Id of the event that caused the notification. */
    causeId: z.string(),
    kind: z.enum(NOTIFICATION_KINDS),
    title: z.string(),
    projectId: z.uuid().nullable(),
    teamId: z.uuid().nullable(),
    apiKeyId: z.uuid().nullable(),
  },
  ({ userId, kind, notificationId }) => `notified ${userId} (${kind}), notification ${notificationId}`,
  { takes: (added) => [{ scope: CAUSE_CONSTRAINT, key: causeKey(added) }] },
)

export const NotificationRead = event(
  'NotificationRead',
  'notificationId',
  { notificationId, userId },
  ({ userId, notificationId }) => `marked notification ${notificationId} of ${userId} as read`,
)

export const NotificationDeleted = event(
  'NotificationDeleted',
  'notificationId',
  { notificationId, userId },
  ({ userId, notificationId }) => `deleted notification ${notificationId} of ${userId}`,
)

export const UserNotificationsRead = event(
  'UserNotificationsRead',
  'userId',
  { userId },
  ({ userId }) => `marked all notifications of ${userId} as read`,
)

export const UserNotificationsCleared = event(
  'UserNotificationsCleared',
  'userId',
  { userId },
  ({ userId }) => `deleted all notifications of ${userId}`,
)

/** The notifications were older than the retention. */
export const UserNotificationsExpired = event(
  'UserNotificationsExpired',
  'userId',
  { userId, notificationIds: z.array(notificationId) },
  ({ userId, notificationIds }) => `dropped ${notificationIds.length} notifications of ${userId}, whose time was over`,
)

/** The first sign-in with a kind of browser or program. */
export const UserDeviceSeen = event(
  'UserDeviceSeen',
  'userId',
  {
    userId,
    /**
     * HMAC of the user agent without version numbers. Sealed, so that guesses cannot be checked after
     * the account is erased.
     */
    deviceKey: sealed(z.string()),
  },
  ({ userId }) => `saw ${userId} with a device for the first time`,
  { sealedFor: sealedForUser },
)

/**
 * One stream per account, because a notification must exist to be read or deleted, and a device is new
 * only once.
 */
export const notificationEvents = stream('notifications', [
  NotificationAdded,
  NotificationRead,
  NotificationDeleted,
  UserNotificationsRead,
  UserNotificationsCleared,
  UserNotificationsExpired,
  UserDeviceSeen,
])
