/** Writers as processes of their own; what they were told is kept here. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface Writers {
  /** Every event id that some writer was told is in. */
  readonly acknowledged: ReadonlySet<string>
  stop(): Promise<void>
}

export function writers(url: string, processes = 2, lanes = 16): Writers {
  const acknowledged = new Set<string>()
  const children = Array.from({ length: processes }, () => {
    const child = fork(new URL('writer.ts', import.meta.url), [url, String(lanes)], {
      env: { PATH: process.env['PATH'] },
    })
    child.on('message', (ids) => (ids as string[]).forEach((id) => acknowledged.add(id)))
    return child
  })
  return {
    acknowledged,
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          child.kill('SIGKILL')
          await once(child, 'exit')
        }),
      )
    },
  }
}
