import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ContestantName, Latencies } from './contestant.ts'
import type { Ask } from './contestant-process.ts'
import type { Task } from './measure.ts'

const PROGRAM = join(import.meta.dirname, 'contestant-process.ts')

/** The process of one contestant. It does one thing at a time. */
export interface Lane {
  setup(url: string): Promise<void>
  seed(url: string, events: number): Promise<void>
  measure(task: Task): Promise<Latencies>
  stop(): Promise<void>
}

interface Reply {
  readonly result?: unknown
  readonly error?: string
}

export async function startLane(name: ContestantName): Promise<Lane> {
  const child = fork(PROGRAM, [name], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')

  async function reply(): Promise<unknown> {
    const gone = ended.then(([code]) => ({ error: `the process of ${name} ended with ${code}` }))
    const heard = once(child, 'message').then(([message]) => message as Reply)
    const { result, error } = (await Promise.race([heard, gone])) as Reply
    if (error !== undefined) throw new Error(error)
    return result
  }

  const ask = (what: Ask): Promise<unknown> => {
    const answered = reply()
    child.send(what, () => {})
    return answered
  }

  await reply()
  return {
    setup: async (url) => void (await ask({ does: 'setup', url })),
    seed: async (url, events) => void (await ask({ does: 'seed', url, events })),
    measure: async (task) => (await ask({ does: 'measure', ...task })) as Latencies,
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
