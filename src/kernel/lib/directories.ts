/**
 * Creates directories with their missing parents. Node's own `recursive` option never returns if an existing directory
 * accepts no entries, as below /proc or below a dangling symbolic link: it alternates between two errors at full load.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Does nothing if the directory exists. @throws the file system's own error */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  if (await isDirectory(path)) return
  if (dirname(path) !== path) await makeDirectory(dirname(path), mode)
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another process may have created it in the meantime.
    if (!(await isDirectory(path))) throw error
  })
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** As `makeDirectory`, for use before the process serves requests. */
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
