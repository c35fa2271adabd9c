/** Explains errors of the file system to users of an evaluation, with advice. */
import { dirname } from 'node:path'
import { existingPgdata } from './embedded-postgres/home.ts'

interface Reason {
  readonly is: string
  /** In addition to choosing another directory. */
  readonly remedy?: string
}

const A_FILE: Reason = { is: 'is a file, or a path below a file' }
const FORBIDDEN: Reason = {
  is: 'cannot be read and written by this user',
  remedy: 'Start Daybook as the user that owns it',
}
const FULL: Reason = { is: 'is on a full disk', remedy: 'Free some space' }

/** By the error code of a file operation. */
const REASONS: Readonly<Record<string, Reason>> = {
  ENOTDIR: A_FILE,
  EEXIST: A_FILE,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: { is: 'is on a read-only file system' },
  ENOSPC: FULL,
  EDQUOT: FULL,
}
/** The SQLSTATE disk_full. */
const DISK_FULL = '53100'
/** As the file system reports it for an open file, and initdb and Postgres in the locale C. */
const NO_SPACE = /no space left on device|disk quota exceeded/i

/**
 * Runs work that accesses the data directory.
 * @throws Error for the user in place of errors of the file system, in this process or in Postgres
 */
export async function withDirectoryErrors<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw directoryProblem(error, dataDir) ?? error
  }
}

/** @returns undefined for an error that does not concern the directory */
export function directoryProblem(error: unknown, dataDir: string): Error | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, path } = error as NodeJS.ErrnoException
  const database = databaseIn(dataDir)
  if (path === undefined)
    return code === DISK_FULL || NO_SPACE.test(error.message) ? problemError(database, FULL, error) : undefined
  const place = [dataDir, database].find((each) => isOnPath(path, each))
  if (place === undefined || code === undefined) return undefined
  // Below /proc nothing can be created, and every operation fails for another reason.
  return problemError(place, REASONS[code] ?? { is: `cannot be used (${error.message})` }, error)
}

function problemError(place: string, { is, remedy }: Reason, cause: Error): Error {
  const elsewhere = 'set DAYBOOK_DATA_DIR to another directory.'
  const advice = remedy === undefined ? `S${elsewhere.slice(1)}` : `${remedy}, or ${elsewhere}`
  return new Error(`${place} ${is}. ${advice}`, { cause })
}

/** In the directory, or above it. */
const isOnPath = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(`${directory}/`) || directory.startsWith(`${path}/`)

/** The database is not always in the data directory, nor on its disk. */
function databaseIn(dataDir: string): string {
  try {
    return dirname(existingPgdata(dataDir))
  } catch {
    return dataDir
  }
}
