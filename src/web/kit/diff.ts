/** What an audit entry changed: each field before and after, from the earlier entries of the same record. */
import { money } from './money.ts'
import { wordOf } from './words.ts'

export type Meta = Readonly<Record<string, unknown>>

/** What the document says of events. */
export interface EventFacts {
  /** The fields that are amounts in minor units, beside a currency. */
  readonly amounts: readonly string[]
  /** The state of a record after an event of this kind. */
  readonly states: Readonly<Record<string, string>>
}

const NONE: EventFacts = { amounts: [], states: {} }

export interface DiffEntry {
  readonly position: number
  readonly action: string
  readonly meta: Meta
}

export interface Change {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** An update lists its fields under `changes`. */
function flattened({ action, meta }: DiffEntry, { states }: EventFacts): Meta {
  const { changes, ...rest } = meta
  const isUpdate = typeof changes === 'object' && changes !== null && !Array.isArray(changes)
  return {
    ...(states[action] !== undefined && { status: states[action] }),
    ...(isUpdate ? { ...rest, ...(changes as Meta) } : meta),
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** An amount beside a currency and a state as people read them; any other value as it is. */
function shownIn(values: Meta, field: string, amounts: readonly string[]): unknown {
  const { [field]: value, currency } = values
  if (field === 'status' && typeof value === 'string') return wordOf(value)
  return amounts.includes(field) && typeof value === 'number' && typeof currency === 'string'
    ? money(value, currency)
    : value
}

/**
 * @param entry of the given record
 * @param earlier entries of the same record, in any order; those after the entry are ignored
 * @returns the fields of the entry; `before` is undefined where no earlier entry has the field
 */
export function changesOf(
  entry: DiffEntry,
  earlier: readonly DiffEntry[],
  facts: EventFacts = NONE,
): readonly Change[] {
  const before = Object.assign(
    {},
    ...earlier
      .filter(({ position }) => position < entry.position)
      .toSorted((one, other) => one.position - other.position)
      .map((each) => flattened(each, facts)),
  ) as Meta
  const changed = flattened(entry, facts)
  const after = { ...before, ...changed }
  return Object.keys(changed)
    .filter((field) => !isSame(before[field], after[field]))
    .map((field) => ({
      field,
      before: shownIn(before, field, facts.amounts),
      after: shownIn(after, field, facts.amounts),
    }))
}
