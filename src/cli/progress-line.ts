/** Shows the progress of a slow command on the terminal. */

export interface Progress {
  /** Starts the next step. */
  step(what: string): void
  /** The progress within the step: shown only on a terminal, where it overwrites the line. */
  detail(text: string): void
  /** Call it before other output. */
  end(): void
}

/**
 * On a terminal, one line that is overwritten and removed at the end; otherwise, as in a log, one line
 * per step.
 */
export function progressOn(out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): Progress {
  let isShown = false
  const inPlace = (text: string): void => {
    out.write(`\r${text}\u001B[K`)
    isShown = true
  }
  return {
    step: (what) => (out.isTTY ? inPlace(`${what} …`) : void out.write(`${what} …\n`)),
    detail: (text) => (out.isTTY ? inPlace(text) : undefined),
    end() {
      if (isShown) out.write('\r\u001B[K')
      isShown = false
    },
  }
}

/**
 * For example `5000 of 20000 events (25 %), 1000/s, 15 s left`.
 * @param seconds the time since the start at position 0
 */
export function progressLine(position: number, head: number, seconds: number): string {
  const percent = Math.floor((Math.min(position, head) / Math.max(head, 1)) * 100)
  const done = `${position} of ${head} events (${percent} %)`
  const perSecond = position / seconds
  if (!Number.isFinite(perSecond) || perSecond < 1) return done
  const left = Math.ceil(Math.max(0, head - position) / perSecond)
  return `${done}, ${Math.round(perSecond)}/s, ${left} s left`
}
