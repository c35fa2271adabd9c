/** The files of stored transfers, in the panel's data directory. An upload that was cut goes on where it was. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '#kernel/lib/directories'
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'

const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600

export interface TransferFiles {
  /** Whatever lies behind is written over. @returns the offset after the last byte that is on the disk, also after an error */
  write(id: string, at: number, bytes: AsyncIterable<Uint8Array>, onWritten: (until: number) => void): Promise<void>
  read(id: string, from: number): AsyncIterable<Uint8Array>
  /** Hex. */
  sha256(id: string): Promise<string>
  remove(id: string): Promise<void>
}

/** @param directory it is made at the first transfer. The service makes the ids, so no file is outside of it */
export function transferFilesIn(directory: string): TransferFiles {
  const pathOf = (id: string) => join(directory, id)
  return {
    async write(id, at, bytes, onWritten) {
      await makeDirectory(directory, OWNER_ONLY_DIRECTORY)
      const file = await open(pathOf(id), constants.O_RDWR | constants.O_CREAT, OWNER_ONLY_FILE)
      try {
        await file.truncate(at)
        await writeFrom(file, at, bytes, onWritten)
      } finally {
        await file.datasync()
        await file.close()
      }
    },
    read: (id, from) => createReadStream(pathOf(id), { start: from }),
    async sha256(id) {
      const hash = createHash('sha256')
      for await (const piece of createReadStream(pathOf(id))) hash.update(piece as Buffer)
      return hash.digest('hex')
    },
    remove: (id) => rm(pathOf(id), { force: true }),
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
  read: rejectNotConfigured,
  sha256: rejectNotConfigured,
  remove: async () => {},
})

function rejectNotConfigured(): never {
  return reject('unavailable', 'The panel stores no transfers; ask its operator to set PANEL_DATA_DIR', 'NO_DATA_DIR')
}
