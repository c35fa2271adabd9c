/** Usage that a heartbeat reports (licensing.md 7): counts only, no personal data. */
import { countRows } from '#kernel/projections/count-rows'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { userTable } from '#projections/panel/users'

/** Counts all accounts, also pending ones, as the license does. What cannot be measured is not reported. */
export const usageOf = async (read: ReadDatabase): Promise<{ users: number }> => ({
  users: await countRows(userTable.queryIn(read)),
})
