/**
 * The only way of git to a server that it asks by HTTP: a proxy on the loopback interface that knows one origin, and one
 * address for it. Git resolves no name and reaches nothing else, wherever a server leads it.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import type { GitAddress } from './git-address.ts'

const CONNECT_MS = 20_000
const HOP_BY_HOP = ['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'upgrade', 'te']

export interface ForwardProxy {
  readonly url: string
  /** Whether the server could not be connected to. */
  isUnreached(): boolean
  close(): void
}

/** @param address that was checked, for the host of `to` */
export async function startForwardProxy(to: GitAddress, address: string): Promise<ForwardProxy> {
  let isUnreached = false
  const open = new Set<Duplex>()
  const host = to.host.includes(':') ? `[${to.host}]` : to.host
  const authority = `${host}:${to.port}`

  function dial(): Socket {
    const socket = connect({ host: address, port: to.port }).setTimeout(CONNECT_MS, () => socket.destroy())
    open.add(socket)
    let isConnected = false
    socket.once('connect', () => {
      isConnected = true
      socket.setTimeout(0)
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      isUnreached ||= !isConnected
    })
    return socket
  }

  function tunnel({ url }: IncomingMessage, client: Duplex, head: Buffer): void {
    client.on('error', () => {})
    if (to.protocol !== 'https' || url?.toLowerCase() !== authority) return void client.end(REFUSED)
    const socket = dial()
    client.once('close', () => socket.destroy())
    socket.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.write(head)
      pipeline(client, socket, client, () => {})
    })
    socket.once('close', () => client.destroy())
  }

  function forward(asked: IncomingMessage, response: ServerResponse): void {
    const url = URL.canParse(asked.url!) ? new URL(asked.url!) : undefined
    if (to.protocol !== 'http' || url?.origin !== new URL(to.origin).origin) return void response.writeHead(403).end()
    const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !HOP_BY_HOP.includes(name)))
    const outgoing = request({ createConnection: dial, method: asked.method, path: url.pathname + url.search, headers })
    outgoing.on('response', (answer) => {
      // Git may have ended meanwhile.
      if (response.destroyed) answer.destroy()
      else pipeline(answer, response.writeHead(answer.statusCode!, answer.headers), () => {})
    })
    outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.once('close', () => outgoing.destroy())
    pipeline(asked, outgoing, () => {})
  }

  const server = createServer(forward).on('connect', tunnel)
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isUnreached: () => isUnreached,
    close() {
      server.close()
      for (const each of open) each.destroy()
    },
  }
}

const REFUSED = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'
