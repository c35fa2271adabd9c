/** A drill: a fault under load, and a comparison of what was acknowledged before with what is found after. */

export interface Tally {
  /** Answers that confirmed a write. */
  readonly acknowledged: number
  readonly found: number
  readonly lost: number
  readonly doubled: number
  /** Promises that did not hold, besides the four numbers, in words. */
  readonly broken: readonly string[]
  /** Other measurements, such as the time of the recovery. */
  readonly note: string
}

export interface Conditions {
  /** An empty directory of the drill, which the account of Postgres may enter. It is removed afterwards. */
  readonly directory: string
  /** Shorter load, fewer faults. */
  readonly isQuick: boolean
  /** The system is broken on purpose, so the drill must fail. */
  readonly isBroken: boolean
  /** Which of its breaks, from 0 on. */
  readonly breakNumber: number
}

export interface Drill {
  readonly name: string
  readonly does: string
  /** What `--break` does to the system; each of several in a run of its own. */
  readonly breaks: string | readonly string[]
  /** The reason why it cannot run here; undefined if it can. */
  readonly missing?: () => string | undefined
  /** Whether its directory may be in memory: nothing of what it promises depends on a disk. */
  readonly isInMemory?: boolean
  readonly run: (conditions: Conditions) => Promise<Tally>
}

export const breaksOf = ({ breaks }: Drill): readonly string[] => [breaks].flat()

export const failed = ({ lost, doubled, broken, acknowledged }: Tally): boolean =>
  lost > 0 || doubled > 0 || broken.length > 0 || acknowledged === 0

export function told({ acknowledged, found, lost, doubled, broken, note }: Tally): string {
  const counts = `acknowledged ${acknowledged}, found ${found}, lost ${lost}, doubled ${doubled}`
  return [`${counts} (${note})`, ...broken].join('\n      ')
}
