/** Long lists: only the rows near the screen are in the document, and the next page is read before it is needed. */
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import type { Range, Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

const OVERSCAN = 8

interface LongList {
  readonly count: number
  /** In pixels, of a usual row. The real height is measured. */
  readonly rowHeight: number
  readonly keyOf: (nth: number) => string | number
  /** False: all rows are in the document. */
  readonly isVirtual?: boolean
}

/**
 * @param place the element that holds the rows, which carry `data-index`
 * @returns the rows to show; `offset` is the distance of the place from the top of the page, in pixels
 */
export function useLongList<Row extends Element>(
  place: RefObject<HTMLElement | null>,
  { count, rowHeight, keyOf, isVirtual = true }: LongList,
): { readonly rows: Virtualizer<Window, Row>; readonly offset: number } {
  const [offset, setOffset] = useState(0)
  // What stands above may arrive later, or grow.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (place.current) setOffset(Math.round(place.current.getBoundingClientRect().top + scrollY))
    })
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [place])
  const rows = useWindowVirtualizer<Row>({
    count,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    scrollMargin: offset,
    overscan: OVERSCAN,
    enabled: isVirtual,
    rangeExtractor: (range) => withFocused(range, place.current),
  })
  return { rows, offset }
}

/** The row with the focus stays, so that the keyboard does not lose its place. */
function withFocused(range: Range, place: HTMLElement | null): number[] {
  const shown = defaultRangeExtractor(range)
  const { activeElement } = document
  if (!place || !activeElement || !place.contains(activeElement)) return shown
  const nth = Number(activeElement.closest('[data-index]')?.getAttribute('data-index') ?? -1)
  if (nth < 0 || nth >= range.count || shown.includes(nth)) return shown
  return [...shown, nth].toSorted((one, other) => one - other)
}

/** How far below the screen the end of a list may be for its next page to be read. */
const AHEAD = '1200px'

/**
 * Calls `more` while the element is near the screen. Where something stands below the list, it would never be reached:
 * there the button is the only way.
 * @param more undefined: all rows are here, or the next page is on its way
 */
export function useMoreNear(more: (() => void) | undefined): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!more || !end.current || end.current.closest('.page > *')?.nextElementSibling) return undefined
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) more()
      },
      { rootMargin: `0px 0px ${AHEAD} 0px` },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [more])
  return end
}

/** Keeps the columns of a table as wide as they are now, although other rows come and go. */
export function useSteadyColumns(place: RefObject<HTMLTableElement | null>, isOn: boolean): void {
  useLayoutEffect(() => {
    const table = place.current
    if (!isOn || !table) return undefined
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])]
    let width = 0
    const observer = new ResizeObserver(() => {
      if (table.offsetWidth === width) return
      width = table.offsetWidth
      for (const head of heads) head.style.inlineSize = ''
      const widths = heads.map((head) => head.offsetWidth)
      const all = widths.reduce((sum, each) => sum + each, 0)
      // A cell that needs more gets it, as in every table.
      for (const [nth, head] of heads.entries()) head.style.inlineSize = `${((widths[nth]! / all) * 100).toFixed(2)}%`
    })
    observer.observe(table)
    return () => observer.disconnect()
  }, [place, isOn])
}
