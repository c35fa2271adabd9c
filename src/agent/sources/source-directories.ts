/** Where an agent keeps repositories between fetches, and the trees that builds take. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MS = 86_400_000
/** Of a repository that was not fetched. */
const REPOSITORY_KEPT_MS = 30 * DAY_MS
const SOURCE_KEPT_MS = DAY_MS
const OWNER_ONLY = 0o700
const LOGIN = 'login'

interface Workload {
  readonly kind: string
  readonly id: string
}

const ROOTS = [
  ['sources', SOURCE_KEPT_MS],
  ['repositories', REPOSITORY_KEPT_MS],
] as const

const folderOf = ({ kind, id }: Workload): string => `${kind.toLowerCase()}-${id}`

/** One folder a workload: what a workload has fetched before is removed with its next fetch. */
export const sourceDirectory = (directory: string, workload: Workload, deploymentId: string): string =>
  join(directory, 'sources', folderOf(workload), deploymentId)

/** Another address has another repository: what one server has shown is never taken for another one's. */
export function repositoryDirectory(directory: string, workload: Workload, url: string): string {
  const ofUrl = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(directory, 'repositories', folderOf(workload), `${ofUrl}.git`)
}

/** Where the login of a fetch is, while it runs. */
export const loginDirectory = (repository: string): string => join(repository, '..', LOGIN)

/** Removes what nothing needs any more, of this workload and of those that are not deployed any more. */
export async function sweepSources(directory: string, workload: Workload, now = Date.now()): Promise<void> {
  for (const [name, keptMs] of ROOTS) {
    const root = join(directory, name)
    await mkdir(root, { recursive: true, mode: OWNER_ONLY })
    for (const folder of await readdir(root))
      if (folder !== folderOf(workload)) await removeIfOld(join(root, folder), now - keptMs)
    const own = join(root, folderOf(workload))
    await mkdir(own, { recursive: true, mode: OWNER_ONLY })
    await utimes(own, now / 1_000, now / 1_000)
  }
}

/** As an agent starts: no login of a fetch that was killed stays on the disk, and nothing of what is deployed no more. */
export async function sweepAllSources(directory: string, now = Date.now()): Promise<void> {
  for (const [name, keptMs] of ROOTS) {
    const root = join(directory, name)
    for (const folder of await readdir(root).catch(() => [])) {
      await removeTree(join(root, folder, LOGIN))
      await removeIfOld(join(root, folder), now - keptMs)
    }
  }
}

async function removeIfOld(path: string, usedBefore: number): Promise<void> {
  const usedMs = await stat(path)
    .then(({ mtimeMs }) => mtimeMs)
    .catch(() => Infinity)
  if (usedMs < usedBefore) await removeTree(path)
}

/** All that was fetched for a workload. */
export async function removeSources(directory: string, workload: Workload): Promise<void> {
  for (const [name] of ROOTS) await removeTree(join(directory, name, folderOf(workload)))
}

/** Removes all in the directory of `path` but `path`. */
export async function removeOthers(path: string): Promise<void> {
  const parent = join(path, '..')
  for (const name of await readdir(parent)) if (join(parent, name) !== path) await removeTree(join(parent, name))
}

/** A process that an earlier agent has left may still write there. */
export async function removeTree(path: string): Promise<void> {
  const gone = `${path}.gone`
  await rename(path, gone).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code!)) throw error
  })
  for (const each of [gone, path]) await rm(each, { recursive: true, force: true, maxRetries: 5 })
}
