/** The days of a period, as `2026-11-22`, and the numbers of each. Pure. */
import { reject } from '#kernel/lib/rejection'

export const DAYS_MAX = 400
const DEFAULT_DAYS = 30
const DAY_MS = 86_400_000

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length)
const later = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS)

interface Asked {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** @returns all days, at least one @throws Rejection 400 */
export function usageDays({ from, to: asked }: Asked, now: Date): string[] {
  const today = dayOf(now.getTime())
  const to = asked ?? today
  const first = from ?? later(to, 1 - DEFAULT_DAYS)
  if (to > today) reject('invalid', `to: must not be after today, ${today} (UTC)`)
  if (first > to) reject('invalid', 'from: must not be after to')
  const number = Math.round((Date.parse(to) - Date.parse(first)) / DAY_MS) + 1
  if (number > DAYS_MAX) reject('invalid', `from: the period has more than ${DAYS_MAX} days; shorten it`)
  return Array.from({ length: number }, (_none, nth) => later(first, nth))
}

interface Change {
  readonly day: string
  readonly what: string
  readonly subjectId: string
}

/**
 * How many there were at the end of each day.
 * @param changes in their order, from the beginning on
 */
export function countsByDay(
  days: readonly string[],
  changes: readonly Change[],
  added: string,
  gone: string,
): number[] {
  const present = new Set<string>()
  const own = changes.filter(({ what }) => what === added || what === gone)
  let nth = 0
  return days.map((day) => {
    for (; nth < own.length && own[nth]!.day <= day; nth += 1) {
      const { what, subjectId } = own[nth]!
      if (what === added) present.add(subjectId)
      else present.delete(subjectId)
    }
    return present.size
  })
}
