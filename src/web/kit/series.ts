/** Figures over time as words: what a plot says in a sentence, and at one point. Days as `2026-11-22`, in UTC. */

export interface Line {
  readonly label: string
  /** One for each point. */
  readonly values: readonly number[]
}

export interface Series {
  /** Days, in order. */
  readonly points: readonly string[]
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
}

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }

export const dayText = (day: string): string => new Date(day).toLocaleDateString(undefined, DAY)

export const isEmpty = ({ lines }: Series): boolean => lines.every(({ values }) => values.every((value) => value === 0))

/** First and last value, least and most. */
export function sentenceOf({ label, values }: Line, { points, format }: Series): string {
  const [first = 0] = values
  const last = values.at(-1) ?? 0
  const [least, most] = [Math.min(...values), Math.max(...values)]
  if (least === most) return `${label}: ${format(last)} throughout.`
  const dayOf = (value: number): string => dayText(points[values.lastIndexOf(value)]!)
  const range = `least ${format(least)} on ${dayOf(least)}, most ${format(most)} on ${dayOf(most)}`
  return `${label}: from ${format(first)} to ${format(last)}; ${range}.`
}

/** All lines at one point. */
export function pointText({ points, lines, format }: Series, nth: number): string {
  const values = lines.map(({ label, values }) => `${label} ${format(values[nth] ?? 0)}`)
  return `${dayText(points[nth]!)}: ${values.join(', ')}`
}
