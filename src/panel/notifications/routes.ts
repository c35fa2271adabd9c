import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { notificationTable } from '#projections/panel/notifications'
import type { NotificationRow } from '#projections/panel/notifications'
import { session } from '../access/access.ts'
import { panelList, panelListReply, panelListQuery } from '../access/panel-list.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { NOTIFICATION_KINDS } from '../users/events.ts'
import { notifications } from './decider.ts'

const Notification = z.object({
  id: z.uuid(),
  kind: z.enum(NOTIFICATION_KINDS),
  title: z.string(),
  /** The object that the notification is about, if any. */
  projectId: z.uuid().nullable(),
  teamId: z.uuid().nullable(),
  apiKeyId: z.uuid().nullable(),
  readAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})

const NotificationQuery = panelListQuery({})

const toNotifications = (rows: readonly NotificationRow[]): z.input<typeof Notification>[] =>
  rows.map(({ userId: _whose, isRead: _isRead, ...notification }) => notification)

const ofCaller = (read: ReadDatabase, caller: HandlerContext['caller']) =>
  notificationTable.queryIn(read).where('userId', '=', userCallerOf(caller).userId)

/** Changes one of the caller's notifications; the next read reflects it. */
async function changeOne(
  { run, caller, params, waitForReadModels }: HandlerContext<{ id: string }>,
  command: 'ReadNotification' | 'DeleteNotification',
): Promise<void> {
  const { userId } = userCallerOf(caller)
  await run((unit) => unit.decide(notifications, userId, command, { userId, notificationId: params.id }))
  await waitForReadModels()
}

async function changeAll(
  { run, caller, waitForReadModels }: HandlerContext,
  command: 'ReadNotifications' | 'ClearNotifications',
): Promise<void> {
  const { userId } = userCallerOf(caller)
  await run((unit) => unit.decide(notifications, userId, command, { userId }))
  await waitForReadModels()
}

export const notificationRoutes = [
  route('GET /api/notifications', {
    does: 'List the caller’s notifications, newest first. The notification preferences decide which kinds are added.',
    access: session,
    query: NotificationQuery,
    reply: panelListReply(Notification),
    handle: ({ read, caller, query }) => panelList(ofCaller(read, caller).selectAll(), query, toNotifications),
  }),

  route('GET /api/notifications/unread-count', {
    does: 'Count the caller’s unread notifications.',
    access: session,
    reply: z.object({ count: z.int() }),
    handle: ({ read, caller }) =>
      ofCaller(read, caller)
        .where('isRead', '=', false)
        .select((is) => is.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow(),
  }),

  route('POST /api/notifications/read-all', {
    does: 'Mark all notifications of the caller as read.',
    access: session,
    handle: (call) => changeAll(call, 'ReadNotifications'),
  }),

  route('POST /api/notifications/:id/read', {
    does: 'Mark a notification as read.',
    access: session,
    handle: (call) => changeOne(call, 'ReadNotification'),
  }),

  route('DELETE /api/notifications', {
    does: 'Delete all notifications of the caller.',
    access: session,
    handle: (call) => changeAll(call, 'ClearNotifications'),
  }),

  route('DELETE /api/notifications/:id', {
    does: 'Delete a notification.',
    access: session,
    handle: (call) => changeOne(call, 'DeleteNotification'),
  }),
]
