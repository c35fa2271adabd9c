/** What a command that takes a while is at, on the terminal of whoever waits for it. */

export interface Progress {
  /** What is done from now on. */
  step(what: string): void
  /** How far it is: shown on a terminal only, where it costs no line. */
  detail(text: string): void
  /** Before anything else is written. */
  end(): void
}

/** One line that is written over on a terminal, and is gone at the end; elsewhere, as in a log, one line a step. */
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

/** `5000 of 20000 events (25 %), 1000/s, 15 s left`: in `seconds` it has come as far as `position` of `head`. */
export function progressLine(position: number, head: number, seconds: number): string {
  const percent = Math.floor((Math.min(position, head) / Math.max(head, 1)) * 100)
  const done = `${position} of ${head} events (${percent} %)`
  const perSecond = position / seconds
  if (!Number.isFinite(perSecond) || perSecond < 1) return done
  const left = Math.ceil(Math.max(0, head - position) / perSecond)
  return `${done}, ${Math.round(perSecond)}/s, ${left} s left`
}
