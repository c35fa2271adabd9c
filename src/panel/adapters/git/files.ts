/** Directories and files of a repository, the same for all providers. Paths are walked by name; no link is followed. */
import { found, reject } from '#kernel/lib/rejection'
import type { GitEntry, GitPlace, GitReader } from './git-reader.ts'

export const ENTRIES_MAX = 2_000
export const BRANCHES_MAX = 1_000
const FILE_BYTES_MAX = 262_144

export interface ForgeEntry extends GitEntry {
  /** Of its content, for `blob`. */
  readonly id: string
}

interface ForgeFiles {
  /** All entries of a directory, or one more than 2,000. */
  list(place: GitPlace): Promise<readonly ForgeEntry[]>
  blob(repo: string, entry: ForgeEntry, place: GitPlace): Promise<Buffer>
}

/** By the mode that git stores. */
export const typeOfMode = (mode: string): GitEntry['type'] => {
  if (mode === '120000') return 'LINK'
  if (mode === '160000') return 'SUBMODULE'
  return /^0?40000$/.test(mode) ? 'DIRECTORY' : 'FILE'
}

const rejectLarge = (): never => reject('conflict', 'The file has more than 256 KiB', 'FILE_TOO_LARGE')

export const readFiles = ({ list, blob }: ForgeFiles): Pick<GitReader, 'tree' | 'file'> => ({
  async tree(place) {
    const entries = await list(place)
    const shown = entries.slice(0, ENTRIES_MAX).map(({ name, type, bytes }) => ({ name, type, bytes }))
    return { entries: shown, isCut: entries.length > ENTRIES_MAX }
  },
  async file(place) {
    const segments = place.path.split('/')
    const name = segments.pop()!
    const entry = found((await list({ ...place, path: segments.join('/') })).find((each) => each.name === name))
    if (entry.type !== 'FILE')
      reject('conflict', 'The path leads to a directory, a link or a submodule: name a file', 'NOT_A_FILE')
    if (entry.bytes !== null && entry.bytes > FILE_BYTES_MAX) rejectLarge()
    const content = await blob(place.repo, entry, place)
    return content.length > FILE_BYTES_MAX ? rejectLarge() : content
  },
})

/** Walks from the root of a commit to the directory of a path. @param entriesOf of a tree, by its id */
export async function walk(
  entriesOf: (treeId: string) => Promise<readonly ForgeEntry[]>,
  rootId: string,
  path: string,
): Promise<readonly ForgeEntry[]> {
  let entries = await entriesOf(rootId)
  for (const segment of path === '' ? [] : path.split('/')) {
    const next = found(entries.find(({ name, type }) => name === segment && type === 'DIRECTORY'))
    entries = await entriesOf(next.id)
  }
  return entries
}
