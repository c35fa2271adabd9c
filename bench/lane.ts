import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Ask } from './contestant-process.ts'
import type { ContestantName, Latencies } from './contestant.ts'
import type { Task } from './measure.ts'

const PROGRAM = join(import.meta.dirname, 'contestant-process.ts')
/** Longer than any contestant takes to seed a million events, even on a busy machine. */
const ANSWER_WITHIN_MS = 600_000
const END_WITHIN_MS = 5_000

/** The process of one contestant. It does one thing at a time. */
export interface Lane {
  setup(url: string): Promise<void>
  seed(url: string, events: number): Promise<void>
  measure(task: Task): Promise<Latencies>
  /** Replaces a process that has failed or died, and so closes all that it held open. */
  restart(): Promise<void>
  stop(): Promise<void>
}

interface Reply {
  readonly result?: unknown
  readonly error?: string
}

/** @param postmaster the server's process, whose processor time is counted */
export async function startLane(name: ContestantName, postmaster: number): Promise<Lane> {
  let own = await startProcess(name, postmaster)
  return {
    setup: async (url) => void (await own.ask({ does: 'setup', url })),
    seed: async (url, events) => void (await own.ask({ does: 'seed', url, events })),
    measure: async (task) => (await own.ask({ does: 'measure', ...task })) as Latencies,
    async restart() {
      await own.stop()
      own = await startProcess(name, postmaster)
    },
    stop: () => own.stop(),
  }
}

async function startProcess(name: ContestantName, postmaster: number) {
  const env = { ...process.env, BENCH_POSTMASTER: String(postmaster) }
  const child = fork(PROGRAM, [name], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')

  async function reply(): Promise<unknown> {
    const gone = ended.then(([code, signal]) => ({ error: `the process of ${name} ended with ${code ?? signal}` }))
    const heard = once(child, 'message').then(([message]) => message as Reply)
    const late = pause(ANSWER_WITHIN_MS, { error: `${name} does not answer` }, { ref: false })
    const { result, error }: Reply = await Promise.race([heard, gone, late])
    if (error !== undefined) throw new Error(error)
    return result
  }

  await reply()
  return {
    ask(what: Ask): Promise<unknown> {
      const answered = reply()
      child.send(what, () => {})
      return answered
    },
    async stop(): Promise<void> {
      if (child.connected) child.disconnect()
      const late = pause(END_WITHIN_MS, 'late', { ref: false })
      if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL')
      await ended
    },
  }
}
