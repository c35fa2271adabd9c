/** Where an agent keeps repositories between fetches, and the trees that builds take. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MS = 86_400_000
/** Of a repository that was not fetched. */
const REPOSITORY_KEPT_MS = 30 * DAY_MS
const SOURCE_KEPT_MS = DAY_MS
const OWNER_ONLY = 0o700

interface Workload {
  readonly kind: string
  readonly id: string
}

const folderOf = ({ kind, id }: Workload): string => `${kind.toLowerCase()}-${id}`

/** One folder a workload: what a workload has fetched before is removed with its next fetch. */
export const sourceDirectory = (directory: string, workload: Workload, deploymentId: string): string =>
  join(directory, 'sources', folderOf(workload), deploymentId)

/** Another address has another repository: what one server has shown is never taken for another one's. */
export function repositoryDirectory(directory: string, workload: Workload, url: string): string {
  const ofUrl = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(directory, 'repositories', folderOf(workload), `${ofUrl}.git`)
}

/** Removes what nothing needs any more, of this workload and of those that are not deployed any more. */
export async function sweepSources(directory: string, workload: Workload, now = Date.now()): Promise<void> {
  for (const [name, keptMs] of [
    ['sources', SOURCE_KEPT_MS],
    ['repositories', REPOSITORY_KEPT_MS],
  ] as const) {
    const root = join(directory, name)
    await mkdir(root, { recursive: true, mode: OWNER_ONLY })
    for (const folder of await readdir(root)) {
      const path = join(root, folder)
      const usedMs = await stat(path)
        .then(({ mtimeMs }) => mtimeMs)
        .catch(() => now)
      const isOld = now - usedMs > keptMs
      if (isOld && folder !== folderOf(workload)) await removeTree(path)
    }
    const own = join(root, folderOf(workload))
    await mkdir(own, { recursive: true, mode: OWNER_ONLY })
    await utimes(own, now / 1_000, now / 1_000)
  }
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
