/** What an audit entry changed: each field before and after, from the earlier entries of the same record. */

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

/**
 * @param entry of the given record
 * @param earlier entries of the same record, in any order; those after the entry are ignored
 * @returns the fields of the entry; `before` is undefined where no earlier entry has the field
 */
export function changesOf(entry: DiffEntry, earlier: readonly DiffEntry[]): readonly Change[] {
  const before = Object.assign(
    {},
    ...earlier
      .filter(({ position }) => position < entry.position)
      .toSorted((one, other) => one.position - other.position)
      .map(({ meta }) => flattened(meta)),
  ) as Meta
  return Object.entries(flattened(entry.meta))
    .filter(([field, after]) => !isSame(before[field], after))
    .map(([field, after]) => ({ field, before: before[field], after }))
}
