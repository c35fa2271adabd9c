/** Whether the person sees the page: a hidden tab reads nothing that is followed. */
import { useSyncExternalStore } from 'react'

export function subscribeToSeen(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

export const isSeen = (): boolean => !document.hidden

export const useSeen = (): boolean => useSyncExternalStore(subscribeToSeen, isSeen)
