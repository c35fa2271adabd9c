import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface Child {
  readonly pid: number
  readonly said: () => string
  stop(): Promise<void>
}

/** In characters. Later lines are read, because a full pipe would stop the program, and dropped. */
const SAID_MAX = 65_536

/** Resolves when the program has printed the words. It ends with this process. @throws if it ends without them */
export async function child(args: readonly string[], env: NodeJS.ProcessEnv, words: string): Promise<Child> {
  const running = spawn(process.execPath, [...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.stderr.pipe(process.stderr)
  const onExit = () => void running.kill('SIGTERM')
  process.once('exit', onExit)
  let said = ''
  const ended = once(running, 'exit')
  const heard = new Promise<void>((resolve) => {
    for (const stream of [running.stdout, running.stderr])
      stream.on('data', (text) => {
        if (said.length >= SAID_MAX) return
        said += String(text)
        if (said.includes(words)) resolve()
      })
  })
  await Promise.race([
    heard,
    ended.then(() => {
      throw new Error(`${args.join(' ')} ended without printing “${words}”`)
    }),
  ])
  return {
    pid: running.pid!,
    said: () => said,
    async stop() {
      process.removeListener('exit', onExit)
      running.kill('SIGTERM')
      await ended
    },
  }
}

/** In MiB, of a process and its children. */
export function resident(pid: number): number {
  const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, each) => sum + resident(Number(each)), own)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
