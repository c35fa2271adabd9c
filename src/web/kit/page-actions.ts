/** The actions that the heads of the page and of its parts offer, for the palette. */
import { createContext, use, useId, useLayoutEffect } from 'react'

export interface PageAction {
  readonly label: string
  /** The title of the page or part that offers it. */
  readonly of: string
  readonly press: () => void
}

const offered = new Map<string, PageAction>()

/** In the order in which they came to the page. */
export const pageActions = (): readonly PageAction[] => [...offered.values()]

/** The title of the head that actions stand in. */
export const HeadTitle = createContext<string | undefined>(undefined)

/** @param press must stay the same from one drawing to the next */
export function usePageAction(label: string, press: () => void, isOffered: boolean): void {
  const of = use(HeadTitle)
  const id = useId()
  useLayoutEffect(() => {
    if (of === undefined || !isOffered) return undefined
    offered.set(id, { label, of, press })
    return () => void offered.delete(id)
  }, [id, of, label, press, isOffered])
}
