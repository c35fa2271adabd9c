/**
 * The secrets of an evaluation, generated once into <dataDir>/secrets.json. Production never reads this
 * file.
 */
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
const DRAFT_TRIES_MAX = 20
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
  /** The password of the first staff account, until it is changed. */
  readonly adminPassword: string
}

/** The path of the secrets in a data directory. */
export const secretsPath = (dataDir: string): string => join(dataDir, FILE)

/**
 * Reads the file, or creates it with mode 0600. Two concurrent processes both get the secrets that the
 * first one wrote.
 * @throws Error for the user if others may read the file, if it is damaged, or if it is missing beside
 * a database
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
 * For commands on an existing evaluation; creates nothing.
 * @returns undefined if there is no evaluation
 * @throws Error as loadOrCreateSecrets
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

/** The path of the password that `daybook start` proposes for the panel's first account. */
export const panelPasswordPath = (dataDir: string): string => join(dataDir, PANEL_PASSWORD_FILE)

/**
 * Reads that password, or creates it. It has its own file, because release 0.1.0 rejects a secrets.json
 * with additional fields.
 * @throws Error for the user if others may read the file
 */
export function loadOrCreatePanelPassword(dataDir: string): string {
  const path = panelPasswordPath(dataDir)
  if (!isThere(path)) create(dataDir, path, `${readablePassword()}\n`)
  refuseReadable(path)
  return readFileSync(path, 'utf8').trim()
}

/** A dangling symbolic link counts as present. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** New secrets could not open the database, and would be in the way of restored ones. */
function refuseOrphan(dataDir: string, path: string): void {
  if (!existsSync(existingPgdata(dataDir))) return
  throw new Error(
    `${path} is missing, and the database beside it cannot be read without it. ` +
      'Restore it from a backup, or set DAYBOOK_DATA_DIR to another directory.',
  )
}

/** Creates the whole file or nothing, with mode 0600. A file that another process has just created is kept. */
function create(dataDir: string, path: string, text: string): void {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  try {
    writeDraft(draft, text)
    linkSync(draft, path)
    sync(dataDir)
  } catch (error) {
    if (!isThere(path)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** While the data directory is empty, each start at the same time may put one of its own in its place. */
function writeDraft(draft: string, text: string): void {
  for (let tries = 1; ; tries += 1)
    try {
      return writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === DRAFT_TRIES_MAX) throw error
    }
}

/** Reported and not repaired: another user may have read the file, and only the operator can judge that. */
function refuseReadable(path: string): void {
  const status = lstatSync(path)
  if (!status.isFile()) throw new Error(`${path} is not a file: move it away, and new secrets are created`)
  if ((status.mode & 0o077) === 0) return
  const mode = (status.mode & 0o777).toString(8).padStart(4, '0')
  throw new Error(
    `${path} contains secrets and has mode ${mode}: other users of this machine may read it. ` +
      `Run chmod 600 ${path}. If this machine has other users, treat its contents as known to them.`,
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
