/** The filters of a list, as the operation declares them; their values are in the address, so a view is a link. */
import { useId } from 'react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import type { JsonSchema, Operation } from '#api-client/operation'
import type { ListAnswer } from '../session/context.tsx'
import { Button } from './controls.tsx'
import { dayOfTime, timeOfDay } from './days.ts'
import { useMoreNear } from './long-list.ts'
import { Failed } from './page.tsx'
import { labelOf, wordOf } from './words.ts'

export interface Filters {
  /** The parameters that are set, for the query. */
  readonly given: Readonly<Record<string, string>>
  readonly isFiltered: boolean
  readonly set: (name: string, value: string) => void
  readonly clear: () => void
  /** The inputs; null for a list without filters. */
  readonly inputs: ReactNode
}

/**
 * @param names of the parameters, in the order of their inputs
 * @param choices values that the service lists elsewhere than in the operation
 */
export function useFilters(
  operation: Operation,
  names: readonly string[],
  labels: Readonly<Record<string, string>> = {},
  choices: Readonly<Record<string, readonly string[] | undefined>> = {},
): Filters {
  const [search, setSearch] = useSearchParams()
  const given = Object.fromEntries(
    [...names, 'sort'].flatMap((name) => (names.length > 0 && search.get(name) ? [[name, search.get(name)!]] : [])),
  )
  // What else is in the address is not of this list.
  const change = (values: Readonly<Record<string, string>>): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true },
    )
  const set = (name: string, value: string): void => change({ [name]: value })
  const properties = operation.query?.properties ?? {}
  return {
    given,
    set,
    isFiltered: names.some((name) => name in given),
    clear: () => change(Object.fromEntries(names.map((name) => [name, '']))),
    inputs:
      names.length === 0 ? null : (
        <search className="filters">
          {names.map((name) => (
            <Filter
              key={name}
              name={name}
              label={labels[name] ?? (name === 'q' ? 'Search' : labelOf(name))}
              schema={choices[name] ? { enum: choices[name] } : (properties[name] ?? {})}
              value={given[name] ?? ''}
              onChange={(value) => set(name, value)}
            />
          ))}
        </search>
      ),
  }
}

interface FilterProps {
  readonly name: string
  readonly label: string
  readonly schema: JsonSchema
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Text is applied when it is complete: on Enter, and when the person leaves the field. */
function Filter({ name, label, schema, value, onChange }: FilterProps) {
  const id = useId()
  const isTime = schema.format === 'date-time'
  if (schema.enum)
    return (
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">All</option>
          {schema.enum.map((each) => (
            <option key={String(each)} value={String(each)}>
              {wordOf(String(each))}
            </option>
          ))}
        </select>
      </div>
    )
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        key={value}
        id={id}
        className="input"
        type={isTime ? 'date' : 'search'}
        defaultValue={isTime && value !== '' ? dayOfTime(name, value) : value}
        maxLength={isTime ? undefined : schema.maxLength}
        onBlur={({ target }) => onChange(isTime && target.value ? timeOfDay(name, target.value) : target.value.trim())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
      />
    </div>
  )
}

export const NothingMatches = ({ onClear }: { readonly onClear: () => void }) => (
  <div className="empty">
    <p className="soft">Nothing matches these filters.</p>
    <Button onClick={onClear}>Clear the filters</Button>
  </div>
)

/** How much of a list is shown, the button for more, and what failed. */
export const ListFoot = ({ list }: { readonly list: ListAnswer<unknown> }) => {
  const { items, total, more, isLoadingMore, error, again } = list
  const end = useMoreNear(error || isLoadingMore ? undefined : more)
  return (
    <>
      {error && <Failed of={error} again={again} />}
      {items.length > 0 && (
        <div className="table-foot" ref={end}>
          <span>
            {total === undefined || total === items.length
              ? `${items.length} shown`
              : `${items.length} of ${total} shown`}
          </span>
          {more && !error && (
            <Button onClick={more} isBusy={isLoadingMore}>
              Show more
            </Button>
          )}
        </div>
      )}
    </>
  )
}
