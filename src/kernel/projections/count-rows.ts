import type { SelectQueryBuilder } from 'kysely'

/** How many rows a query has, whatever it selects. */
export async function countRows<DB, TB extends keyof DB, Item>(
  rows: SelectQueryBuilder<DB, TB, Item>,
): Promise<number> {
  const counted = await rows
    .clearSelect()
    .select((is) => is.fn.countAll<number>().as('number'))
    .executeTakeFirstOrThrow()
  return (counted as { number: number }).number
}
