/** To whom something is mailed. */
import type { JobContext } from '#kernel/jobs/job-context'
import { isNotificationWanted } from '#projections/panel/users'
import { users } from '../users/decider.ts'
import type { User } from '../users/decider.ts'
import type { NotificationKind } from '../users/events.ts'

/**
 * Undefined where no mail is sent, and for whoever is not active.
 * @param kind of what people may choose not to be told of; absent for what everybody is told
 */
export async function recipientOf(
  work: JobContext,
  userId: string,
  kind?: NotificationKind,
): Promise<User | undefined> {
  if (!(await work.canMail())) return undefined
  const user = await work.run((unit) => unit.look(users, userId))
  if (user?.status !== 'ACTIVE') return undefined
  return kind === undefined || (await isNotificationWanted(work.read, { userId, kind })) ? user : undefined
}
