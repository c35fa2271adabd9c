/** Rows of a read model, as replies show them. */
import type { HandlerContext } from '../http/route.ts'
import { found } from '../lib/rejection.ts'
import { findRow } from '../projections/lookup.ts'
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
  const [row] = await table.open(vault, [found(await findRow(read, table, where))])
  return row!
}

/** The rows with these ids, in any order, their sealed columns opened. Ids without a row are skipped. */
export async function readRows<C extends Columns, Row extends { readonly id: string }, Name extends string>(
  { read, vault }: Pick<HandlerContext, 'read' | 'vault'>,
  table: ReadModel<C, Row, Name>,
  ids: readonly string[],
): Promise<Row[]> {
  if (ids.length === 0) return []
  const rows = await table.queryIn(read).selectAll().where(sql.ref('id'), 'in', ids).execute()
  return table.open(vault, rows as Row[])
}
