/** Passes the bytes of TCP connections on, also as a program: `node forward.ts HOST PORT TO_HOST TO_PORT`. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export const FORWARD = new URL(import.meta.url).pathname

interface Place {
  readonly host: string
  /** 0, where it listens: a free one. */
  readonly port: number
}

export interface Forward {
  readonly port: number
  /** Resets all connections, and refuses new ones until `mend`. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function forward(from: Place, to: Place): Promise<Forward> {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy()
      return
    }
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
  const resetAll = (): void => open.forEach((socket) => socket.resetAndDestroy())
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      resetAll()
    },
    mend: () => void (isCut = false),
    async close() {
      resetAll()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

if (process.argv[1] === FORWARD) {
  const [host, port, toHost, toPort] = process.argv.slice(2)
  await forward({ host: host!, port: Number(port) }, { host: toHost!, port: Number(toPort) })
  console.log('it forwards')
}
