/** What a panel gets to see of a source: the names near its root, and the texts of manifests. */
import type { FileHandle } from 'node:fs/promises'
import { FACT_BYTES_MAX, FACT_ENTRIES_MAX, FACT_FILES_MAX } from '../../tasks/builds.ts'
import type { SourceFacts } from '../../tasks/builds.ts'
import { directoryIn, entriesOf, fileIn } from './beneath.ts'

const TEXT_BYTES_MAX = 65_536
const PATH_MAX = 500
/** Their texts say how a source is built. Of lock files the name is enough. */
const MANIFESTS =
  /^(?:package\.json|pnpm-workspace\.yaml|\.nvmrc|\.node-version|requirements\.txt|pyproject\.toml|Pipfile|setup\.py|runtime\.txt|\.python-version|go\.mod|composer\.json|index\.html|Procfile|Dockerfile.*|.*\.Dockerfile|Containerfile|\.dockerignore|.*compose.*\.ya?ml)$/i

interface Found {
  readonly entries: string[]
  readonly files: { path: string; text: string }[]
  bytes: number
}

/** Two levels, the nearer one first. Links are named, and neither read nor followed. */
export async function sourceFacts(directory: FileHandle): Promise<SourceFacts> {
  const found: Found = { entries: [], files: [], bytes: 0 }
  const below = await readLevel(directory, '', found)
  for (const name of below) {
    const child = await directoryIn(directory, name)
    await readLevel(child, `${name}/`, found).finally(() => child.close())
  }
  return { entries: found.entries, files: found.files }
}

/** @returns the names of its directories */
async function readLevel(directory: FileHandle, prefix: string, found: Found): Promise<string[]> {
  const directories: string[] = []
  for (const entry of await entriesOf(directory)) {
    const path = prefix + entry.name
    if (path.length >= PATH_MAX || found.entries.length >= FACT_ENTRIES_MAX) continue
    found.entries.push(entry.isDirectory() ? `${path}/` : path)
    if (entry.isDirectory()) directories.push(entry.name)
    else if (entry.isFile() && MANIFESTS.test(entry.name)) await readManifest(directory, entry.name, path, found)
  }
  return directories
}

async function readManifest(directory: FileHandle, name: string, path: string, found: Found): Promise<void> {
  if (found.files.length >= FACT_FILES_MAX) return
  const file = await fileIn(directory, name)
  try {
    const about = await file.stat()
    if (!about.isFile() || about.size > TEXT_BYTES_MAX || found.bytes + about.size > FACT_BYTES_MAX) return
    found.files.push({ path, text: await file.readFile('utf8') })
    found.bytes += about.size
  } finally {
    await file.close()
  }
}
