/** The read model of an operation: a row for each, whether it has ended or not. */
import { snakeCase } from '../lib/snake-case.ts'
import { key, readModel } from '../projections/read-model.ts'
import type { Column, ReadModel } from '../projections/read-model.ts'
import { columnsOf } from './columns-of.ts'
import { valuesOf } from './fields.ts'
import type { Fields } from './fields.ts'
import type { Operation, OperationRow } from './operation.ts'

type ColumnsFor<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> }
export type OperationTable<Of extends Fields, F extends Fields, R extends Fields> = ReadModel<
  ColumnsFor<OperationRow<Of, F, R>>,
  OperationRow<Of, F, R>
>

/** @param version raised when the fields or the result change: the table is then rebuilt */
export function operationTable<Noun extends string, Of extends Fields, F extends Fields, R extends Fields>(
  { row, result, sealedFor, stream, idIn, subjectField, firstRow }: Operation<Noun, Of, F, R>,
  version = 1,
): OperationTable<Of, F, R> {
  type Row = OperationRow<Of, F, R>
  const [Requested, Started, Finished, Failed] = stream.types
  const indexes = [`(${snakeCase(subjectField)}, created_at, id)`, '(created_at) WHERE finished_at IS NULL']
  const columns = { id: key, ...columnsOf(row, sealedFor) }
  // The compiler derives the row from the fields, and cannot compare the two while these are open.
  const table = readModel(stream.name, version, columns, indexes) as unknown as OperationTable<Of, F, R>
  const where = (id: string) => ({ id }) as Partial<Row>
  const change = (values: object) => values as Partial<Row>
  return table
    .on(Requested, (rows, data, { at }) => rows.insert(firstRow(data, at)))
    .on(Started, (rows, data, { at }) => rows.update(where(idIn(data)), change({ status: 'RUNNING', startedAt: at })))
    .on(Finished, (rows, data, { at }) =>
      rows.update(where(idIn(data)), change({ status: 'FINISHED', finishedAt: at, ...valuesOf(result, data) })),
    )
    .on(Failed, (rows, data, { at }) => {
      const { code: errorCode, message: errorMessage } = data
      return rows.update(where(idIn(data)), change({ status: 'FAILED', finishedAt: at, errorCode, errorMessage }))
    })
}
