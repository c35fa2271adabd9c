/** When a schedule is due next: cron on the clock of a time zone, or one moment. Without a clock of its own. */
import { Cron } from 'croner'

/**
 * CRON: five fields, on the wall clock of the time zone. A time that the clock skips is due when the clock goes on, and
 * one that it repeats is due once; what is due every hour or minute goes on through the repeated hour.
 */
export interface Timing {
  readonly cron: string | null
  /** Of the IANA database. Null: there is no cron. */
  readonly timezone: string | null
  /** Once, in RFC 3339. Null: there is a cron. */
  readonly runAt: string | null
}

/** Five fields of numbers, names, and signs. Longer forms of cron, nicknames and dates are left out. */
const CRON = /^[\dA-Za-z*,/-]+(?: [\dA-Za-z*,/-]+){4}$/
/** Names without a place are left out, but UTC: they are former ones. */
export const ZONE = /^(?:UTC|[A-Za-z][\w+-]*(?:\/[\w+-]+)+)$/

const jobOf = (cron: string, timezone: string): Cron => new Cron(cron, { timezone, mode: '5-part', paused: true })

export function isCron(text: string): boolean {
  if (!CRON.test(text)) return false
  try {
    jobOf(text, 'UTC')
    return true
  } catch {
    return false
  }
}

/** @returns the name as the database spells it; undefined for an unknown one */
export function timeZoneOf(text: string): string | undefined {
  if (!ZONE.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** @returns the first time after `after`, in RFC 3339; null if there is none */
export function nextTime({ cron, timezone, runAt }: Timing, after: Date): string | null {
  if (cron !== null)
    return (
      jobOf(cron, timezone ?? 'UTC')
        .nextRun(after)
        ?.toISOString() ?? null
    )
  return runAt !== null && Date.parse(runAt) > after.getTime() ? runAt : null
}
