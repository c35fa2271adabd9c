/** The rows of a list that a person has selected, and the bar that says how many and what can be done with them. */
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from './controls.tsx'

export interface Selection {
  readonly isOn: boolean
  /** Of the selected rows, in the order of the list. */
  readonly keys: readonly string[]
  readonly count: number
  readonly has: (nth: number) => boolean
  /** @param isRange whether all rows since the one before are set likewise */
  readonly set: (nth: number, isChosen: boolean, isRange: boolean) => void
  readonly setAll: (isChosen: boolean) => void
}

/** A row that a filter takes out of the list is not selected any more. */
export function useSelection<Item>(items: readonly Item[], keyOf: (item: Item) => string, isOn: boolean): Selection {
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set())
  const last = useRef(0)
  const all = isOn ? items.map(keyOf) : []
  const change = (keys: readonly string[], isChosen: boolean): void =>
    setHeld((before) => new Set(isChosen ? [...before, ...keys] : [...before].filter((key) => !keys.includes(key))))
  return {
    isOn,
    keys: all.filter((key) => held.has(key)),
    count: all.length,
    has: (nth) => held.has(all[nth]!),
    set(nth, isChosen, isRange) {
      const from = isRange ? last.current : nth
      last.current = nth
      change(all.slice(Math.min(from, nth), Math.max(from, nth) + 1), isChosen)
    },
    setAll: (isChosen) => change(all, isChosen),
  }
}

interface ChooseProps {
  readonly of: Selection
  readonly nth: number
  /** The cell that names the row. */
  readonly labelledBy: string
}

/** With Shift, by mouse or space bar, all rows up to the one before are set too. */
export const Choose = ({ of, nth, labelledBy }: ChooseProps) => (
  <label>
    <input
      type="checkbox"
      aria-labelledby={labelledBy}
      checked={of.has(nth)}
      onChange={({ target, nativeEvent }) =>
        of.set(nth, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  </label>
)

export function ChooseAll({ of: { keys, count, setAll } }: { readonly of: Selection }) {
  const input = useRef<HTMLInputElement>(null)
  const isAll = keys.length === count
  useEffect(() => {
    input.current!.indeterminate = keys.length > 0 && !isAll
  }, [keys.length, isAll])
  return (
    <label>
      <input
        ref={input}
        type="checkbox"
        aria-label="All of this page"
        checked={isAll}
        onChange={({ target }) => setAll(target.checked)}
      />
    </label>
  )
}

interface SelectionBarProps {
  readonly of: Selection
  readonly children: ReactNode
}

export const SelectionBar = ({ of: { keys, count, setAll }, children }: SelectionBarProps) => (
  <section className="selection-bar" aria-label="Selected">
    <output>
      {keys.length} of {count} selected
    </output>
    <div className="row">
      {children}
      {keys.length < count && (
        <Button tone="quiet" onClick={() => setAll(true)}>
          Select all {count}
        </Button>
      )}
      <Button tone="quiet" onClick={() => setAll(false)}>
        Clear
      </Button>
    </div>
  </section>
)
