/** Times for people: relative within a week, otherwise the day; with the exact time on hover and focus. */
import { useSyncExternalStore } from 'react'
import { Button } from './controls.tsx'
import { chooseUtc, isUtc, subscribeToZone } from './zone.ts'

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const RECENT_SECONDS = 45
const WEEK_SECONDS = 7 * 86_400
const TICK_MS = 30_000
const SOON_MS = 1_000

/** Beyond a week, “in 12 months” would not tell a customer on which day a license ends. */
function nearTime(at: string, nowMs: number): string {
  const seconds = (Date.parse(at) - nowMs) / 1_000
  if (Math.abs(seconds) < RECENT_SECONDS) return 'now'
  if (Math.abs(seconds) > WEEK_SECONDS)
    return new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium', ...inZone() })
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS.at(-1)!
  return new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(Math.round(seconds / size), unit)
}

const inZone = (): { readonly timeZone?: string } => (isUtc() ? { timeZone: 'UTC' } : {})
const zoneMark = (): string => (isUtc() ? ' UTC' : '')

export const exactTime = (at: string): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium', ...inZone() }) + zoneMark()

export const dayOf = (at: string): string =>
  new Date(at).toLocaleDateString(undefined, { dateStyle: 'full', ...inZone() })

const clockTime = (at: string): string =>
  new Date(at).toLocaleTimeString(undefined, { timeStyle: 'short', ...inZone() }) + zoneMark()

/** With its seconds. */
const secondOf = (at: string): string =>
  new Date(at).toLocaleTimeString(undefined, { timeStyle: 'medium', ...inZone() }) + zoneMark()

/** Draws what shows times again when the person changes the zone. */
export const useUtc = (): boolean => useSyncExternalStore(subscribeToZone, isUtc)

export function ZoneSwitch() {
  const isOn = useUtc()
  return (
    <Button tone="quiet" aria-pressed={isOn} onClick={() => chooseUtc(!isOn)}>
      Times in UTC
    </Button>
  )
}

/** One timer for all times on the page. */
let nowMs = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  nowMs = Date.now()
  for (const each of listeners) each()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // A page that is opened later begins with the time of its opening.
  if (Date.now() - nowMs > SOON_MS) tick()
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** @param at an ISO time; null or absent shows a dash */
export function Time({ at, absent = '–' }: { readonly at: string | null | undefined; readonly absent?: string }) {
  const now = useSyncExternalStore(subscribe, () => nowMs)
  useUtc()
  if (!at) return <span className="soft">{absent}</span>
  return (
    <time dateTime={at} title={`${exactTime(at)} · ${at}`}>
      {nearTime(at, now)}
    </time>
  )
}

/** The time of day, for lists under the heading of a day; with a focus in its entry, the exact time. */
export function ClockTime({ at }: { readonly at: string }) {
  useUtc()
  return (
    <time dateTime={at} title={`${exactTime(at)} · ${at}`} className="clock">
      <span>{clockTime(at)}</span>
      <span className="clock-exact">{exactTime(at)}</span>
    </time>
  )
}

/** When a line of a log was said. */
export function LineTime({ at }: { readonly at: string }) {
  useUtc()
  return (
    <time dateTime={at} title={exactTime(at)}>
      {secondOf(at)}
    </time>
  )
}
