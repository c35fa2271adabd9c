/** Text search as SQL. It does not work on sealed columns: those can only be compared as a whole, by a keyed hash. */
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/** Whether one of the columns contains the text, ignoring case; `%` and `_` are matched literally. */
export function containsText(columns: readonly string[], text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ILIKE ${pattern}`),
    sql` OR `,
  )})`
}
