/** Words that somebody searches for, as SQL. Never for what is sealed: of that only whole spellings can be found. */
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/** Whether one of the columns holds the text, whatever the case; `%` and `_` are just signs of it. */
export function containsText(columns: readonly string[], text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ILIKE ${pattern}`),
    sql` OR `,
  )})`
}
