/** What a heartbeat tells of how much the panel is used (licensing.md 7): how many, and nothing of whom. */
import type { Kysely } from 'kysely'
import { userTable } from '#projections/panel/users'

/** Accounts as the license counts them, those among them that nobody has opened yet. What a panel cannot have it says nothing of. */
export const usageOf = (read: Kysely<any>): Promise<{ users: number }> =>
  userTable
    .queryIn(read)
    .select((is) => is.fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow()
