/** What an evaluation needs to keep secret, generated once into <dataDir>/secrets.json. Production never reads it. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createDataDirectory } from './data-directory.ts'
import { existingPgdata } from './embedded-postgres/home.ts'
import { readablePassword } from './readable-password.ts'

const FILE = 'secrets.json'
const PANEL_PASSWORD_FILE = 'panel-password'
const ADMIN_EMAIL = 'admin@daybook.localhost'

const shape = z.strictObject({
  secretKey: z.string(),
  databasePassword: z.string(),
  adminEmail: z.string(),
  adminPassword: z.string(),
})

export interface EvaluationSecrets {
  /** The key-encryption key: 32 bytes, base64. */
  readonly secretKey: string
  readonly databasePassword: string
  readonly adminEmail: string
  /** Of the first member of staff, until it is changed. */
  readonly adminPassword: string
}

/** Where the secrets of a data directory are kept. */
export const secretsPath = (dataDir: string): string => join(dataDir, FILE)

/**
 * Reads the file, or makes it with mode 0600. Of two processes that start at once both get what the first one wrote.
 * @throws Error with a text for people when others may read the file, when it is damaged, or when it is missing beside a database
 */
export function loadOrCreateSecrets(dataDir: string): EvaluationSecrets {
  createDataDirectory(dataDir)
  const path = secretsPath(dataDir)
  if (!isThere(path)) {
    refuseOrphan(dataDir, path)
    create(dataDir, path, `${JSON.stringify(generate(), null, 2)}\n`)
  }
  return load(path)
}

/**
 * For what works on an evaluation that exists already: makes nothing.
 * @returns undefined where there is none. @throws Error as loadOrCreateSecrets
 */
export function loadSecrets(dataDir: string): EvaluationSecrets | undefined {
  if (!existsSync(dataDir)) return undefined
  const path = secretsPath(dataDir)
  if (isThere(path)) return load(path)
  refuseOrphan(dataDir, path)
  return undefined
}

function load(path: string): EvaluationSecrets {
  refuseReadable(path)
  return read(path)
}

/** Where the password is kept that `daybook start` proposes for the panel's first account. */
export const panelPasswordPath = (dataDir: string): string => join(dataDir, PANEL_PASSWORD_FILE)

/**
 * Reads that password, or makes it. It has a file of its own, because release 0.1.0 refuses a secrets.json that holds more than its own.
 * @throws Error with a text for people when others may read the file
 */
export function loadOrCreatePanelPassword(dataDir: string): string {
  const path = panelPasswordPath(dataDir)
  if (!isThere(path)) create(dataDir, path, `${readablePassword()}\n`)
  refuseReadable(path)
  return readFileSync(path, 'utf8').trim()
}

/** A symbolic link that leads nowhere is there as well. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** With new secrets the database could not be opened, and whoever restores the old ones would find a file in their place. */
function refuseOrphan(dataDir: string, path: string): void {
  if (!existsSync(existingPgdata(dataDir))) return
  throw new Error(
    `${path} is missing, and the database beside it cannot be read without it. ` +
      'Restore it from a backup, or set DAYBOOK_DATA_DIR to another directory.',
  )
}

/** Whole or not at all, with mode 0600. One that another process has just made is left. */
function create(dataDir: string, path: string, text: string): void {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, path)
    sync(dataDir)
  } catch (error) {
    if (!isThere(path)) throw error
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

function read(path: string): EvaluationSecrets {
  const text = readFileSync(path, 'utf8')
  try {
    return shape.parse(JSON.parse(text))
  } catch {
    throw new Error(
      `${path} is damaged: it must be JSON with ${Object.keys(shape.shape).join(', ')}. ` +
        'Restore it from a backup; without it the database beside it cannot be read.',
    )
  }
}

function generate(): EvaluationSecrets {
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
