/** Days, of this time zone or of UTC, as the times that filters take. */
import { isUtc } from './zone.ts'

/** Filters that end a range: the chosen day belongs to it. */
const IS_END = /^to$|Before$/

const beginOf = (year: number, month: number, date: number): Date =>
  isUtc() ? new Date(Date.UTC(year, month, date)) : new Date(year, month, date)

/**
 * @param day such as `2026-03-29`
 * @returns the beginning of the day; for the end of a range, that of the next one
 */
export function timeOfDay(name: string, day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return beginOf(year, month - 1, date + (IS_END.test(name) ? 1 : 0)).toISOString()
}

/** The day that was chosen for a time that `timeOfDay` made. */
export function dayOfTime(name: string, time: string): string {
  const at = new Date(time)
  const chosen = IS_END.test(name) ? new Date(at.getTime() - 1) : at
  if (isUtc()) return chosen.toISOString().slice(0, 'yyyy-mm-dd'.length)
  const parts = [chosen.getFullYear(), chosen.getMonth() + 1, chosen.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
