/** One row of a read model, as a reply shows it. */
import type { HandlerContext } from '../http/route.ts'
import { found } from '../lib/rejection.ts'
import { sql } from '../projections/read-model.ts'
import type { Columns, ReadModel } from '../projections/read-model.ts'

/**
 * The row with these values, its sealed columns opened.
 * @throws Rejection 404
 */
export async function readRow<C extends Columns, Row extends object, Name extends string>(
  { read, vault }: Pick<HandlerContext, 'read' | 'vault'>,
  table: ReadModel<C, Row, Name>,
  where: Partial<Row>,
): Promise<Row> {
  const rows = Object.entries(where).reduce(
    (narrowed, [column, value]) => narrowed.where(sql.ref(column), '=', value),
    table.queryIn(read).selectAll(),
  )
  const [row] = await table.open(vault, [found(await rows.executeTakeFirst()) as Row])
  return row!
}
