/** The repository of a workload on its host: bare, shallow, and kept between fetches so that only changes travel. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { COMMIT } from '../../tasks/builds.ts'
import { TaskFailure } from '../performer.ts'
import type { GitConnection } from './connection.ts'
import { fetchFailure, noSuchRef } from './fetch-failure.ts'
import { gitIn, gitOutput } from './git-program.ts'
import type { Git, GitRun } from './git-program.ts'
import { SOURCE_BYTES_MAX, tooLarge } from './source-bounds.ts'
import { removeTree } from './source-directories.ts'

const OWNER_ONLY = 0o700
/** Each fetch adds one. */
const PACKS_MAX = 50
const LOOK_EVERY_MS = 500
const HEAD = 'refs/daybook/head'
/** Without one of them, git makes it again. */
const WHOLE = ['HEAD', 'config', 'objects', 'refs']
/**
 * They go before those that a commit brings. Files are written as they are: converted ones would be larger than the sizes that
 * were counted. Source: gitattributes.
 */
const ATTRIBUTES = '* -text -ident !eol !crlf !filter !working-tree-encoding\n'

export interface Repository {
  readonly directory: string
  readonly git: Git
}

/** @param isSuspect whether an earlier process may have ended in the middle of a fetch */
export async function openRepository(directory: string, isSuspect: boolean, signal: AbortSignal): Promise<Repository> {
  const git = gitIn(directory)
  const names = isSuspect ? undefined : await usableNames(directory)
  if (!names) await removeTree(directory)
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY })
  if (!WHOLE.every((name) => names?.has(name)))
    await gitOutput(git, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'], { signal })
  await mkdir(join(directory, 'info'), { recursive: true, mode: OWNER_ONLY })
  await writeFile(join(directory, 'info/attributes'), ATTRIBUTES)
  return { directory, git }
}

/** @returns the files in it; undefined if it must be made anew */
async function usableNames(directory: string): Promise<ReadonlySet<string> | undefined> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  if (names.some((name) => name.endsWith('.lock') || name.startsWith('objects/pack/tmp_'))) return undefined
  const isSmall =
    names.filter((name) => name.endsWith('.pack')).length < PACKS_MAX && (await bytesOf(directory)) < SOURCE_BYTES_MAX
  return isSmall ? new Set(names) : undefined
}

async function bytesOf(directory: string): Promise<number> {
  const packs = join(directory, 'objects/pack')
  const sizes = (await readdir(packs).catch(() => [])).map((name) =>
    stat(join(packs, name)).then(
      (of) => of.size,
      () => 0,
    ),
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

export interface FetchedCommit {
  readonly commit: string
  /** As it was written. */
  readonly subject: string
}

/**
 * Fetches a branch, a tag or a commit. A whole name, such as refs/pull/7/head, goes before all; a branch goes before a tag
 * of the same name.
 * @throws TaskFailure NO_SUCH_REF · LOGIN_REFUSED · UNREACHABLE · HOST_KEY_CHANGED · SOURCE_TOO_LARGE · REFUSED_SOURCE
 */
export async function fetchRef(
  repository: Repository,
  by: GitConnection,
  ref: string,
  work: FetchWork,
): Promise<FetchedCommit> {
  const whole = ref.startsWith('refs/') ? [ref] : []
  const names = COMMIT.test(ref) ? [ref] : [...whole, `refs/heads/${ref}`, `refs/tags/${ref}`]
  for (const name of names) if (await isFetched(repository, by, name, work)) return headOf(repository, work)
  throw noSuchRef()
}

/** @returns false if the server does not have it */
async function isFetched(repository: Repository, by: GitConnection, name: string, work: FetchWork): Promise<boolean> {
  try {
    await fetchInto(repository, by, `+${name}:${HEAD}`, work)
  } catch (error) {
    if (error instanceof TaskFailure && error.code === noSuchRef().code) return false
    throw error
  }
  return COMMIT.test(name) || (await nameOfFetched(repository)) === name
}

const FETCHED = /^[0-9a-f]+\t\S*\t(branch |tag |)'(.*)' of /
const PREFIXES: Readonly<Record<string, string>> = { 'branch ': 'refs/heads/', 'tag ': 'refs/tags/' }

/** Git takes the branch refs/heads/main for the name refs/heads/main too, and notes what it has taken. */
async function nameOfFetched({ directory }: Repository): Promise<string | undefined> {
  const noted = await readFile(join(directory, 'FETCH_HEAD'), 'utf8')
  const [, kind, name] = FETCHED.exec(noted) ?? []
  return kind === undefined ? undefined : (PREFIXES[kind] ?? '') + name!
}

/** What is no commit, such as a tag of a file, is no source. */
async function headOf({ git }: Repository, { signal }: FetchWork): Promise<FetchedCommit> {
  const plain = ['--no-show-signature', '--no-decorate', '--no-color']
  // The name comes last: the beginning of a long output is not kept.
  const { code, out } = await git(['log', '-1', ...plain, '--format=%s%n%H', `${HEAD}^{commit}`, '--'], { signal })
  if (code !== 0) throw noSuchRef()
  const [commit = '', ...subject] = out.trim().split('\n').toReversed()
  return { commit, subject: subject.toReversed().join(' ') }
}

export interface FetchWork {
  readonly signal: AbortSignal
  /** What git and the server say. */
  hear(said: string): Promise<void>
}

async function fetchInto({ git, directory }: Repository, by: GitConnection, refspec: string, work: FetchWork) {
  const flags = ['--quiet', '--no-tags', '--no-recurse-submodules', '--depth=1']
  const watched = new AbortController()
  const signal = AbortSignal.any([work.signal, watched.signal])
  const watching = watchSize(directory, watched)
  try {
    const run = await git(['fetch', ...flags, '--', by.address.url, refspec], { ...by.options, signal })
    await failIf(run, by, work)
  } finally {
    watched.abort()
    await watching
  }
}

/** A server could send without end. */
async function watchSize(directory: string, watched: AbortController): Promise<void> {
  while (!watched.signal.aborted) {
    if ((await bytesOf(directory)) > 2 * SOURCE_BYTES_MAX) watched.abort(tooLarge())
    await sleep(LOOK_EVERY_MS, undefined, { signal: watched.signal }).catch(() => {})
  }
}

async function failIf({ code, err }: GitRun, by: GitConnection, { hear }: FetchWork): Promise<void> {
  if (code === 0) return
  const failure = fetchFailure(err, by.address.host)
  if (failure.code !== noSuchRef().code) await hear(err)
  if (by.isUnreached())
    throw new TaskFailure('UNREACHABLE', `The host does not reach port ${by.address.port} of ${by.address.host}`)
  throw failure
}

/** @param from null: all has changed @returns true also if the commit cannot be had any more */
export async function isChanged(
  repository: Repository,
  by: GitConnection,
  commit: string,
  watch: { readonly from: string | null; readonly paths: readonly string[] },
  work: FetchWork,
): Promise<boolean> {
  const { from, paths } = watch
  if (from === null || paths.length === 0) return true
  if (from === commit) return false
  if (!(await hasCommit(repository, from, work))) {
    // A server may refuse a commit that is no head of it.
    const quiet = { ...work, hear: async () => {} }
    const [asked] = await Promise.allSettled([fetchInto(repository, by, `+${from}:refs/daybook/from`, quiet)])
    work.signal.throwIfAborted()
    if (asked.status === 'rejected' || !(await hasCommit(repository, from, work))) return true
  }
  const below = paths.includes('') ? [] : paths
  const args = ['diff-tree', '--quiet', '--no-ext-diff', '--no-textconv', from, commit, '--', ...below]
  return (await repository.git(args, work)).code !== 0
}

const hasCommit = async ({ git }: Repository, commit: string, { signal }: FetchWork): Promise<boolean> =>
  (await git(['cat-file', '-e', `${commit}^{commit}`], { signal })).code === 0
