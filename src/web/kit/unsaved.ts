/** What a person has typed and not sent: the person is asked before it is lost. */
import { createContext, use, useCallback, useEffect, useState } from 'react'

type Marks = Set<symbol>

const all: Marks = new Set()

/** The forms of a dialog, which asks before it closes. */
export const UnsavedContext = createContext<Marks | undefined>(undefined)

export const isAnythingUnsaved = (): boolean => all.size > 0

/** @returns a function that forgets it at once: when it was sent, a page may be opened in the same moment */
export function useUnsaved(isUnsaved: boolean): () => void {
  const around = use(UnsavedContext)
  const [mark] = useState(() => Symbol('unsaved'))
  const forget = useCallback(() => {
    all.delete(mark)
    around?.delete(mark)
  }, [mark, around])
  useEffect(() => {
    if (!isUnsaved) return undefined
    all.add(mark)
    around?.add(mark)
    return forget
  }, [isUnsaved, mark, around, forget])
  return forget
}

type Answer = (isDiscarded: boolean) => void

let waiting: Answer | undefined
const listeners = new Set<() => void>()

export const subscribeToQuestion = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What waits for the person's answer. */
export const openQuestion = (): Answer | undefined => waiting

function become(next: Answer | undefined): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** Asks the person. After a yes nothing counts as unsaved. */
export const askToDiscard = (): Promise<boolean> =>
  new Promise((answered) => {
    waiting?.(false)
    become((isDiscarded) => {
      become(undefined)
      if (isDiscarded) all.clear()
      answered(isDiscarded)
    })
  })
