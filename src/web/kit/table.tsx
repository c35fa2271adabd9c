/** A list of records as a table, which becomes a list of definitions where it is narrow. */
import { Fragment, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import type { CallInput } from '#api-client/call'
import type { Operation, Shape } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { useList } from '../session/context.tsx'
import type { ListAnswer } from '../session/context.tsx'
import { ListFoot, NothingMatches, useFilters } from './filters.tsx'
import type { Filters } from './filters.tsx'
import { useLongList, useSteadyColumns } from './long-list.ts'
import { NewRows } from './new-rows.tsx'
import { Choose, ChooseAll, SelectionBar, useSelection } from './selection.tsx'
import type { Selection } from './selection.tsx'

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
  /** What can be done with rows that are selected, by their keys; absent: rows cannot be selected. */
  readonly selection?: ((keys: readonly string[]) => ReactNode) | undefined
  /** How often it is read again, where it changes without an event. */
  readonly everyMs?: number
  /** Shown when there is no row at all. */
  readonly empty: ReactNode
}

/** A shorter table is whole in the document. */
const VIRTUAL_FROM = 50
/** In pixels: a row of one line. The real height is measured. */
const ROW_HEIGHT = 37

export function RecordTable<S extends Shape>(props: RecordTableProps<S>) {
  const { operation, caption, columns, keyOf, input, filters: names = [], labels, selection, everyMs, empty } = props
  const filters = useFilters(operation, names, labels)
  const query = { ...(input as { query?: object } | undefined)?.query, ...filters.given }
  const list = useList(operation, { ...input, query } as unknown as CallInput<S>, { holdsNew: true, everyMs })
  const sortable = names.length > 0 ? (operation.query?.properties?.['sort']?.enum ?? []) : []
  const isEmpty = !list.error && !list.isLoading && list.items.length === 0
  const chosen = useSelection(list.items, keyOf, selection !== undefined)
  const table = useRef<HTMLTableElement>(null)
  const isVirtual = list.items.length > VIRTUAL_FROM
  useSteadyColumns(table, isVirtual)

  return (
    <div className="part">
      {filters.inputs}
      {isEmpty && (filters.isFiltered ? <NothingMatches onClear={filters.clear} /> : empty)}
      {list.items.length > 0 && (
        <div className="table-frame">
          <NewRows of={list} />
          <table ref={table} className="table" aria-rowcount={rowCount(list)}>
            <caption className="only-read">{caption}</caption>
            <thead>
              <tr>
                {selection && (
                  <th scope="col" className="select">
                    <ChooseAll of={chosen} />
                  </th>
                )}
                {columns.map((column) => (
                  <Head key={column.label} column={column} sortable={sortable} filters={filters} />
                ))}
              </tr>
            </thead>
            <Rows items={list.items} columns={columns} keyOf={keyOf} isVirtual={isVirtual} chosen={chosen} />
          </table>
        </div>
      )}
      {selection && chosen.keys.length > 0 && <SelectionBar of={chosen}>{selection(chosen.keys)}</SelectionBar>}
      <ListFoot list={list} />
    </div>
  )
}

/** With the row of heads; -1 while the end of the list is not known. */
function rowCount({ items, total, more }: ListAnswer<unknown>): number {
  const known = more ? total : items.length
  return known === undefined ? -1 : known + 1
}

interface RowsProps<Item> {
  readonly items: readonly Item[]
  readonly columns: readonly Column<Item>[]
  readonly keyOf: (item: Item) => string
  readonly isVirtual: boolean
  readonly chosen: Selection
}

function Rows<Item>({ items, columns, keyOf, isVirtual, chosen }: RowsProps<Item>) {
  const place = useRef<HTMLTableSectionElement>(null)
  const id = useId()
  const { rows, offset } = useLongList<HTMLTableRowElement>(place, {
    count: items.length,
    rowHeight: ROW_HEIGHT,
    keyOf: (nth) => keyOf(items[nth]!),
    isVirtual,
  })
  const shown = isVirtual ? rows.getVirtualItems() : items.map((_, index) => ({ index, start: 0, end: 0 }))
  const end = isVirtual ? offset + rows.getTotalSize() : 0
  return (
    <tbody ref={place}>
      {shown.map(({ index, start }, nth) => {
        const item = items[index]!
        const key = keyOf(item)
        const gap = isVirtual ? start - (shown[nth - 1]?.end ?? offset) : 0
        return (
          <Fragment key={key}>
            {gap > 0 && <Spacer height={gap} />}
            <tr ref={isVirtual ? rows.measureElement : undefined} data-index={index} aria-rowindex={index + 2}>
              {chosen.isOn && (
                <td className="select">
                  <Choose of={chosen} nth={index} labelledBy={`${id}-${index}`} />
                </td>
              )}
              {columns.map(({ label, of, isNumber }, column) => (
                <td key={label} data-label={label} data-align={isNumber ? 'end' : undefined}>
                  <div id={column === 0 && chosen.isOn ? `${id}-${index}` : undefined}>{of(item)}</div>
                </td>
              ))}
            </tr>
          </Fragment>
        )
      })}
      {isVirtual && <Spacer height={end - (shown.at(-1)?.end ?? offset)} />}
    </tbody>
  )
}

/** In the place of rows that are not in the document. */
const Spacer = ({ height }: { readonly height: number }) =>
  height <= 0 ? null : <tr className="spacer" aria-hidden="true" style={{ blockSize: height }} />

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
