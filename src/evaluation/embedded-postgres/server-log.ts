import { constants, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const LOG_BYTES_MAX = 10_000_000

export interface ServerLog {
  /** To be closed by the caller. */
  readonly handle: number
  /** What was written since it was opened. */
  tail(): string
}

/** Grown too large, it makes room for a new one. A symbolic link is not followed: root writes here, in a directory that may be another's. */
export function openServerLog(path: string): ServerLog {
  if (existsSync(path) && statSync(path).size > LOG_BYTES_MAX) renameSync(path, `${path}.1`)
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  const handle = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  const from = statSync(path).size
  return { handle, tail: () => readFileSync(path).subarray(from).toString().trim() }
}
