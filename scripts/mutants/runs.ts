/** The messages to a runner and its answers, and the runner's process as its parent sees it. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const RUNNER = join(import.meta.dirname, 'runner.ts')
/** A test that hangs is ended after a minute, and may have three tries. */
const RUN_SECONDS_MAX = 240
const LAST_WORDS_MS = 5_000

export interface Wanted {
  readonly test: string
  /** Part of the tests' full name, `outer > inner > test`, or several such parts; without it all tests of the file. */
  readonly named: string | readonly string[] | undefined
  /** What is not as it was in the run before. */
  readonly changed: readonly string[]
}

/** The number of tests of one run by outcome, up to the first failure. */
export interface Ran {
  readonly passed: number
  readonly failed: number
  /** The name of the first test that failed. */
  readonly failedName?: string | undefined
  /** False if something failed that is not a test, such as an import. */
  readonly isWhole: boolean
}

export const NOTHING: Ran = { passed: 0, failed: 0, isWhole: false }

/** In a process group of its own, so that all processes of a test end with it. */
export class Runner {
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown>

  constructor(directory: string, databaseUrl: string) {
    this.#child = spawn(process.execPath, [RUNNER], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
      env: {
        ...process.env,
        DAYBOOK_TEST_DATABASE_URL: databaseUrl,
        // Its packages are those of the project, which keeps its own pages with them.
        DAYBOOK_TEST_PAGES_DIR: join(directory, '.pages'),
        // Node keeps what it compiles by path, and no other run has the path of this copy.
        NODE_COMPILE_CACHE: join(directory, '.compiled'),
      },
    })
    this.#exit = once(this.#child, 'exit')
  }

  get isAlive(): boolean {
    return this.#child.connected
  }

  /** @returns a result without tests if it takes longer than a run may; the runner is then ended */
  async run(wanted: Wanted): Promise<Ran> {
    const timer = setTimeout(() => void this.end(), RUN_SECONDS_MAX * 1_000)
    const answer = once(this.#child, 'message').then(([ran]) => ran as Ran)
    this.#child.send(wanted, () => {})
    const ran = await Promise.race([answer, this.#exit.then(() => NOTHING)])
    clearTimeout(timer)
    return ran
  }

  async end(): Promise<void> {
    signalGroup(this.#child.pid!, 'SIGTERM')
    const timer = setTimeout(() => signalGroup(this.#child.pid!, 'SIGKILL'), LAST_WORDS_MS)
    await this.#exit
    clearTimeout(timer)
    signalGroup(this.#child.pid!, 'SIGKILL')
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
