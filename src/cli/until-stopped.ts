/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    const stop = () => {
      if (asked) process.exit(130)
      asked = true
      resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  })
}
