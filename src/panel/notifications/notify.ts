/** Adds notifications to the inboxes of accounts that want them. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { DataOf } from '#kernel/events/event'
import type { JobContext } from '#kernel/jobs/job-context'
import { isNotificationWanted } from '#projections/panel/users'
import { users } from '../users/decider.ts'
import type { NotificationKind } from '../users/events.ts'
import { CAUSE_CONSTRAINT, causeKey, notificationEvents } from './events.ts'

export interface Notice extends Partial<
  Pick<DataOf<typeof notificationEvents.NotificationAdded>, 'projectId' | 'teamId' | 'apiKeyId' | 'serverId'>
> {
  readonly userId: string
  readonly causeId: string
  readonly kind: NotificationKind
  readonly title: string
}

export const toNotification = (
  unit: UnitOfWork,
  { projectId = null, teamId = null, apiKeyId = null, serverId = null, ...notice }: Notice,
) => ({
  notificationId: unit.newId(),
  projectId,
  teamId,
  apiKeyId,
  serverId,
  ...notice,
})

/** Adds at most one notification per cause, however often the job is retried. Erased accounts get none. */
export async function notify(work: JobContext, notice: Notice): Promise<void> {
  if (!(await isNotificationWanted(work.read, notice))) return
  await work.run(async (unit) => {
    if ((await unit.look(users, notice.userId)) === undefined) return
    if ((await unit.holderOf(CAUSE_CONSTRAINT, causeKey(notice))) !== undefined) return
    unit.appendEvent(
      notificationEvents,
      notice.userId,
      notificationEvents.NotificationAdded(toNotification(unit, notice)),
    )
  })
}
