/** A repository that all doubles of providers serve: files, directories, a link, a submodule, branches. */
import { idOf } from './forge-server.ts'

export const REPOSITORY = 'ada/shop'
export const OTHER = 'ada/notes'
export const REPOSITORIES = [OTHER, REPOSITORY, ...Array.from({ length: 33 }, (_, nth) => `ada/tool-${nth + 10}`)]
export const BRANCHES = ['feature/cart', 'main', ...Array.from({ length: 110 }, (_, nth) => `topic-${nth + 100}`)]
export const commitOf = (branch: string): string => idOf(`commit of ${branch}`)
/** Of the branch that files are read from. */
export const isKnownRef = (ref: string): boolean => BRANCHES.some((name) => name === ref || commitOf(name) === ref)

export interface StoredEntry {
  readonly path: string
  readonly mode: '100644' | '120000' | '160000' | '040000'
  readonly content: Buffer
}

const file = (path: string, content: string | Buffer): StoredEntry => ({
  path,
  mode: '100644',
  content: Buffer.from(content),
})
const MANY = Array.from({ length: 2_003 }, (_, nth) => file(`many/${String(nth).padStart(4, '0')}.txt`, `${nth}`))

const LEAVES: readonly StoredEntry[] = [
  file('README.md', '# Shop — a text\n'),
  file('large.txt', 'x'.repeat(262_145)),
  file('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1])),
  file('latin1.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9])),
  file('src/index.ts', 'export {}\n'),
  file('src/deep er/ünit.ts', 'deep\n'),
  { path: 'secret', mode: '120000', content: Buffer.from('/etc/passwd') },
  { path: 'docs', mode: '120000', content: Buffer.from('src') },
  { path: 'vendor', mode: '160000', content: Buffer.from('submodule') },
  file('apps/web/package.json', '{"scripts":{"start":"node index.js"}}\n'),
  file('apps/web/index.js', '\n'),
  file('apps/api/go.mod', 'module api\n'),
  file('apps/api/main.go', 'package main\n'),
  ...MANY,
]

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const parents = (path: string): string[] => (path === '' ? [] : [path, ...parents(parentOf(path))])
const directories = [...new Set(LEAVES.flatMap(({ path }) => parents(parentOf(path))))].map((path): StoredEntry => ({
  path,
  mode: '040000',
  content: Buffer.from(`directory ${path}`),
}))
const ALL = [...directories, ...LEAVES]

export const entryAt = (path: string): StoredEntry | undefined => ALL.find((each) => each.path === path)
/** Undefined for what is no directory. Git follows no link here. */
export const entriesIn = (path: string): readonly StoredEntry[] | undefined =>
  path === '' || entryAt(path)?.mode === '040000' ? ALL.filter((each) => parentOf(each.path) === path) : undefined
export const treeIdOf = (path: string): string => idOf(`tree of ${path}`)
export const blobIdOf = ({ path, mode }: StoredEntry): string =>
  mode === '040000' ? treeIdOf(path) : idOf(`blob of ${path}`)
export const directoryById = (id: string): string | undefined =>
  ['', ...directories.map(({ path }) => path)].find((path) => treeIdOf(path) === id)
export const blobById = (id: string): StoredEntry | undefined => LEAVES.find((each) => blobIdOf(each) === id)
export const nameOf = ({ path }: StoredEntry): string => path.slice(path.lastIndexOf('/') + 1)
