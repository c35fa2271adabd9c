import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext, Route, RouteLine } from '#kernel/http/route'
import { countRows } from '#kernel/projections/count-rows'
import { listRoute } from '#kernel/resource/list-route'
import type { RowsOf } from '#kernel/resource/list-route'
import { notificationTable } from '#projections/panel/notifications'
import type { NotificationRow } from '#projections/panel/notifications'
import { session } from '../access/access.ts'
import { panelLists } from '../access/panel-lists.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { notifications } from './decider.ts'
import { notificationFields } from './events.ts'

const Notification = z
  .object({
    id: z.uuid(),
    ...notificationFields,
    readAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Notification' })

const ofCaller = (rows: RowsOf<'notifications', NotificationRow>, { caller }: Pick<HandlerContext, 'caller'>) =>
  rows.where('userId', '=', userCallerOf(caller).userId)

/** A decision on the caller's notifications, or on one of them, which the next read reflects. */
const change = (
  line: RouteLine,
  does: string,
  command: 'ReadNotification' | 'DeleteNotification' | 'ReadNotifications' | 'ClearNotifications',
): Route =>
  route(line, {
    does,
    access: session,
    async handle({ run, caller, params, waitForReadModels }) {
      const { userId } = userCallerOf(caller)
      const { id: notificationId } = params as { readonly id: string }
      await run((unit) => unit.decide(notifications, userId, command, { userId, notificationId }))
      await waitForReadModels()
    },
  })

export const notificationRoutes = [
  listRoute('GET /api/notifications', notificationTable, panelLists, {
    does: 'List the caller’s notifications, newest first. The notification preferences decide which kinds are added.',
    access: session,
    item: Notification,
    only: ofCaller,
  }),

  route('GET /api/notifications/unread-count', {
    does: 'Count the caller’s unread notifications.',
    access: session,
    reply: z.object({ count: z.int() }),
    async handle(call) {
      const own = ofCaller(notificationTable.queryIn(call.read).selectAll(), call)
      return { count: await countRows(own.where('isRead', '=', false)) }
    },
  }),

  change('POST /api/notifications/read-all', 'Mark all notifications of the caller as read.', 'ReadNotifications'),
  change('POST /api/notifications/:id/read', 'Mark a notification as read.', 'ReadNotification'),
  change('DELETE /api/notifications', 'Delete all notifications of the caller.', 'ClearNotifications'),
  change('DELETE /api/notifications/:id', 'Delete a notification.', 'DeleteNotification'),
]
