/** Where a service of an evaluation logs to. */
import { openSync, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/**
 * Appends to a file that its owner alone may read. A full disk loses lines and is told once on standard error: pino's own file
 * destination waits at the end of the process until there is space again.
 */
export function logFile(path: string, complain: (text: string) => void = console.error): DestinationStream {
  const file = openSync(path, 'a', 0o600)
  let isWriting = true
  return {
    write(line) {
      try {
        writeSync(file, line)
        isWriting = true
      } catch (error) {
        if (isWriting) complain(`${path} cannot be written, so its lines are lost: ${(error as Error).message}`)
        isWriting = false
      }
    },
  }
}
