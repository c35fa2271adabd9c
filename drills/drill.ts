/** What every drill is: a fault under load, and a count of what was acknowledged before and is found after. */

export interface Tally {
  /** Answers that said "it is written". */
  readonly acknowledged: number
  readonly found: number
  readonly lost: number
  readonly doubled: number
  /** Promises beside the four numbers that did not hold, in words. */
  readonly broken: readonly string[]
  /** What else was measured, such as how long the recovery took. */
  readonly note: string
}

export interface Conditions {
  /** An empty directory of the drill's own, which the account that Postgres runs as may enter; gone afterwards. */
  readonly directory: string
  /** Shorter load, fewer faults. */
  readonly isQuick: boolean
  /** The system is broken on purpose: the drill must fail. */
  readonly isBroken: boolean
}

export interface Drill {
  readonly name: string
  readonly does: string
  /** What `--break` does to the system. */
  readonly breaks: string
  /** Why it cannot run here; undefined when it can. */
  readonly missing?: () => string | undefined
  readonly run: (conditions: Conditions) => Promise<Tally>
}

export const failed = ({ lost, doubled, broken, acknowledged }: Tally): boolean =>
  lost > 0 || doubled > 0 || broken.length > 0 || acknowledged === 0

export function told({ acknowledged, found, lost, doubled, broken, note }: Tally): string {
  const counts = `acknowledged ${acknowledged}, found ${found}, lost ${lost}, doubled ${doubled}`
  return [`${counts} (${note})`, ...broken].join('\n      ')
}
