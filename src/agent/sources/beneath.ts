/**
 * Opens files below a directory, one segment after the other, so that no link leads out of it. Linux names open files
 * below /proc/self/fd.
 */
import { constants } from 'node:fs'
import type { Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** A place in an open directory. */
export const placeIn = (directory: FileHandle, name: string): string => `/proc/self/fd/${directory.fd}/${name}`

/** @throws Error of Node for what is missing, no directory, or a link */
export async function openDirectory(root: string, path: string): Promise<FileHandle> {
  let directory = await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  for (const segment of path.split('/').filter((each) => each !== '')) {
    const parent = directory
    try {
      directory = await directoryIn(parent, segment)
    } finally {
      await parent.close()
    }
  }
  return directory
}

export const directoryIn = (parent: FileHandle, name: string): Promise<FileHandle> =>
  open(placeIn(parent, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)

/** Without waiting for what writes to a pipe. @throws Error of Node for what is missing or a link */
export const fileIn = (parent: FileHandle, name: string): Promise<FileHandle> =>
  open(placeIn(parent, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)

/** In the order of their names, by their bytes. */
export async function entriesOf(directory: FileHandle): Promise<Dirent[]> {
  const entries = await readdir(placeIn(directory, '.'), { withFileTypes: true })
  return entries.toSorted((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)))
}
