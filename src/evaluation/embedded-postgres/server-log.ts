import { constants, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const LOG_BYTES_MAX = 10_000_000

export interface ServerLog {
  /** The caller must close it. */
  readonly handle: number
  /** The text written since it was opened. */
  tail(): string
}

/**
 * Rotates a log that is too large. Symbolic links are not followed: root may write here, in a directory
 * of another user.
 */
export function openServerLog(path: string): ServerLog {
  if (existsSync(path) && statSync(path).size > LOG_BYTES_MAX) renameSync(path, `${path}.1`)
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  const handle = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  const from = statSync(path).size
  return { handle, tail: () => readFileSync(path).subarray(from).toString().trim() }
}
