/** What a person is told in the panel: that something happened and to which object, never what is personal or secret about it. */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'
import { NOTIFICATION_KINDS, sealedForUser } from '../users/events.ts'

const userId = z.uuid()
const notificationId = z.uuid()

/** Of one thing that happened a person is told once. */
export const CAUSE_CONSTRAINT = 'notificationCause'
export const causeKey = ({ userId, causeId }: { userId: string; causeId: string }): string => `${userId}/${causeId}`

export const NotificationAdded = event(
  'NotificationAdded',
  'notificationId',
  {
    notificationId,
    userId,
    /** The id of the event that it tells of. */
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

/** They were older than the retention. */
export const UserNotificationsExpired = event(
  'UserNotificationsExpired',
  'userId',
  { userId, notificationIds: z.array(notificationId) },
  ({ userId, notificationIds }) => `dropped ${notificationIds.length} notifications of ${userId}, whose time was over`,
)

/** The first time that somebody signs in with a kind of browser or program. */
export const UserDeviceSeen = event(
  'UserDeviceSeen',
  'userId',
  {
    userId,
    /** HMAC of what it calls itself, without its versions. Sealed, so that no guess can be tried once the person is erased. */
    deviceKey: sealed(z.string()),
  },
  ({ userId }) => `saw ${userId} with a device for the first time`,
  { sealedFor: sealedForUser },
)

/** One stream a person: what is read or deleted must be there, and a device is new once. */
export const notificationEvents = stream('notifications', [
  NotificationAdded,
  NotificationRead,
  NotificationDeleted,
  UserNotificationsRead,
  UserNotificationsCleared,
  UserNotificationsExpired,
  UserDeviceSeen,
])
