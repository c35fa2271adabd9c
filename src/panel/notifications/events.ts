/** Notifications of an account. A title names the kind of event and the object, and no personal data or secret. */
import { z } from 'zod'
import { eventsAbout, sealed, stream } from '#kernel/events/event'
import { NOTIFICATION_KINDS, sealedForUser } from '../users/events.ts'

const userId = z.uuid()
const notificationId = z.uuid()

export const notificationFields = {
  kind: z.enum(NOTIFICATION_KINDS),
  title: z.string(),
  /** The object that the notification is about, if any. */
  projectId: z.uuid().nullable(),
  teamId: z.uuid().nullable(),
  apiKeyId: z.uuid().nullable(),
  serverId: z.uuid().nullable(),
}

/** Unique constraint: at most one notification per account and cause. */
export const CAUSE_CONSTRAINT = 'notificationCause'
export const causeKey = ({ userId, causeId }: { userId: string; causeId: string }): string => `${userId}/${causeId}`

const ofOne = eventsAbout({ notificationId, userId })({
  NotificationAdded: {
    fields: {
      /** Id of the event that caused the notification. */
      causeId: z.string(),
      ...notificationFields,
    },
    // Servers came with version 2.
    upcasters: [(added) => ({ ...added, serverId: null })],
    sentence: ({ userId, kind, notificationId }) => `notified ${userId} (${kind}), notification ${notificationId}`,
    takes: (added) => [{ scope: CAUSE_CONSTRAINT, key: causeKey(added) }],
  },
  NotificationRead: {
    fields: {},
    sentence: ({ userId, notificationId }) => `marked notification ${notificationId} of ${userId} as read`,
  },
  NotificationDeleted: {
    fields: {},
    sentence: ({ userId, notificationId }) => `deleted notification ${notificationId} of ${userId}`,
  },
})

const declareEvents = eventsAbout({ userId }, sealedForUser)
const ofAccount = declareEvents({
  UserNotificationsRead: { fields: {}, sentence: ({ userId }) => `marked all notifications of ${userId} as read` },
  UserNotificationsCleared: { fields: {}, sentence: ({ userId }) => `deleted all notifications of ${userId}` },
  /** The notifications were older than the retention. */
  UserNotificationsExpired: {
    fields: { notificationIds: z.array(notificationId) },
    sentence: ({ userId, notificationIds }) =>
      `dropped ${notificationIds.length} notifications of ${userId}, whose time was over`,
  },
  /** The first sign-in with a kind of browser or program. */
  UserDeviceSeen: {
    fields: {
      /** HMAC of the user agent without versions. Sealed, so that guesses cannot be checked later. */
      deviceKey: sealed(z.string()),
    },
    sentence: ({ userId }) => `saw ${userId} with a device for the first time`,
  },
})

/** One stream per account, because only an existing notification is read, and a device is new only once. */
export const notificationEvents = stream('notifications', { ...ofOne, ...ofAccount })
