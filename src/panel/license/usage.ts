/** Usage that a heartbeat reports (licensing.md 7): counts only, no personal data. */
import type { Kysely } from 'kysely'
import { userTable } from '#projections/panel/users'

/**
 * Counts all accounts, pending ones included, as the license does. Usage that the panel cannot measure
 * is not reported.
 */
export const usageOf = (read: Kysely<any>): Promise<{ users: number }> =>
  userTable
    .queryIn(read)
    .select((is) => is.fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow()
