/** The context of a build: an archive of a source directory, without what .dockerignore leaves out. */
import type { FileHandle } from 'node:fs/promises'
import { lstat, readlink } from 'node:fs/promises'
import { posix } from 'node:path'
import { TaskFailure } from '../performer.ts'
import { directoryIn, entriesOf, fileIn, openDirectory, placeIn } from '../sources/beneath.ts'
import { ignoreRules } from './ignore-rules.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import { TAR_END, tarHeader, tarPadding } from './tar-header.ts'

const IGNORE_BYTES_MAX = 1_048_576
const NAME_OF_TEXT = '.daybook.Dockerfile'
const FILE_MODE = 0o644
const PIECE_BYTES = 262_144

const DOCKERFILE_BYTES_MAX = 1_048_576

export interface BuildContext {
  /** Within the archive. */
  readonly dockerfile: string
  /** Of the Dockerfile. */
  readonly text: string
  archive(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

type DockerfileOf = { readonly path: string } | { readonly text: string }

/** A build without a source. */
export const emptyContext = (text: string): BuildContext => ({
  dockerfile: NAME_OF_TEXT,
  text,
  archive: () => archiveOf(undefined, { path: NAME_OF_TEXT, text }),
  close: async () => {},
})

/**
 * All of it is looked at before the engine gets a byte.
 * @param source of the deployment
 * @throws TaskFailure SOURCE_GONE · NO_DOCKERFILE · LINK_OUTSIDE · SOURCE_TOO_LARGE
 */
export async function sourceContext(source: string, directory: string, of: DockerfileOf): Promise<BuildContext> {
  const root = await openDirectory(source, directory).catch(() => {
    throw new TaskFailure('SOURCE_GONE', 'The source of the deployment is not on the host any more: fetch it again')
  })
  try {
    const dockerfile = 'path' in of ? of.path : await freeName(root)
    const text = 'path' in of ? await readDockerfile(root, of.path) : of.text
    const rules = await rulesIn(root, dockerfile)
    const walked = { root, rules, dockerfile }
    for await (const { path, place, isLink } of walk(walked)) if (isLink) await checkLink(path, place)
    const added = 'text' in of ? { path: dockerfile, text: of.text } : undefined
    return { dockerfile, text, archive: () => archiveOf(walked, added), close: () => root.close() }
  } catch (error) {
    await root.close()
    throw error
  }
}

/** No file of the source has it. */
async function freeName(root: FileHandle): Promise<string> {
  const taken = new Set((await entriesOf(root)).map(({ name }) => name))
  let name = NAME_OF_TEXT
  for (let nth = 2; taken.has(name); nth += 1) name = `${NAME_OF_TEXT}.${nth}`
  return name
}

async function readDockerfile(root: FileHandle, path: string): Promise<string> {
  const text = await withFile(root, path, async (file) => {
    const found = await file.stat()
    if (!found.isFile()) return undefined
    return found.size > DOCKERFILE_BYTES_MAX ? null : file.readFile('utf8')
  }).catch(() => undefined)
  if (text === undefined) throw new TaskFailure('NO_DOCKERFILE', `The source has no file ${path}, or it is a link`)
  if (text === null)
    throw new TaskFailure('SOURCE_TOO_LARGE', `The Dockerfile ${path} has more than ${DOCKERFILE_BYTES_MAX} bytes`)
  return text
}

async function withFile<Result>(root: FileHandle, path: string, use: (file: FileHandle) => Promise<Result>) {
  const parent = await openDirectory(placeIn(root, '.'), posix.dirname(path) === '.' ? '' : posix.dirname(path))
  try {
    const file = await fileIn(parent, posix.basename(path))
    return await use(file).finally(() => file.close())
  } finally {
    await parent.close()
  }
}

/** That of the Dockerfile goes before that of the context. */
async function rulesIn(root: FileHandle, dockerfile: string): Promise<IgnoreRules> {
  for (const name of [`${dockerfile}.dockerignore`, '.dockerignore']) {
    const text = await withFile(root, name, async (file) => {
      const { size } = await file.stat()
      return size > IGNORE_BYTES_MAX ? undefined : file.readFile('utf8')
    }).catch(() => undefined)
    if (text !== undefined) return ignoreRules(text)
  }
  return ignoreRules('')
}

async function checkLink(path: string, place: string): Promise<void> {
  const target = await readlink(place)
  const to = posix.join(posix.dirname(path), target)
  if (posix.isAbsolute(target) || to === '..' || to.startsWith('../'))
    throw new TaskFailure(
      'LINK_OUTSIDE',
      `The link ${path} leads out of the context: remove it or name it in .dockerignore`,
    )
}

interface Walked {
  readonly root: FileHandle
  readonly rules: IgnoreRules
  /** Goes along even if it is ignored. */
  readonly dockerfile: string
}

interface Found {
  readonly path: string
  /** To be used before the next one is asked for. */
  readonly place: string
  readonly parent: FileHandle
  readonly name: string
  readonly isLink: boolean
  readonly isDirectory: boolean
}

async function* walk(walked: Walked, parent = walked.root, prefix = ''): AsyncGenerator<Found> {
  const { rules, dockerfile } = walked
  for (const entry of await entriesOf(parent)) {
    const { name } = entry
    const path = prefix + name
    const [isDirectory, isLink] = [entry.isDirectory(), entry.isSymbolicLink()]
    const isNeeded = path === dockerfile || (isDirectory && dockerfile.startsWith(`${path}/`))
    const isIgnored = !isNeeded && rules.isIgnored(path)
    if (!isIgnored && (isDirectory || isLink || entry.isFile()))
      yield { path, place: placeIn(parent, name), parent, name, isLink, isDirectory }
    if (!isDirectory || (isIgnored && rules.isFinal)) continue
    const child = await directoryIn(parent, name)
    try {
      yield* walk(walked, child, `${path}/`)
    } finally {
      await child.close()
    }
  }
}

async function* archiveOf(
  walked: Walked | undefined,
  added: { readonly path: string; readonly text: string } | undefined,
): AsyncGenerator<Uint8Array> {
  if (walked) for await (const found of walk(walked)) yield* entryOf(found)
  if (added) {
    const content = Buffer.from(added.text)
    const about = { bytes: content.length, mode: FILE_MODE, modifiedSeconds: 0, target: '' }
    yield tarHeader({ path: added.path, type: 'FILE', ...about })
    yield content
    yield tarPadding(content.length)
  }
  yield TAR_END
}

async function* entryOf({ path, place, parent, name, isLink, isDirectory }: Found): AsyncGenerator<Uint8Array> {
  const { mode, mtimeMs } = await lstat(place)
  const about = { mode: mode & 0o777, modifiedSeconds: Math.floor(mtimeMs / 1_000), bytes: 0, target: '' }
  if (isDirectory) yield tarHeader({ ...about, path: `${path}/`, type: 'DIRECTORY' })
  else if (isLink) yield tarHeader({ ...about, path, type: 'LINK', target: await readlink(place) })
  else {
    const file = await fileIn(parent, name)
    try {
      const { size } = await file.stat()
      yield tarHeader({ ...about, path, type: 'FILE', bytes: size })
      if (size > 0) yield* file.createReadStream({ end: size - 1, autoClose: false, highWaterMark: PIECE_BYTES })
      yield tarPadding(size)
    } finally {
      await file.close()
    }
  }
}
