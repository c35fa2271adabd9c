/** A TCP link between two processes that can be cut. */
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** Between an agent and its panel. */
export interface Link {
  /** Of the panel, as the agent calls it. */
  readonly url: string
  /** The address at which the panel listens. */
  readonly host: string
  /** What a program of the agent's host is started with. */
  readonly within: readonly string[]
  /** Nothing passes until `mend`. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

export interface CutLink extends Link {
  readonly port: number
}

/** Cut, it resets all connections and refuses new ones. */
export async function cutLink(toPort: number): Promise<CutLink> {
  const open = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket): Socket => {
    open.add(socket)
    return socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) {
      near.resetAndDestroy()
      return
    }
    const far = keep(connect(toPort, '127.0.0.1'))
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const resetAll = () => open.forEach((socket) => socket.resetAndDestroy())
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    within: [],
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
