/** A list of records as a table, which becomes a list of definitions where it is narrow. */
import type { ReactNode } from 'react'
import type { CallInput } from '#api-client/call'
import type { Operation, Shape } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { useList } from '../session/context.tsx'
import { ListFoot, NothingMatches, useFilters } from './filters.tsx'
import type { Filters } from './filters.tsx'

export interface Column<Item> {
  readonly label: string
  /** The column of the API by which it can be sorted. */
  readonly sort?: string
  readonly isNumber?: boolean
  readonly of: (item: Item) => ReactNode
}

interface RecordTableProps<S extends Shape> {
  readonly operation: Operation<S>
  /** What the list is of, such as `Licenses of this customer`; it names the table for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<ItemOf<S['data']>>[]
  readonly keyOf: (item: ItemOf<S['data']>) => string
  readonly input?: Partial<CallInput<S>>
  /** Parameters of the query that the person may set, by name; they are kept in the address. */
  readonly filters?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  /** Shown when there is no row at all. */
  readonly empty: ReactNode
}

export function RecordTable<S extends Shape>(props: RecordTableProps<S>) {
  const { operation, caption, columns, keyOf, input, filters: names = [], labels, empty } = props
  const filters = useFilters(operation, names, labels)
  const query = { ...(input as { query?: object } | undefined)?.query, ...filters.given }
  const list = useList(operation, { ...input, query } as unknown as CallInput<S>)
  const sortable = names.length > 0 ? (operation.query?.properties?.['sort']?.enum ?? []) : []
  const isEmpty = !list.error && !list.isLoading && list.items.length === 0

  return (
    <div className="part">
      {filters.inputs}
      {isEmpty && (filters.isFiltered ? <NothingMatches onClear={filters.clear} /> : empty)}
      {list.items.length > 0 && (
        <div className="table-frame">
          <table className="table" aria-rowcount={list.total ?? -1}>
            <caption className="only-read">{caption}</caption>
            <thead>
              <tr>
                {columns.map((column) => (
                  <Head key={column.label} column={column} sortable={sortable} filters={filters} />
                ))}
              </tr>
            </thead>
            <tbody>
              {list.items.map((item) => (
                <tr key={keyOf(item)}>
                  {columns.map(({ label, of, isNumber }) => (
                    <td key={label} data-label={label} data-align={isNumber ? 'end' : undefined}>
                      <div>{of(item)}</div>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ListFoot list={list} />
    </div>
  )
}

interface HeadProps {
  readonly column: Pick<Column<never>, 'label' | 'sort' | 'isNumber'>
  readonly sortable: readonly unknown[]
  readonly filters: Filters
}

function Head({ column: { label, sort: by, isNumber }, sortable, filters: { given, set } }: HeadProps) {
  const align = isNumber ? 'end' : undefined
  if (by === undefined || !sortable.includes(by))
    return (
      <th scope="col" data-align={align}>
        {label}
      </th>
    )
  const { sort } = given
  const order = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined
  return (
    <th scope="col" data-align={align} aria-sort={order}>
      <button type="button" onClick={() => set('sort', sort === `-${by}` ? by : `-${by}`)}>
        {label} {order && (order === 'ascending' ? '↑' : '↓')}
      </button>
    </th>
  )
}
