import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found } from '#kernel/lib/rejection'
import { notificationEvents } from './events.ts'

interface Inbox {
  /** Notifications that were not deleted, oldest first. */
  readonly kept: readonly { readonly id: string; readonly addedMs: number }[]
  readonly devices: readonly string[]
}

interface NotificationRef {
  readonly userId: string
  readonly notificationId: string
}

interface Device {
  readonly deviceKey: string
  /** Notification to add; undefined if the account has switched this kind off. */
  readonly notice: DataOf<typeof notificationEvents.NotificationAdded> | undefined
}

/** @throws Rejection 404 for an unknown notification, or one of another account */
const requireNotification = ({ kept }: Inbox, { userId, notificationId }: NotificationRef): NotificationRef => ({
  userId,
  notificationId: found(kept.find(({ id }) => id === notificationId)?.id),
})

const without = (inbox: Inbox, ids: readonly string[]): Inbox => {
  const gone = new Set(ids)
  return { ...inbox, kept: inbox.kept.filter(({ id }) => !gone.has(id)) }
}

/** Bound per event; the next event removes the rest. */
const EXPIRED_MAX = 1_000

const NOTHING_YET: Inbox = { kept: [], devices: [] }

export const notifications = decider(notificationEvents, {
  initial: NOTHING_YET,
  evolve: {
    NotificationAdded: (inbox, { notificationId: id }, at) => ({
      ...inbox,
      kept: [...inbox.kept, { id, addedMs: at.getTime() }],
    }),
    NotificationRead: (inbox) => inbox,
    NotificationDeleted: (inbox, { notificationId }) => without(inbox, [notificationId]),
    UserNotificationsRead: (inbox) => inbox,
    UserNotificationsCleared: (inbox) => ({ ...inbox, kept: [] }),
    UserNotificationsExpired: (inbox, { notificationIds }) => without(inbox, notificationIds),
    UserDeviceSeen: (inbox, { deviceKey }) => ({ ...inbox, devices: [...inbox.devices, deviceKey] }),
  },
  commands: {
    ReadNotification: (inbox, ask: NotificationRef) => [
      notificationEvents.NotificationRead(requireNotification(inbox, ask)),
    ],
    DeleteNotification: (inbox, ask: NotificationRef) => [
      notificationEvents.NotificationDeleted(requireNotification(inbox, ask)),
    ],
    ReadNotifications: (_inbox, { userId }: { userId: string }) => [
      notificationEvents.UserNotificationsRead({ userId }),
    ],
    ClearNotifications: (_inbox, { userId }: { userId: string }) => [
      notificationEvents.UserNotificationsCleared({ userId }),
    ],
    ExpireNotifications: ({ kept }, { userId, before }: { userId: string; before: Date }) => {
      const over = kept.filter(({ addedMs }) => addedMs < before.getTime()).slice(0, EXPIRED_MAX)
      return over.length === 0
        ? []
        : [notificationEvents.UserNotificationsExpired({ userId, notificationIds: over.map(({ id }) => id) })]
    },
    /** The first device of an account causes no notification. */
    NoteDevice: ({ devices }, { deviceKey, notice, userId }: Device & { userId: string }) => {
      if (devices.includes(deviceKey)) return []
      const seen = notificationEvents.UserDeviceSeen({ userId, deviceKey })
      return devices.length > 0 && notice ? [seen, notificationEvents.NotificationAdded(notice)] : [seen]
    },
  },
})
