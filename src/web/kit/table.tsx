/** A list of records: its columns, its filters and its order are in the address; more rows come by a button or by scrolling. */
import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import type { CallInput } from '#api-client/call'
import type { JsonSchema, Operation, Shape } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { useList } from '../session/context.tsx'
import { Button } from './controls.tsx'
import { RefusalNotice } from './refusal.tsx'
import { labelOf, wordOf } from './words.ts'

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
  const { operation, caption, columns, keyOf, input, filters = [], labels = {}, empty } = props
  const [search, setSearch] = useSearchParams()
  const given = Object.fromEntries(filters.flatMap((name) => (search.get(name) ? [[name, search.get(name)!]] : [])))
  const sort = filters.length > 0 ? search.get('sort') : null
  const query = { ...(input as { query?: object } | undefined)?.query, ...given, ...(sort ? { sort } : {}) }
  const list = useList(operation, { ...input, query } as unknown as CallInput<S>)
  const properties = operation.query?.properties ?? {}
  const sortable = filters.length > 0 ? (properties['sort']?.enum ?? []) : []
  const set = (name: string, value: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const isFiltered = Object.keys(given).length > 0

  return (
    <div className="part">
      {filters.length > 0 && (
        <search className="filters">
          {filters.map((name) => (
            <Filter
              key={name}
              label={labels[name] ?? (name === 'q' ? 'Search' : labelOf(name))}
              schema={properties[name] ?? {}}
              value={given[name] ?? ''}
              onChange={(value) => set(name, value)}
            />
          ))}
        </search>
      )}
      {list.error && <RefusalNotice of={list.error} />}
      {!list.error && !list.isLoading && list.items.length === 0 && (isFiltered ? <Nothing onClear={() => setSearch({})} /> : empty)}
      {list.items.length > 0 && (
        <div className="table-frame">
          <table className="table" aria-rowcount={list.total ?? -1}>
            <caption className="only-read">{caption}</caption>
            <thead>
              <tr>
                {columns.map(({ label, sort: by, isNumber }) => (
                  <th key={label} scope="col" data-align={isNumber ? 'end' : undefined} aria-sort={orderOf(by, sort)}>
                    {by && sortable.includes(by) ? (
                      <button type="button" onClick={() => set('sort', sort === `-${by}` ? by : `-${by}`)}>
                        {label} {markOf(orderOf(by, sort))}
                      </button>
                    ) : (
                      label
                    )}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {list.items.map((item) => (
                <tr key={keyOf(item)}>
                  {columns.map(({ label, of, isNumber }) => (
                    <td key={label} data-label={label} data-align={isNumber ? 'end' : undefined}>
                      {of(item)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          <Foot count={list.items.length} total={list.total} more={list.more} isLoadingMore={list.isLoadingMore} />
        </div>
      )}
    </div>
  )
}

type Order = 'ascending' | 'descending' | undefined

function orderOf(by: string | undefined, sort: string | null): Order {
  if (by === undefined || sort === null || sort.replace('-', '') !== by) return undefined
  return sort.startsWith('-') ? 'descending' : 'ascending'
}

const markOf = (order: Order): string => ({ ascending: '↑', descending: '↓', none: '' })[order ?? 'none']

interface FilterProps {
  readonly label: string
  readonly schema: JsonSchema
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Text is applied when it is complete: on Enter, and when the person leaves the field. */
function Filter({ label, schema, value, onChange }: FilterProps) {
  const id = useId()
  const isTime = schema.format === 'date-time'
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {schema.enum ? (
        <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">All</option>
          {schema.enum.map((each) => (
            <option key={String(each)} value={String(each)}>
              {wordOf(String(each))}
            </option>
          ))}
        </select>
      ) : (
        <input
          key={value}
          id={id}
          className="input"
          type={isTime ? 'date' : 'search'}
          defaultValue={isTime ? value.slice(0, 10) : value}
          maxLength={isTime ? undefined : schema.maxLength}
          onBlur={({ target }) => onChange(isTime && target.value ? `${target.value}T00:00:00Z` : target.value.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
          }}
        />
      )}
    </div>
  )
}

const Nothing = ({ onClear }: { readonly onClear: () => void }) => (
  <div className="empty">
    <p className="soft">Nothing matches these filters.</p>
    <Button onClick={onClear}>Clear the filters</Button>
  </div>
)

interface FootProps {
  readonly count: number
  readonly total: number | undefined
  readonly more: (() => void) | undefined
  readonly isLoadingMore: boolean
}

function Foot({ count, total, more, isLoadingMore }: FootProps) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!more || isLoadingMore || !end.current) return undefined
    const watch = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) more()
    })
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [more, isLoadingMore])
  return (
    <div ref={end} className="table-foot">
      <span>{total === undefined || total === count ? `${count} shown` : `${count} of ${total} shown`}</span>
      {more && (
        <Button onClick={more} disabled={isLoadingMore}>
          Show more
        </Button>
      )}
    </div>
  )
}
