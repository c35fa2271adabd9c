/** Weeks from Monday to Sunday, in the time zone of the person. */

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }

/** The first and the last day of the week of a time. */
export function weekOf(time: string): string {
  const at = new Date(time)
  const monday = at.getDate() - ((at.getDay() + 6) % 7)
  const days = [0, 6].map((more) => new Date(at.getFullYear(), at.getMonth(), monday + more))
  return days.map((day) => day.toLocaleDateString(undefined, DAY)).join(' – ')
}
