/** A copy of the project that may be broken: it has its own sources, and shares the project's packages. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { NOTHING, Runner } from './runs.ts'
import type { Ran, Wanted } from './runs.ts'

const ROOT = join(import.meta.dirname, '../..')
const COPIED = ['src', 'projections', 'migrations', 'test', 'bin', 'scripts', 'bench', 'drills', 'security', 'docs']
const COPIED_FILES = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  '.oxfmtrc.json',
  'tsconfig.json',
  'vitest.config.ts',
  'README.md',
  'CONTRIBUTING.md',
]
/** A runner creates once the database that its tests copy. */
const OF_EVERY_RUN = 'migrations/'

export class Copy {
  readonly #directory: string
  readonly #databaseUrl: string
  readonly #stop: AbortSignal
  readonly #changed = new Set<string>()
  #runner: Runner | undefined

  /** `databaseUrl`: a server whose login may create databases and roles. */
  constructor(directory: string, databaseUrl: string, stop: AbortSignal) {
    this.#directory = directory
    this.#databaseUrl = databaseUrl
    this.#stop = stop
    stop.addEventListener('abort', () => void this.end())
    mkdirSync(directory, { mode: 0o700 })
    for (const name of [...COPIED, ...COPIED_FILES])
      cpSync(join(ROOT, name), join(directory, name), { recursive: true, filter: isOurs })
    symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  }

  /** Runs `work` while the file has another text. @returns undefined when `changed` has none for it */
  async whileChanged<Result>(
    file: string,
    changed: (whole: string) => string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const path = join(this.#directory, file)
    const whole = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const other = changed(whole)
    if (other === undefined) return undefined
    const write = async (text: string) => {
      writeFileSync(path, text)
      this.#changed.add(file)
      if (file.startsWith(OF_EVERY_RUN)) await this.end()
    }
    await write(other)
    try {
      return await work()
    } finally {
      await write(whole)
    }
  }

  /** Runs the tests of a file whose full name holds `named`, or one of these, or all of them, up to the first that fails. */
  async run(test: string, named: Wanted['named']): Promise<Ran> {
    if (!this.#runner?.isAlive) await this.end()
    if (this.#stop.aborted) return NOTHING
    this.#runner ??= new Runner(this.#directory, this.#databaseUrl)
    const changed = [...this.#changed]
    this.#changed.clear()
    return this.#runner.run({ test, named, changed })
  }

  /** Ends all processes that the tests have left running. */
  async end(): Promise<void> {
    const runner = this.#runner
    this.#runner = undefined
    await runner?.end()
  }
}

/** The bench's own packages are many, and no test needs them. */
const isOurs = (path: string): boolean => basename(path) !== 'node_modules'
