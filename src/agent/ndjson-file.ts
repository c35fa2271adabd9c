/** Files of JSON lines that survive a kill: a last line without its end was never taken, and is cut off. */
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

const OWNER_ONLY = 0o600
const NEWLINE = 0x0a

export interface AppendFile {
  /** To read what was appended. */
  readonly handle: FileHandle
  /** In bytes, of what was appended. */
  readonly size: number
  /** @throws Error if the disk does not take it: then the file holds nothing of it */
  append(text: string | Buffer): Promise<void>
}

/** Opens a file to append whole lines; it is made if it is not there. */
export async function openToAppend(path: string, { isSynced = false } = {}): Promise<AppendFile> {
  const handle = await open(path, 'a+', OWNER_ONLY)
  let [size, isWhole] = [0, true]

  /** Half a line must not stay before the next one. */
  async function cut(): Promise<void> {
    if (!isWhole) await handle.truncate(size)
    isWhole = true
  }

  try {
    const bytes = await handle.readFile()
    size = bytes.lastIndexOf(NEWLINE) + 1
    isWhole = size === bytes.length
    await cut()
  } catch (error) {
    await handle.close()
    throw error
  }
  return {
    handle,
    get size() {
      return size
    },
    async append(text) {
      await cut()
      isWhole = false
      try {
        await handle.appendFile(text)
        if (isSynced) await handle.datasync()
      } catch (error) {
        // A disk that does not cut it now does so before the next line, or at the next start.
        await cut().catch(() => {})
        throw error
      }
      size += Buffer.byteLength(text)
      isWhole = true
    },
  }
}

/** A line that is no JSON: the disk has changed it. */
export class DamagedLine {
  /** The first one is 1. */
  readonly nth: number
  readonly text: string

  constructor(nth: number, text: string) {
    this.nth = nth
    this.text = text
  }
}

export function parseLines(bytes: Buffer): unknown[] {
  const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1).toString()
  const lines = whole.split('\n').slice(0, -1)
  return lines.map((line, nth) => {
    try {
      return JSON.parse(line) as unknown
    } catch {
      return new DamagedLine(nth + 1, line)
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
