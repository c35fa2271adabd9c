/** Finds the recipient of a mail. */
import type { JobContext } from '#kernel/jobs/job-context'
import { isNotificationWanted } from '#projections/panel/users'
import { users } from '../users/decider.ts'
import type { User } from '../users/decider.ts'
import type { NotificationKind } from '../users/events.ts'

/**
 * Undefined if the installation sends no mail, or if the account is not active.
 * @param kind of notification, which accounts may switch off; absent for mails that always go out
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
