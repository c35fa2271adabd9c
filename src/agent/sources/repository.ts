/** The repository of a workload on its host: bare, shallow, and kept between fetches so that only changes travel. */
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
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
  if (isSuspect || !(await isUsable(directory))) await removeTree(directory)
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY })
  await gitOutput(git, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'], { signal })
  await mkdir(join(directory, 'info'), { recursive: true, mode: OWNER_ONLY })
  await writeFile(join(directory, 'info/attributes'), ATTRIBUTES)
  return { directory, git }
}

async function isUsable(directory: string): Promise<boolean> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  if (names.some((name) => name.endsWith('.lock') || name.startsWith('objects/pack/tmp_'))) return false
  return (
    names.filter((name) => name.endsWith('.pack')).length < PACKS_MAX && (await bytesOf(directory)) < SOURCE_BYTES_MAX
  )
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

/**
 * Fetches a branch, a tag or a commit.
 * @returns its commit
 * @throws TaskFailure NO_SUCH_REF · LOGIN_REFUSED · UNREACHABLE · HOST_KEY_CHANGED · SOURCE_TOO_LARGE · REFUSED_SOURCE
 */
export async function fetchRef(
  repository: Repository,
  by: GitConnection,
  ref: string,
  work: FetchWork,
): Promise<string> {
  const remote = COMMIT.test(ref) ? ref : await remoteName(repository, by, ref, work)
  await fetchInto(repository, by, `+${remote}:${HEAD}`, work)
  const { code, out } = await repository.git(['rev-parse', '--verify', '--quiet', `${HEAD}^{commit}`], work)
  if (code !== 0) throw noSuchRef()
  return out.trim()
}

export interface FetchWork {
  readonly signal: AbortSignal
  /** What git and the server say. */
  hear(said: string): Promise<void>
}

/** A whole name, such as refs/pull/7/head, goes before all; a branch goes before a tag of the same name. */
async function remoteName({ git }: Repository, by: GitConnection, ref: string, work: FetchWork): Promise<string> {
  const whole = ref.startsWith('refs/') ? [ref] : []
  const names = [...whole, `refs/heads/${ref}`, `refs/tags/${ref}`]
  const run = await git(['ls-remote', '--quiet', '--', by.address.url, ...names], {
    ...by.options,
    signal: work.signal,
  })
  await failIf(run, by, work)
  const shown = new Set(run.out.split('\n').map((line) => line.split('\t')[1]))
  const found = names.find((name) => shown.has(name))
  if (found === undefined) throw noSuchRef()
  return found
}

async function fetchInto({ git, directory }: Repository, by: GitConnection, refspec: string, work: FetchWork) {
  const flags = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--depth=1']
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
  await hear(err)
  if (by.isUnreached())
    throw new TaskFailure('UNREACHABLE', `The host does not reach port ${by.address.port} of ${by.address.host}`)
  throw fetchFailure(err, by.address.host)
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
