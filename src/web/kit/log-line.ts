/** A line of a log, as the pages show it. */
export interface LogLine {
  readonly key: string | number
  readonly at: string | undefined
  /** GAP: lines are missing here, and its text says why. */
  readonly of: 'OUT' | 'ERR' | 'STEP' | 'GAP'
  /** Which of several has said it. */
  readonly by?: string | undefined
  readonly text: string
}
