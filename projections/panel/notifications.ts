import { id, key, nullable, readModel, timestamptz, bool } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { notificationEvents, notificationFields } from '#panel/notifications/events'
import { userEvents } from '#panel/users/events'

const columns = {
  id: key,
  userId: id,
  ...columnsOf(notificationFields),
  isRead: bool,
  readAt: nullable(timestamptz),
  createdAt: timestamptz,
}

export type NotificationRow = RowOf<typeof columns>

/** Notifications that were not deleted. */
export const notificationTable = readModel('notifications', 3, columns, ['(user_id, created_at, id)'])
  .from(notificationEvents, {
    NotificationAdded: (table, { notificationId, causeId: _cause, ...notification }, { at }) =>
      table.insert({ id: notificationId, ...notification, isRead: false, readAt: null, createdAt: at }),
    NotificationRead: (table, { notificationId }, { at }) =>
      table.update({ id: notificationId, isRead: false }, { isRead: true, readAt: at }),
    NotificationDeleted: (table, { notificationId }) => table.remove({ id: notificationId }),
    UserNotificationsRead: (table, { userId }, { at }) =>
      table.update({ userId, isRead: false }, { isRead: true, readAt: at }),
    UserNotificationsCleared: (table, { userId }) => table.remove({ userId }),
    UserNotificationsExpired: (table, { notificationIds }) => {
      for (const id of notificationIds) table.remove({ id })
    },
  })
  .from(userEvents, { UserErased: (table, { userId }) => table.remove({ userId }) })
