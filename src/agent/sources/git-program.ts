/** Runs git on a repository of the agent: without a shell, and without any configuration but the one that is given. */
import { TaskFailure } from '../performer.ts'
import { runProgram } from '../run-program.ts'

/** A cancelled fetch is gone within 2 s. */
const GRACE_MS = 1_000
const SAID_MAX = 65_536
/** Where the programs of hosts are. */
export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface GitRun {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface GitOptions {
  /** Of git, beside those that always hold. They reach git by its environment, so they may be secret. */
  readonly config?: readonly (readonly [name: string, value: string])[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Its output goes there, and is not in the result. */
  readonly heard?: (piece: string) => void
  readonly signal: AbortSignal
}

export type Git = (args: readonly string[], options: GitOptions) => Promise<GitRun>

/** Nothing that a repository or its server brings is run, and nothing but its objects is fetched. */
const CONFIG = [
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'true'],
  ['core.autocrlf', 'false'],
  // Larger files are streamed: the agent has little memory.
  ['core.bigFileThreshold', '16m'],
  ['credential.helper', ''],
  ['fetch.recurseSubmodules', 'false'],
  ['submodule.recurse', 'false'],
  ['transfer.fsckObjects', 'true'],
  ['fetch.unpackLimit', '1'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['http.followRedirects', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
] as const

const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: '',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
}

/**
 * @param repository its directory, which is the home of git too: no file of another account is read
 * @throws TaskFailure NO_PROGRAM, and the reason of the signal
 */
export const gitIn =
  (repository: string): Git =>
  async (args, { config = [], env = {}, cwd = repository, heard, signal }) => {
    const said = { OUT: '', ERR: '' }
    const write = async (of: 'OUT' | 'ERR', piece: string) => {
      if (of === 'OUT' && heard) heard(piece)
      else said[of] = (said[of] + piece).slice(-SAID_MAX)
    }
    const all = [...CONFIG, ...config]
    const settings = Object.fromEntries(
      all.flatMap(([name, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, name],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    )
    const environment = {
      PATH,
      HOME: repository,
      ...ENVIRONMENT,
      ...env,
      ...settings,
      GIT_CONFIG_COUNT: String(all.length),
      GIT_DIR: repository,
    }
    const code = await runProgram({ command: 'git', args, cwd, env: environment }, { signal, write }, GRACE_MS)
    return { code, out: said.OUT, err: said.ERR }
  }

/** For what fails only if the host or the repository is broken. @returns its output */
export async function gitOutput(git: Git, args: readonly string[], options: GitOptions): Promise<string> {
  const { code, out } = await git(args, options)
  if (code !== 0)
    throw new TaskFailure('REFUSED_SOURCE', `git cannot read what it has fetched (${args[0]}, exit code ${code})`)
  return out
}
