/** The bin as a child process. Its output is kept, and no child outlives the test. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

export const BIN = new URL('../../../bin/daybook.mjs', import.meta.url).pathname

const SAYS_WITHIN_MS = 60_000

export interface ProcessResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly said: string
  readonly complained: string
}

export interface RunningProcess {
  readonly pid: number
  readonly child: ChildProcess
  /** Everything on its standard output so far. */
  said(): string
  complained(): string
  /** @throws if the process ends, or 60 s pass, before the words appear */
  until(words: string | RegExp): Promise<void>
  ended(): Promise<ProcessResult>
  /** Sends the signal, by pid, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<ProcessResult>
}

/** The variables that a child needs: where programs are, and the compile cache of Node. */
const { PATH, NODE_COMPILE_CACHE } = process.env

/** @param env all other variables of the child; `program` another program than the bin; `within` a command that runs it */
export function daybook(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = '/',
  program = BIN,
  within: readonly string[] = [],
): RunningProcess {
  const [command, ...before] = [...within, process.execPath]
  const child = spawn(command, [...before, program, ...args], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, complained]: [string[], string[]] = [[], []]
  child.stdout.on('data', (text) => said.push(String(text)))
  child.stderr.on('data', (text) => complained.push(String(text)))
  const end = once(child, 'close').then(([code, signal]): Pick<ProcessResult, 'code' | 'signal'> => ({ code, signal }))
  const texts = () => ({ said: said.join(''), complained: complained.join('') })

  async function until(words: string | RegExp): Promise<void> {
    const heard = () => (typeof words === 'string' ? texts().said.includes(words) : words.test(texts().said))
    for (const late = performance.now() + SAYS_WITHIN_MS; !heard(); await pause(10))
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > late)
        throw new Error(`${args.join(' ')} did not say ${String(words)}:\n${texts().said}${texts().complained}`)
  }

  return {
    pid: child.pid!,
    child,
    said: () => texts().said,
    complained: () => texts().complained,
    until,
    ended: async () => ({ ...(await end), ...texts() }),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return { ...(await end), ...texts() }
    },
  }
}
