import { randomBytes } from 'node:crypto'
import { accessSync, chownSync, chmodSync, constants, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectorySync } from '../kernel/lib/directories.ts'
import { serverAccount } from './embedded-postgres/account.ts'

/** The umask is subtracted. */
const ANYBODY = 0o777
/** Another process was faster, and uses it already. */
const TAKEN = ['ENOTEMPTY', 'EEXIST']

/**
 * Creates the data directory with mode 0700 if it is missing; an existing one is not changed. If root
 * creates it, its mode is 0710 with the group of the database server, because that server does not run
 * as root and must traverse it.
 * @throws the error of the file system if it is not a directory, or cannot be read and written
 */
export function createDataDirectory(dataDir: string): void {
  if (existsSync(dataDir)) {
    // With `/.` the error for a file names the path.
    return accessSync(`${dataDir}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
  }
  makeDirectorySync(dirname(dataDir), ANYBODY)
  makePrivate(dataDir)
}

/**
 * Creates a directory that only its owner may list, and that the database server may traverse. It gets its name when it
 * is whole: a second start at the same time would otherwise find one that the server cannot enter, and put its cluster elsewhere.
 */
export function makePrivate(directory: string): void {
  const account = serverAccount()
  if (!account) return makeDirectorySync(directory, 0o700)
  const made = `${directory}.${randomBytes(6).toString('hex')}`
  try {
    makeDirectorySync(made, 0o700)
    chownSync(made, 0, account.gid)
    chmodSync(made, 0o710)
    renameSync(made, directory)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (TAKEN.includes((error as NodeJS.ErrnoException).code ?? '')) return
    // Its error names the directory.
    makeDirectorySync(directory, 0o700)
    throw error
  }
}

/** Creates a directory that all users may read, whatever the umask is; an existing one is not changed. */
export function makePublic(directory: string): void {
  if (existsSync(directory)) return
  makeDirectorySync(directory, ANYBODY)
  chmodSync(directory, 0o755)
}
