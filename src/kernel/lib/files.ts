/**
 * Uploaded files: each is complete and synced to the disk, or absent.
 * The service makes the names, so none leaves the directory.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from './directories.ts'
import { reject } from './rejection.ts'
import { serviceKey } from './services.ts'

const NAME = /^[a-z]+\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600
const PART = '.part'
/** Longer than any upload takes. */
const PART_LEFT_MS = 24 * 60 * 60_000

export interface StoredFile {
  readonly size: number
  /** Hex. */
  readonly sha256: string
}

export interface FileStorage {
  /**
   * Reads no faster than the disk writes. Leaves no file after an error. @param name `folder/<uuid>`
   * @throws Rejection 503 STORAGE_FULL when the disk is full · any error of `bytes`
   */
  save(name: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredFile>
  /** @returns undefined when no file has that name */
  read(name: string): Promise<(AsyncIterable<Uint8Array> & { destroy(): void }) | undefined>
  remove(name: string): Promise<void>
}

export function directoryStorage(directory: string): FileStorage {
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new Error('A file name must have the form folder/<uuid>')
    return join(directory, name)
  }
  return {
    async save(name, bytes) {
      const path = pathOf(name)
      await makeDirectory(dirname(path), OWNER_ONLY_DIRECTORY)
      await removeParts(dirname(path))
      const part = `${path}.${randomBytes(8).toString('hex')}${PART}`
      try {
        const kept = await writeUpload(part, bytes)
        await rename(part, path)
        await syncDirectory(dirname(path))
        return kept
      } catch (error) {
        await rm(part, { force: true })
        throw isFull(error) ? rejectFull() : error
      }
    },
    async read(name) {
      const path = pathOf(name)
      const isThere = await stat(path).catch(() => undefined)
      return isThere && createReadStream(path)
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

/** Provided if the operator has set FILES_DIR; otherwise every call is refused with 409 FILES_NOT_CONFIGURED. */
export const fileStorage = serviceKey<FileStorage>('files', {
  save: rejectNotConfigured,
  read: rejectNotConfigured,
  remove: rejectNotConfigured,
})

function rejectNotConfigured(): never {
  return reject(
    'conflict',
    'This installation stores no files; ask its operator to set FILES_DIR',
    'FILES_NOT_CONFIGURED',
  )
}

async function writeUpload(path: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const file = await open(path, 'wx', OWNER_ONLY_FILE)
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const piece of bytes) {
      hash.update(piece)
      size += piece.length
      await file.writeFile(piece)
    }
    await file.sync()
    return { size, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

/** A power failure loses a file name until its directory is synced. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes the rest of uploads whose process was killed. */
async function removeParts(directory: string): Promise<void> {
  const before = Date.now() - PART_LEFT_MS
  for (const name of await readdir(directory)) {
    if (!name.endsWith(PART)) continue
    const { mtimeMs = Infinity } = (await stat(join(directory, name)).catch(() => undefined)) ?? {}
    if (mtimeMs < before) await rm(join(directory, name), { force: true })
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT'].includes(String(error.code))

function rejectFull(): never {
  return reject('unavailable', 'The disk for files is full; ask the operator to free space', 'STORAGE_FULL', {
    'Retry-After': '60',
  })
}
