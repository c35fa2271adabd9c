/** What an evaluation needs to keep secret, generated once into <dataDir>/secrets.json. Production never reads it. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createDataDirectory } from './data-directory.ts'
import { readablePassword } from './readable-password.ts'

const FILE = 'secrets.json'
const ADMIN_EMAIL = 'admin@daybook.localhost'

const shape = z.strictObject({
  secretKey: z.string(),
  databasePassword: z.string(),
  adminEmail: z.string(),
  adminPassword: z.string(),
})

export interface Secrets {
  /** The key-encryption key: 32 bytes, base64. */
  readonly secretKey: string
  readonly databasePassword: string
  readonly adminEmail: string
  /** Of the first member of staff, until it is changed. */
  readonly adminPassword: string
}

/**
 * Reads the file, or makes it with mode 0600. Of two processes that start at once both get what the first one wrote.
 * @throws Error with a text for people when others may read the file, or when it is damaged
 */
export function loadOrCreateSecrets(dataDir: string): Secrets {
  createDataDirectory(dataDir)
  const path = join(dataDir, FILE)
  if (!lstatSync(path, { throwIfNoEntry: false })) create(dataDir, path)
  refuseReadable(path)
  return read(path)
}

function create(dataDir: string, path: string): void {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  try {
    writeFileSync(draft, `${JSON.stringify(generate(), null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, path)
    sync(dataDir)
  } catch (error) {
    if (!lstatSync(path, { throwIfNoEntry: false })) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Loud instead of repaired: whoever could read it may have done so, and only people can judge that. */
function refuseReadable(path: string): void {
  const status = lstatSync(path)
  if (!status.isFile()) throw new Error(`${path} is not a file; move it away to have new secrets made`)
  if ((status.mode & 0o077) === 0) return
  const mode = (status.mode & 0o777).toString(8).padStart(4, '0')
  throw new Error(
    `${path} holds secrets and has mode ${mode}: others on this machine may read it. ` +
      `Run chmod 600 ${path} and, if anybody else uses this machine, treat its contents as known.`,
  )
}

function read(path: string): Secrets {
  try {
    return shape.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new Error(
      `${path} is damaged: it must be JSON with ${Object.keys(shape.shape).join(', ')}. ` +
        'Restore it from a backup; without it the database beside it cannot be read.',
    )
  }
}

function generate(): Secrets {
  return {
    secretKey: randomBytes(32).toString('base64'),
    databasePassword: randomBytes(24).toString('base64url'),
    adminEmail: ADMIN_EMAIL,
    adminPassword: readablePassword(),
  }
}

function sync(directory: string): void {
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
