/** What an audit entry changed: each field before and after, from the earlier entries of the same record. */
import { money } from './money.ts'

export type Meta = Readonly<Record<string, unknown>>

export interface DiffEntry {
  readonly position: number
  readonly meta: Meta
}

export interface Change {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** An update lists its fields under `changes`. */
function flattened(meta: Meta): Meta {
  const { changes, ...rest } = meta
  return typeof changes === 'object' && changes !== null && !Array.isArray(changes)
    ? { ...rest, ...(changes as Meta) }
    : meta
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** An amount beside a currency, as people read it; any other value as it is. */
function shownIn(values: Meta, field: string, amounts: readonly string[]): unknown {
  const { [field]: value, currency } = values
  return amounts.includes(field) && typeof value === 'number' && typeof currency === 'string'
    ? money(value, currency)
    : value
}

/**
 * @param entry of the given record
 * @param earlier entries of the same record, in any order; those after the entry are ignored
 * @param amounts the fields that are amounts in minor units
 * @returns the fields of the entry; `before` is undefined where no earlier entry has the field
 */
export function changesOf(
  entry: DiffEntry,
  earlier: readonly DiffEntry[],
  amounts: readonly string[] = [],
): readonly Change[] {
  const before = Object.assign(
    {},
    ...earlier
      .filter(({ position }) => position < entry.position)
      .toSorted((one, other) => one.position - other.position)
      .map(({ meta }) => flattened(meta)),
  ) as Meta
  const changed = flattened(entry.meta)
  const after = { ...before, ...changed }
  return Object.keys(changed)
    .filter((field) => !isSame(before[field], after[field]))
    .map((field) => ({ field, before: shownIn(before, field, amounts), after: shownIn(after, field, amounts) }))
}
