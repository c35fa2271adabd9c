/** Answers peers that measure their link to this host. Other callers get no byte. */
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { TaskFailure } from '../performer.ts'
import { CALL_BYTES } from './messages.ts'

const CALLERS_MAX = 256
/** Of one connection, however slowly its caller sends. */
const CALL_MS = 3_000

type Answer = (call: Buffer) => Buffer | undefined

/** @throws TaskFailure PORT_TAKEN */
export async function listenForPeers(port: number, answer: Answer): Promise<Server> {
  const server = createServer((socket) => serve(socket, answer))
  server.maxConnections = CALLERS_MAX
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, resolve)
  try {
    await promise
  } catch {
    throw new TaskFailure('PORT_TAKEN', `The host cannot open port ${port}: free it, or set another meshPort`)
  }
  // From now on, an error concerns one connection.
  server.off('error', reject).on('error', () => {})
  return server
}

function serve(socket: Socket, answer: Answer): void {
  const late = setTimeout(() => socket.destroy(), CALL_MS)
  let said: Buffer = Buffer.alloc(0)
  socket
    .on('error', () => {})
    .on('close', () => clearTimeout(late))
    .on('data', (bytes: Buffer) => {
      said = Buffer.concat([said, bytes])
      if (said.length < CALL_BYTES) return
      const own = answer(said)
      if (own) socket.end(own)
      else socket.destroy()
    })
}

/** Resolves when the port is free. */
export const stopListening = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
