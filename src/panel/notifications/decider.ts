import { decider } from '#kernel/decider'
import type { DataOf } from '#kernel/event'
import { found } from '#kernel/rejection'
import {
  NotificationAdded,
  NotificationDeleted,
  notificationEvents,
  NotificationRead,
  UserDeviceSeen,
  UserNotificationsCleared,
  UserNotificationsRead,
} from './events.ts'

interface Inbox {
  /** Of those that are there. */
  readonly ids: readonly string[]
  readonly devices: readonly string[]
}

interface One {
  readonly userId: string
  readonly notificationId: string
}

interface Device {
  readonly deviceKey: string
  /** Told of it, where the person wants that. */
  readonly notice: DataOf<typeof NotificationAdded> | undefined
}

/** @throws Rejection 404 for one that is not there, or is somebody else's */
const known = ({ ids }: Inbox, { userId, notificationId }: One): One => ({
  userId,
  notificationId: found(ids.find((id) => id === notificationId)),
})

const NOTHING_YET: Inbox = { ids: [], devices: [] }

export const notifications = decider(notificationEvents, {
  initial: NOTHING_YET,
  evolve: {
    NotificationAdded: (inbox, { notificationId }) => ({ ...inbox, ids: [...inbox.ids, notificationId] }),
    NotificationRead: (inbox) => inbox,
    NotificationDeleted: (inbox, { notificationId }) => ({
      ...inbox,
      ids: inbox.ids.filter((id) => id !== notificationId),
    }),
    UserNotificationsRead: (inbox) => inbox,
    UserNotificationsCleared: (inbox) => ({ ...inbox, ids: [] }),
    UserDeviceSeen: (inbox, { deviceKey }) => ({ ...inbox, devices: [...inbox.devices, deviceKey] }),
  },
  commands: {
    ReadNotification: (inbox, ask: One) => [NotificationRead(known(inbox, ask))],
    DeleteNotification: (inbox, ask: One) => [NotificationDeleted(known(inbox, ask))],
    ReadNotifications: (_inbox, ask: { userId: string }) => [UserNotificationsRead(ask)],
    ClearNotifications: (_inbox, ask: { userId: string }) => [UserNotificationsCleared(ask)],
    /** The first device of all is how the account begins, and no news. */
    NoteDevice: ({ devices }, { deviceKey, notice, userId }: Device & { userId: string }) => {
      if (devices.includes(deviceKey)) return []
      const seen = UserDeviceSeen({ userId, deviceKey })
      return devices.length > 0 && notice ? [seen, NotificationAdded(notice)] : [seen]
    },
  },
})
