/** The archive of an image, as the transfer of a task brings it. */
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { IMAGE_BYTES_MAX } from '../../tasks/engine.ts'
import { TaskFailure } from '../performer.ts'
import type { Work } from '../performer.ts'

const OWNER_ONLY = 0o600
/** Where the first header of an archive says what it is. Source: POSIX.1-1988, ustar. */
const MAGIC = { at: 257, text: 'ustar' }

export interface ImageArchive {
  readonly bytes: number
  read(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/**
 * The whole archive is here before the engine gets a byte of it: an engine acts on what it has got, other images included.
 * Its file has no name, so nothing is left of it however this process ends.
 * @throws TaskFailure REFUSED_IMAGE · NOT_WRITTEN · TRANSFER_LOST
 */
export async function receiveArchive(
  { taskId, download }: Pick<Work<unknown>, 'taskId' | 'download'>,
  directory: string,
  sha256: string,
): Promise<ImageArchive> {
  const path = join(directory, `image-${taskId}`)
  const file = await open(path, 'w+', OWNER_ONLY).catch(rejectUnwritten)
  try {
    await rm(path)
    const bytes = await write(file, download(), sha256)
    const { buffer: header } = await file.read({ position: MAGIC.at, buffer: Buffer.alloc(MAGIC.text.length) })
    if (header.toString() !== MAGIC.text) throw refusedImage('The file of the image is no archive')
    const read = () => file.createReadStream({ start: 0, autoClose: false })
    return { bytes, read, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

export const refusedImage = (message: string): TaskFailure => new TaskFailure('REFUSED_IMAGE', message)

/** @returns how many */
async function write(file: FileHandle, pieces: AsyncIterable<Uint8Array>, sha256: string): Promise<number> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > IMAGE_BYTES_MAX) throw refusedImage(`The file of the image has more than ${IMAGE_BYTES_MAX} bytes`)
    await file.appendFile(piece).catch(rejectUnwritten)
    hash.update(piece)
  }
  if (hash.digest('hex') !== sha256) throw refusedImage('The panel sent another file than the one that the task names')
  return bytes
}

const rejectUnwritten = (error: NodeJS.ErrnoException): never => {
  throw new TaskFailure('NOT_WRITTEN', `The file of the image cannot be written: ${error.code ?? 'no reason given'}`)
}
