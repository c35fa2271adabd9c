/**
 * Directories with all that is missing above them. Node's own `recursive` never ends where a directory that is there takes no other,
 * as below /proc or below a symbolic link that leads nowhere: it goes back and forth between the two errors, on a whole core.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Nothing happens to one that is there. @throws the file system's own error */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  if (await isDirectory(path)) return
  if (dirname(path) !== path) await makeDirectory(dirname(path), mode)
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another process may have been faster.
    if (!(await isDirectory(path))) throw error
  })
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** As makeDirectory, for what happens before anything is served. */
export function makeDirectorySync(path: string, mode: number): void {
  if (isDirectorySync(path)) return
  if (dirname(path) !== path) makeDirectorySync(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!isDirectorySync(path)) throw error
  }
}

const isDirectorySync = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()
