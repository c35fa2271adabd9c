/** The read model of a plain resource: a row for each item that exists. */
import { key, readModel, timestamptz } from '../projections/read-model.ts'
import type { Column, ReadModel } from '../projections/read-model.ts'
import { columnsOf } from './columns-of.ts'
import type { ColumnsOf } from './columns-of.ts'
import { valuesOf } from './fields.ts'
import type { Fields, ValuesOf } from './fields.ts'
import type { Item, Resource } from './resource.ts'

type TableColumns<F extends Fields> = ColumnsOf<F> & {
  readonly id: Column<string>
  readonly createdAt: Column<string>
}

export type ResourceTable<F extends Fields> = ReadModel<TableColumns<F>, Item<F>>

/** @param version raised when the fields change: the table is then rebuilt */
export function resourceTable<Noun extends string, F extends Fields, Unique extends keyof ValuesOf<F>>(
  { fields, stream, Created, Changed, Deleted, idIn }: Resource<Noun, F, Unique>,
  version = 1,
): ResourceTable<F> {
  const columns: TableColumns<F> = { id: key, ...columnsOf(fields), createdAt: timestamptz }
  // An item has a value for each column: the compiler derives both from the fields, and cannot compare them while these are open.
  const table = readModel(stream.name, version, columns, ['(created_at, id)']) as unknown as ResourceTable<F>
  const where = (id: string) => ({ id }) as Partial<Item<F>>
  return table
    .on(Created, (rows, data, { at }) => rows.insert({ id: idIn(data), ...valuesOf(fields, data), createdAt: at }))
    .on(Changed, (rows, data) => rows.update(where(idIn(data)), valuesOf(fields, data) as Partial<Item<F>>))
    .on(Deleted, (rows, data) => rows.remove(where(idIn(data))))
}
