import type { SelectQueryBuilder } from 'kysely'

/** How many rows a query has, whatever it selects. */
export async function countRows(rows: SelectQueryBuilder<any, any, any>): Promise<number> {
  const counted = await rows
    .clearSelect()
    .select((select: any) => select.fn.countAll().as('number'))
    .executeTakeFirstOrThrow()
  return (counted as { number: number }).number
}
