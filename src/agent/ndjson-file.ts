/** Files of JSON lines that survive a kill: a last line without its end was never taken, and is cut off. */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

const OWNER_ONLY = 0o600
const NEWLINE = 0x0a

export interface AppendFile {
  readonly handle: FileHandle
  /** In bytes. */
  readonly size: number
}

/** Opens a file to append whole lines; it is made if it is not there. */
export async function openToAppend(path: string): Promise<AppendFile> {
  const handle = await open(path, 'a+', OWNER_ONLY)
  const bytes = await handle.readFile()
  const size = bytes.lastIndexOf(NEWLINE) + 1
  if (size < bytes.length) await handle.truncate(size)
  return { handle, size }
}

/** @throws Error for a line within the file that is no JSON: the disk has changed it */
export function parseLines(bytes: Buffer, path: string): unknown[] {
  const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1).toString()
  const lines = whole.split('\n').slice(0, -1)
  return lines.map((line, nth) => {
    try {
      return JSON.parse(line) as unknown
    } catch {
      throw new Error(`Line ${nth + 1} of ${path} is damaged: move the file away, and start the agent again`)
    }
  })
}

export const toLines = (entries: readonly object[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

/** A power failure loses the name of a new file until its directory is synced. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
