/** When a request that came too early, or at a bad time, may be sent again. */
import { useEffect, useState } from 'react'
import { wordsFor } from './waits.ts'

const SECOND_MS = 1_000

/** @param ms from when it is first shown */
export function Countdown({ ms }: { readonly ms: number }) {
  const [endsAt] = useState(() => Date.now() + ms)
  const [left, setLeft] = useState(() => Math.ceil(ms / SECOND_MS))
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) return undefined
    const timer = setInterval(() => setLeft(Math.ceil((endsAt - Date.now()) / SECOND_MS)), SECOND_MS)
    return () => clearInterval(timer)
  }, [isOver, endsAt])
  if (isOver) return <p>You can try again now.</p>
  // Each second read aloud would hide everything else.
  return <p role="timer">You can try again in {wordsFor(left)}.</p>
}
