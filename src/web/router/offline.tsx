/** Says that this machine has no connection: what is shown may be old, and changes wait for the person. */
import { useSyncExternalStore } from 'react'
import { Notice } from '../kit/controls.tsx'

const EVENTS = ['online', 'offline']

function subscribe(listener: () => void): () => void {
  for (const event of EVENTS) addEventListener(event, listener)
  return () => {
    for (const event of EVENTS) removeEventListener(event, listener)
  }
}

export function Offline() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (isOnline) return null
  return (
    <Notice tone="warn" isUrgent>
      <p>You are offline. What is shown may be old. A change can be made when you are online again.</p>
    </Notice>
  )
}
