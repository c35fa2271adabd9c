/** What the detector needs to know of a directory of a repository, read through a provider. */
import type { SourceFacts } from '../../tasks/builds.ts'
import type { GitEntry, GitPlace, GitReader } from '../adapters/git/git-reader.ts'
import { COMPOSE_NAMES, DOCKERFILE, detect } from '../applications/detector/detect.ts'
import type { Detected } from '../applications/detector/detect.ts'
import type { DetectorOptions } from '../applications/detector/ecosystem.ts'

/** Whose texts tell something. */
const READ = [DOCKERFILE, 'package.json', 'requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.py', ...COMPOSE_NAMES]
/** Whose entries tell something. */
const LISTED = ['cmd', 'public', 'dist', 'build', '_site', 'site', 'docs', 'html', 'www']
/** Of a program that uses Django, the directory of its settings has any name. */
const LISTED_MAX = 12
const TEXT_BYTES_MAX = 262_144
/** Directories of a repository with several applications. */
const GROUPS = ['apps', 'packages', 'services', 'projects']
const IGNORED = /^(?:\.|node_modules$|vendor$|testdata$)/
const DIRECTORIES_MAX = 40
const APPLICATIONS_MAX = 50

const below = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`)
const nameOf = ({ name, type }: GitEntry): string => (type === 'DIRECTORY' ? `${name}/` : name)
const directoriesIn = (entries: readonly GitEntry[]): string[] =>
  entries.filter(({ name, type }) => type === 'DIRECTORY' && !IGNORED.test(name)).map(({ name }) => name)

async function factsOf(reader: GitReader, place: GitPlace, entries: readonly GitEntry[]): Promise<SourceFacts> {
  const texts = entries.filter((each) => each.type === 'FILE' && READ.includes(each.name))
  const files: { path: string; text: string }[] = []
  for (const { name, bytes } of texts)
    if ((bytes ?? 0) <= TEXT_BYTES_MAX)
      files.push({ path: name, text: (await reader.file({ ...place, path: below(place.path, name) })).toString() })
  const names = entries.map(nameOf)
  for (const directory of listedIn(entries)) {
    const inside = await reader.tree({ ...place, path: below(place.path, directory) })
    names.push(...inside.entries.map((each) => `${directory}/${nameOf(each)}`))
  }
  return { entries: names, files }
}

function listedIn(entries: readonly GitEntry[]): string[] {
  const isDjango = entries.some(({ name }) => name === 'manage.py')
  return directoriesIn(entries)
    .filter((name) => isDjango || LISTED.includes(name))
    .slice(0, LISTED_MAX)
}

/** @throws as `GitReader` */
export async function detectAt(reader: GitReader, place: GitPlace, options: DetectorOptions): Promise<Detected> {
  const { entries } = await reader.tree(place)
  return detect(await factsOf(reader, place, entries), options)
}

export interface DetectedAt extends Detected {
  /** Below the repository. */
  readonly directory: string
}

/**
 * What is at the place, in each of its directories, and in those of groups such as `apps`.
 * @throws as `GitReader`
 */
export async function scanAt(reader: GitReader, place: GitPlace, options: DetectorOptions): Promise<DetectedAt[]> {
  const found: DetectedAt[] = []
  const left = [place.path]
  for (let looked = 0; left.length > 0 && looked < DIRECTORIES_MAX && found.length < APPLICATIONS_MAX; looked += 1) {
    const directory = left.shift()!
    const at = { ...place, path: directory }
    const { entries } = await reader.tree(at)
    const isGroup = directory === place.path || GROUPS.includes(directory.slice(place.path.length).replace(/^\//, ''))
    if (isGroup) left.push(...directoriesIn(entries).map((name) => below(directory, name)))
    const detected = detect(await factsOf(reader, at, entries), options)
    // A directory of files belongs to what is around it.
    const isPart = directory !== place.path && detected.kind === 'STATIC'
    if (detected.kind !== 'UNKNOWN' && !isPart) found.push({ directory, ...detected })
  }
  return found
}
