import { chownSync, chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { serverAccount } from './embedded-postgres/account.ts'

/**
 * Makes the data directory when it is missing, with mode 0700; one that exists is left exactly as its owner made it.
 * Made by root it is 0710 with the database server's group, because that server does not run as root and has to pass through.
 */
export function createDataDirectory(dataDir: string): void {
  if (existsSync(dataDir)) return
  mkdirSync(dirname(dataDir), { recursive: true })
  makePrivate(dataDir)
}

/** A new directory that its owner alone may list, and that the database server may pass through. */
export function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const account = serverAccount()
  if (!account) return
  chownSync(directory, 0, account.gid)
  chmodSync(directory, 0o710)
}

/** A directory for all users' eyes, whatever our umask says; one that exists is left as it is. */
export function makePublic(directory: string): void {
  if (existsSync(directory)) return
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, 0o755)
}
