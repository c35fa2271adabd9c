import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** The parent of temporary directories. Root's TMPDIR may be private, and Postgres does not run as root. */
export const scratchBase = process.getuid?.() === 0 ? '/tmp' : tmpdir()

const MEMORY = '/dev/shm'
const MEMORY_BYTES_MIN = 4 * 2 ** 30

/**
 * The parent of the databases of a test run: in memory where there is room, because a flush costs nothing there. Postgres keeps its
 * durable settings, which the services demand.
 */
export const databaseBase = hasRoom(MEMORY) ? MEMORY : scratchBase

function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize >= MEMORY_BYTES_MIN
  } catch {
    return false
  }
}
