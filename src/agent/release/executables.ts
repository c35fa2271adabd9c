/**
 * The executables of an agent on its host: one file a release, and a link to the one that runs. While an update is on
 * trial, a file names the former one; `agent-start` takes the update back at its third start.
 */
import { open, readFile, readdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '../ndjson-file.ts'
import { writeSecretFile } from '../secret-file.ts'

/** The link, and the first letters of each executable. Also in install.sh. */
export const EXECUTABLE = 'daybook-agent'
/** Names the former executable. Also in install.sh. */
const PENDING = 'pending'
/** Starts since then, counted by `agent-start`. */
const STARTS = 'starts'

export interface Executables {
  /** The one of this process. */
  readonly own: string
  /** Whether this process is an update that has not reached the panel yet. */
  isOnTrial(): Promise<boolean>
  /** The next start is one of `name`. The present one is kept. */
  swapIn(name: string): Promise<void>
  /** Ends the trial: the update stays. */
  keep(): Promise<void>
  pathOf(name: string): string
}

/** @param own the name of the executable of this process, in the directory */
export function executablesIn(directory: string, own: string): Executables {
  const pathOf = (name: string) => join(directory, name)
  const former = async () => (await readFile(pathOf(PENDING), 'utf8').catch(undefinedIfMissing))?.trim()

  async function keep(): Promise<void> {
    const kept = [EXECUTABLE, own, await former()]
    const isOld = (name: string) => name.startsWith(`${EXECUTABLE}-`) && !kept.includes(name)
    await rm(pathOf(PENDING), { force: true })
    await rm(pathOf(STARTS), { force: true })
    for (const name of (await readdir(directory)).filter(isOld)) await rm(pathOf(name), { force: true })
    await syncDirectory(directory)
  }

  return {
    own,
    pathOf,
    keep,
    async isOnTrial() {
      const name = await former()
      // The power was lost before the swap, or the update was taken back.
      if (name === own) await keep()
      return name !== undefined && name !== own
    },
    async swapIn(name) {
      await rm(pathOf(STARTS), { force: true })
      await writeSecretFile(pathOf(PENDING), `${own}\n`)
      const link = pathOf(`${EXECUTABLE}.next`)
      await rm(link, { force: true })
      await symlink(name, link)
      await rename(link, pathOf(EXECUTABLE))
      await syncDirectory(directory)
    },
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Its content is on the disk when the file has its name. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}
