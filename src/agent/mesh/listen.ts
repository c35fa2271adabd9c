/** Answers peers that measure their link to this host. Other callers get no byte. */
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { CALL_BYTES } from './messages.ts'

const CALLERS_MAX = 256
/** Of one address, or of one /64 of IPv6. Peers may share an address behind a NAT. */
const CALLERS_OF_ADDRESS_MAX = 32
/** Peers send their whole call as soon as the connection is open. */
const CALL_MS = 500
/** For a peer to take its answer. */
const ANSWER_MS = 3_000

type Answer = (call: Buffer) => Buffer | undefined

/** @returns undefined if the host cannot open the port */
export async function listenForPeers(port: number, answer: Answer): Promise<Server | undefined> {
  const admit = admission()
  const server = createServer((socket) => {
    if (admit(socket)) serve(socket, answer)
    else socket.destroy()
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, resolve)
  try {
    await promise
  } catch {
    return undefined
  }
  // From now on, an error concerns one connection.
  server.off('error', reject).on('error', () => {})
  return server
}

/** Strangers who hold connections cannot keep peers out: a full server drops its oldest connection. */
function admission(): (socket: Socket) => boolean {
  /** With the address of each. The oldest first. */
  const open = new Map<Socket, string>()
  return (socket) => {
    const from = callerOf(socket.remoteAddress ?? '')
    const ofAddress = [...open.values()].filter((each) => each === from).length
    if (ofAddress >= CALLERS_OF_ADDRESS_MAX) return false
    const [oldest] = open.keys()
    if (oldest && open.size >= CALLERS_MAX) {
      open.delete(oldest)
      oldest.destroy()
    }
    open.set(socket, from)
    socket.on('close', () => void open.delete(socket))
    return true
  }
}

/** An IPv4 address, or the /64 of an IPv6 address: one host has all addresses of a /64. */
function callerOf(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  if (!v4.includes(':')) return v4
  const first = v4.split('::')[0]!.split(':')
  return [...first, '0', '0', '0', '0'].slice(0, 4).join(':')
}

function serve(socket: Socket, answer: Answer): void {
  let late = setTimeout(() => socket.destroy(), CALL_MS)
  let said: Buffer = Buffer.alloc(0)
  socket
    .on('error', () => {})
    .on('close', () => clearTimeout(late))
    .on('data', (bytes: Buffer) => {
      said = Buffer.concat([said, bytes])
      if (said.length < CALL_BYTES) return
      const own = answer(said)
      if (own) {
        clearTimeout(late)
        late = setTimeout(() => socket.destroy(), ANSWER_MS)
        socket.end(own)
      } else socket.destroy()
    })
}

/** Resolves when the port is free. */
export const stopListening = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
