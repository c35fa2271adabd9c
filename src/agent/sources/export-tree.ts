/** Writes the tree of a commit to the disk, without the repository. Links stay links, and git follows none. */
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gitOutput } from './git-program.ts'
import type { Repository } from './repository.ts'
import { SOURCE_BYTES_MAX, SOURCE_FILES_MAX, tooLarge } from './source-bounds.ts'
import { removeTree } from './source-directories.ts'

const OWNER_ONLY = 0o700

/** @param to is whole, or not there @throws TaskFailure SOURCE_TOO_LARGE · REFUSED_SOURCE */
export async function exportTree(
  { git, directory }: Repository,
  commit: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  await checkSize(git, commit, signal)
  const half = join(dirname(to), 'half')
  await removeTree(half)
  await mkdir(half, { recursive: true, mode: OWNER_ONLY })
  const index = join(directory, 'index')
  try {
    const options = { env: { GIT_INDEX_FILE: index, GIT_WORK_TREE: half }, cwd: half, signal }
    await gitOutput(git, ['read-tree', '--reset', '-u', '--no-recurse-submodules', commit], options)
    await removeTree(to)
    await rename(half, to)
  } finally {
    await rm(index, { force: true })
    await rm(half, { recursive: true, force: true })
  }
}

/** Before a byte is written: a small repository can name a huge tree. */
async function checkSize(git: Repository['git'], commit: string, signal: AbortSignal): Promise<void> {
  let [files, bytes, rest] = [0, 0, '']
  const heard = (piece: string) => {
    const entries = (rest + piece).split('\0')
    rest = entries.pop()!
    for (const entry of entries) {
      const size = Number(/^\S+ \S+ \S+ +(\d+)\t/.exec(entry)?.[1] ?? 0)
      files += 1
      bytes += size
      if (files > SOURCE_FILES_MAX || bytes > SOURCE_BYTES_MAX) throw tooLarge()
    }
  }
  await gitOutput(git, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit], { heard, signal })
}
