import { accessSync, chownSync, chmodSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { serverAccount } from './embedded-postgres/account.ts'
import { makeDirectorySync } from '../kernel/lib/directories.ts'

/** Less what the umask takes away. */
const ANYBODY = 0o777

/**
 * Makes the data directory when it is missing, with mode 0700; one that exists is left exactly as its owner made it.
 * Made by root it is 0710 with the database server's group, because that server does not run as root and has to pass through.
 * @throws the file system's own error when it is no directory, or may not be read and written
 */
export function createDataDirectory(dataDir: string): void {
  if (existsSync(dataDir)) {
    // A file has nothing below it: asked for the directory itself, the error names it.
    return accessSync(`${dataDir}/.`, constants.R_OK | constants.W_OK | constants.X_OK)
  }
  makeDirectorySync(dirname(dataDir), ANYBODY)
  makePrivate(dataDir)
}

/** A new directory that its owner alone may list, and that the database server may pass through. */
export function makePrivate(directory: string): void {
  makeDirectorySync(directory, 0o700)
  const account = serverAccount()
  if (!account) return
  chownSync(directory, 0, account.gid)
  chmodSync(directory, 0o710)
}

/** A directory for all users' eyes, whatever our umask says; one that exists is left as it is. */
export function makePublic(directory: string): void {
  if (existsSync(directory)) return
  makeDirectorySync(directory, ANYBODY)
  chmodSync(directory, 0o755)
}
