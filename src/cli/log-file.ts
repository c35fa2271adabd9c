/** The log file of an evaluation's service. */
import { openSync, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/**
 * Appends to a file that only its owner may read. If the disk is full, lines are lost, which is
 * reported once on standard error. pino's own file destination would wait for free space at the end of
 * the process.
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
        if (isWriting) complain(`${path} cannot be written, so its log lines are lost: ${(error as Error).message}`)
        isWriting = false
      }
    },
  }
}
