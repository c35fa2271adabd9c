/** Figures over time: the points of a period, and the values of a line at each. Days as `2026-11-22`, in UTC. */
import { reject } from '#kernel/lib/rejection'

export const SERIES_STEPS = ['day', 'week', 'month'] as const
type Step = (typeof SERIES_STEPS)[number]

export const POINTS_MAX = 400
const DEFAULT_DAYS = 90
const DAY_MS = 86_400_000

export interface Period {
  /** The first day of each point. The first point is whole, so it may begin before the day that was asked for. */
  readonly points: string[]
  /** The last day. */
  readonly to: string
}

interface Asked {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly step: Step
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length)

/** @throws Rejection 400 */
export function periodOf({ from, to: asked, step }: Asked, now: Date): Period {
  const today = dayOf(now.getTime())
  const to = asked ?? today
  const first = from ?? dayOf(Date.parse(to) - DEFAULT_DAYS * DAY_MS)
  if (to > today) reject('invalid', `to: must not be after today, ${today} (UTC)`)
  if (first > to) reject('invalid', 'from: must not be after to')
  const points: string[] = []
  for (let at = beginOf(first, step); at <= to; at = nextOf(at, step)) {
    if (points.length === POINTS_MAX)
      reject('invalid', `from: the period has more than ${POINTS_MAX} points; shorten it or take a longer step`)
    points.push(at)
  }
  return { points, to }
}

/** Weeks begin on Monday (ISO 8601). */
function beginOf(day: string, step: Step): string {
  if (step === 'month') return `${day.slice(0, 'yyyy-mm'.length)}-01`
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
  return step === 'week' ? dayOf(Date.parse(day) - sinceMonday * DAY_MS) : day
}

function nextOf(begin: string, step: Step): string {
  if (step !== 'month') return dayOf(Date.parse(begin) + (step === 'week' ? 7 : 1) * DAY_MS)
  const at = new Date(begin)
  return dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
}

export interface DayChange {
  /** Before the first point: '' or any earlier day. */
  readonly day: string
  readonly name: string
  readonly change: number
}

/**
 * The values of each line by its name. A state is that at the end of the point; what is `new` is the sum of the point.
 * @param changes in any order
 */
export function valuesOf(
  { points }: Period,
  changes: readonly DayChange[],
  isNew: boolean,
): ReadonlyMap<string, number[]> {
  const lines = Map.groupBy(changes, ({ name }) => name)
  return new Map([...lines].map(([name, all]) => [name, lineOf(points, all, isNew)]))
}

function lineOf(points: readonly string[], changes: readonly DayChange[], isNew: boolean): number[] {
  const perPoint = points.map(() => 0)
  let before = 0
  for (const { day, change } of changes) {
    const nth = points.findLastIndex((begin) => begin <= day)
    if (nth === -1) before += change
    else perPoint[nth]! += change
  }
  if (isNew) return perPoint
  let sum = before
  return perPoint.map((change) => (sum += change))
}
