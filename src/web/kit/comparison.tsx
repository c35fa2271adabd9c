/** Records beside each other: a column for each, a row for each term, and a mark where a term differs. */
import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'

export interface ComparedRow {
  readonly label: ReactNode
  readonly key: string
  /** One for each record, in the order of the heads. */
  readonly cells: readonly ReactNode[]
  /** Whether the cell differs from what it is compared with. */
  readonly isOther?: readonly boolean[]
}

interface ComparisonProps {
  readonly caption: string
  readonly heads: readonly { readonly key: string; readonly head: ReactNode }[]
  readonly rows: readonly ComparedRow[]
}

export function Comparison({ caption, heads, rows }: ComparisonProps) {
  const id = useId()
  const region = useRef<HTMLElement>(null)
  // Where it scrolls sideways, the keyboard can enter it.
  useLayoutEffect(() => {
    const place = region.current!
    const observer = new ResizeObserver(() => {
      if (place.scrollWidth > place.clientWidth) place.tabIndex = 0
      else place.removeAttribute('tabindex')
    })
    observer.observe(place)
    return () => observer.disconnect()
  }, [])
  return (
    <section ref={region} className="comparison" aria-labelledby={id}>
      <table>
        <caption id={id} className="only-read">
          {caption}
        </caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="only-read">Term</span>
            </th>
            {heads.map(({ key, head }) => (
              <th key={key} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, cells, isOther }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              {cells.map((cell, nth) => (
                <td key={heads[nth]!.key} data-is-other={isOther?.[nth] || undefined}>
                  {cell}
                  {isOther?.[nth] && <span className="only-read"> (changed)</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
