/**
 * Resolves when a signal or the end of its terminal asks the process to stop; a second signal ends it
 * at once.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const stop = () => {
      if (asked) process.exit(130)
      asked = true
      resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  })
}
