/** A copy of the project that may be broken: its sources are its own, its packages are the project's. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const COPIED = ['src', 'projections', 'migrations', 'test', 'bin', 'scripts', 'bench']
const COPIED_FILES = ['package.json', 'tsconfig.json', 'vitest.config.ts']
const RUN_SECONDS_MAX = 120
const LAST_WORDS_MS = 5_000

/** What one run of a test file came to; `whole` is false when something failed that is no test, such as an import. */
export interface Ran {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  readonly whole: boolean
}

interface AssertionResult {
  readonly status: string
  readonly ancestorTitles: readonly string[]
  readonly title: string
}

interface Report {
  readonly success: boolean
  readonly testResults: readonly {
    readonly assertionResults: readonly AssertionResult[]
  }[]
}

export class Copy {
  readonly #directory: string
  readonly #databaseUrl: string
  readonly #stop: AbortSignal

  /** `databaseUrl`: a server whose login may create databases and roles. */
  constructor(directory: string, databaseUrl: string, stop: AbortSignal) {
    this.#directory = directory
    this.#databaseUrl = databaseUrl
    this.#stop = stop
    mkdirSync(directory, { mode: 0o700 })
    for (const name of [...COPIED, ...COPIED_FILES])
      cpSync(join(ROOT, name), join(directory, name), { recursive: true, filter: isOurs })
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  }

  /** Runs `work` while `find` reads `replace` in the file. @returns undefined when `find` stands there not exactly once. */
  async whileBroken<Result>(
    { file, find, replace }: { file: string; find: string; replace: string },
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const path = join(this.#directory, file)
    const whole = existsSync(path) ? readFileSync(path, 'utf8') : ''
    if (whole.split(find).length !== 2) return undefined
    writeFileSync(
      path,
      whole.replace(find, () => replace),
    )
    try {
      return await work()
    } finally {
      writeFileSync(path, whole)
    }
  }

  /** Runs the tests of a file whose full name holds one of `named`, or all of them; stops at the `bail`th failure (0: never). */
  async run(test: string, named: readonly string[] | undefined, bail: number): Promise<Ran> {
    const report = join(this.#directory, 'report.json')
    rmSync(report, { force: true })
    const pattern = named ? ['-t', named.map(escaped).join('|')] : []
    const options = [`--bail=${bail}`, '--no-cache', `--fsModuleCachePath=${join(this.#directory, '.modules')}`]
    await this.#vitest(['run', test, ...pattern, ...options, '--reporter=json', `--outputFile=${report}`])
    return existsSync(report) ? ranIn(JSON.parse(readFileSync(report, 'utf8')) as Report) : NOTHING
  }

  /** In a process group of its own, so that everything that a test has started ends with it. */
  async #vitest(args: readonly string[]): Promise<void> {
    if (this.#stop.aborted) return
    const run = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
      cwd: this.#directory,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, DAYBOOK_TEST_DATABASE_URL: this.#databaseUrl },
    })
    const exit = once(run, 'exit')
    const end = () => endGroup(run.pid!, exit)
    const timer = setTimeout(end, RUN_SECONDS_MAX * 1_000)
    this.#stop.addEventListener('abort', end)
    await exit
    clearTimeout(timer)
    this.#stop.removeEventListener('abort', end)
    signalGroup(run.pid!, 'SIGKILL')
  }
}

/** The bench's own packages are many, and no test needs them. */
const isOurs = (path: string): boolean => basename(path) !== 'node_modules'

const NOTHING: Ran = { passed: [], failed: [], whole: false }

function ranIn({ success, testResults }: Report): Ran {
  const all = testResults.flatMap((each) => each.assertionResults)
  const namesOf = (status: string) => all.filter((each) => each.status === status).map(fullName)
  const [passed, failed] = [namesOf('passed'), namesOf('failed')]
  return { passed, failed, whole: success || failed.length > 0 }
}

/** As vitest itself matches it. */
const fullName = ({ ancestorTitles, title }: AssertionResult): string => [...ancestorTitles, title].join(' > ')

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

function endGroup(pid: number, exit: Promise<unknown>): void {
  signalGroup(pid, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), LAST_WORDS_MS)
  void exit.then(() => clearTimeout(timer))
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
