/** Passes the bytes of TCP connections on, also as a program: `node forward.ts HOST PORT TO_HOST TO_PORT`. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

export const FORWARD = new URL(import.meta.url).pathname

interface Place {
  readonly host: string
  readonly port: number
}

/** @returns what ends it */
export async function forward(from: Place, to: Place): Promise<() => void> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to.port, to.host)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => open.delete(one) && other.destroy())
    }
  }).listen(from.port, from.host)
  await once(server, 'listening')
  return () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
}

if (process.argv[1] === FORWARD) {
  const [host, port, toHost, toPort] = process.argv.slice(2)
  await forward({ host: host!, port: Number(port) }, { host: toHost!, port: Number(toPort) })
  console.log('it forwards')
}
