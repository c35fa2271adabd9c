/** Rows that are part of a record, as the same table as a list. */
import type { Column } from './table.tsx'

interface RowsTableProps<Row> {
  readonly rows: readonly Row[]
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
}

export const RowsTable = <Row,>({ rows, caption, columns, keyOf }: RowsTableProps<Row>) => (
  <div className="table-frame">
    <table className="table">
      <caption className="only-read">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, isNumber }) => (
            <th key={label} scope="col" data-align={isNumber ? 'end' : undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ label, of, isNumber }) => (
              <td key={label} data-label={label} data-align={isNumber ? 'end' : undefined}>
                <div>{of(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
