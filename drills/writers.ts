/** Writers as processes of their own; what they were told is kept here. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export interface Writers {
  /** Every event id that some writer was told is in. */
  readonly acknowledged: ReadonlySet<string>
  /** Ends one of them with -9, in the middle of what it does, and starts another in its place. */
  replaceOne(): Promise<void>
  stop(): Promise<void>
}

interface WritersOptions {
  /** Who writes: by default through our own port. */
  readonly program?: string
  /** For the program, behind the URL and the lanes. */
  readonly args?: readonly string[]
}

export function writers(url: string, processes = 2, lanes = 16, { program, args = [] }: WritersOptions = {}): Writers {
  const acknowledged = new Set<string>()
  const start = () => {
    const child = fork(new URL(program ?? 'writer.ts', import.meta.url), [url, String(lanes), ...args], {
      env: { PATH: process.env['PATH'] },
    })
    child.on('message', (ids) => (ids as string[]).forEach((id) => acknowledged.add(id)))
    return child
  }
  const children = Array.from({ length: processes }, start)
  return {
    acknowledged,
    async replaceOne() {
      await end(children.shift()!)
      children.push(start())
    },
    async stop() {
      await Promise.all(children.map(end))
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
