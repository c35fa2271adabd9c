/** A TCP proxy that sometimes drops an answer of the server together with its connection. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface Proxy {
  readonly port: number
  /** Answers dropped so far. */
  cuts(): number
  /** Sets how many in a hundred chunks of the server are dropped. */
  cutPercent(percent: number): void
  close(): Promise<void>
}

export async function tcpProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let [percent, cuts] = [0, 0]

  function join(client: Socket): void {
    const server = connect(target, '127.0.0.1')
    const both = [client, server]
    const end = () => both.forEach((socket) => socket.destroy())
    for (const socket of both) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.on('data', (chunk) => void server.write(chunk))
    server.on('data', (chunk) => {
      const isDropped = Math.random() * 100 < percent
      if (isDropped) end()
      else client.write(chunk)
      cuts += Number(isDropped)
    })
  }

  const listener = createServer(join).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    cuts: () => cuts,
    cutPercent: (to) => void (percent = to),
    async close() {
      listener.close()
      for (const socket of sockets) socket.destroy()
      await once(listener, 'close')
    },
  }
}
