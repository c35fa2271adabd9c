/** The files of stored transfers, in the panel's data directory. An upload that was cut goes on where it was. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { constants } from 'node:fs'
import { copyFile, link, open, rm, truncate } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '#kernel/lib/directories'
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'

const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600
/** In the directory of a transfer. */
const PART = 'part'
const WHOLE = 'whole'

export interface StoredWhole {
  /** In bytes. */
  readonly size: number
  /** In hex. */
  readonly sha256: string
}

export interface TransferFiles {
  /** Whatever lies behind is written over. @returns the offset after the last byte that is on the disk, also after an error */
  write(id: string, at: number, bytes: AsyncIterable<Uint8Array>, onWritten: (until: number) => void): Promise<void>
  /**
   * Makes a whole of what was written. A request that stalls may go on to write, in any process, but what is read from now
   * on is a copy that none writes to. @returns its SHA-256 in hex
   */
  seal(id: string, bytes: number): Promise<string>
  /** Stores a whole of the panel's own. Of several at once, in any process, the first one counts. @throws what `bytes` throws */
  store(id: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredWhole>
  /** Of a whole. */
  read(id: string, from: number): AsyncIterable<Uint8Array>
  remove(id: string): Promise<void>
}

/** @param directory it is made at the first transfer. The service makes the ids, so no file is outside of it */
export function transferFilesIn(directory: string): TransferFiles {
  const pathOf = (id: string, file: string) => join(directory, id, file)
  async function openPart(id: string): Promise<FileHandle> {
    await makeDirectory(join(directory, id), OWNER_ONLY_DIRECTORY)
    return open(pathOf(id, PART), constants.O_RDWR | constants.O_CREAT, OWNER_ONLY_FILE)
  }

  return {
    async write(id, at, bytes, onWritten) {
      const file = await openPart(id)
      try {
        await file.truncate(at)
        await writeFrom(file, at, bytes, onWritten)
      } finally {
        await file.datasync()
        await file.close()
      }
    },
    async seal(id, bytes) {
      const whole = pathOf(id, WHOLE)
      // An empty one was not written.
      await (await openPart(id)).close()
      await copyOnce(pathOf(id, PART), pathOf(id, randomUUID()), { bytes, to: whole })
      return (await wholeAt(whole)).sha256
    },
    async store(id, bytes) {
      await makeDirectory(join(directory, id), OWNER_ONLY_DIRECTORY)
      const own = pathOf(id, randomUUID())
      try {
        const file = await open(own, 'wx', OWNER_ONLY_FILE)
        try {
          await writeFrom(file, 0, bytes, () => {})
          await file.sync()
        } finally {
          await file.close()
        }
        await linkOnce(own, pathOf(id, WHOLE))
      } finally {
        await rm(own, { force: true })
      }
      return wholeAt(pathOf(id, WHOLE))
    },
    read: (id, from) => createReadStream(pathOf(id, WHOLE), { start: from }),
    remove: (id) => rm(join(directory, id), { recursive: true, force: true }),
  }
}

async function wholeAt(path: string): Promise<StoredWhole> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of createReadStream(path)) {
    hash.update(piece as Buffer)
    size += (piece as Buffer).length
  }
  return { size, sha256: hash.digest('hex') }
}

/** The first one is kept: a link replaces no file. */
async function linkOnce(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}

async function copyOnce(
  from: string,
  copy: string,
  { to, bytes }: { readonly to: string; readonly bytes: number },
): Promise<void> {
  try {
    await copyFile(from, copy, constants.COPYFILE_FICLONE)
    await truncate(copy, bytes)
    await syncFile(copy)
    await linkOnce(copy, to)
  } finally {
    await rm(copy, { force: true })
  }
  await truncate(from)
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeFrom(
  file: FileHandle,
  at: number,
  bytes: AsyncIterable<Uint8Array>,
  onWritten: (until: number) => void,
): Promise<void> {
  let until = at
  for await (const piece of bytes) {
    for (let done = 0; done < piece.length;)
      done += (await file.write(piece, done, piece.length - done, until + done)).bytesWritten
    until += piece.length
    onWritten(until)
  }
}

/** Provided if the operator has set PANEL_DATA_DIR. */
export const transferFiles = serviceKey<TransferFiles>('files of transfers', {
  write: rejectNotConfigured,
  seal: rejectNotConfigured,
  store: rejectNotConfigured,
  read: rejectNotConfigured,
  remove: async () => {},
})

function rejectNotConfigured(): never {
  return reject('unavailable', 'The panel stores no transfers; ask its operator to set PANEL_DATA_DIR', 'NO_DATA_DIR')
}
