/** Writer processes, and the ids that were acknowledged to them. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export interface Writers {
  /** Every event id that was acknowledged to a writer. */
  readonly acknowledged: ReadonlySet<string>
  /** Ends one of them with -9 during its work, and starts another in its place. */
  replaceOne(): Promise<void>
  stop(): Promise<void>
}

interface WritersOptions {
  /** The program of a writer; by default it uses our own port. */
  readonly program?: string
  /** Arguments of the program, after the URL and the lanes. */
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
