/** The socket side: time and size limits, answers to what is not HTTP, and a close that lets answers finish. */
import { STATUS_CODES, createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { Server as SocketServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { withDeadline } from './deadline.ts'
import { refusalOutgoing } from './refusal.ts'
import type { Refusal } from './refusal.ts'

/** An answer that nobody takes for so long is given up. */
const IDLE_MS = 60_000
/** For the last words to reach a client that is still sending. */
const LAST_WORDS_MS = 250
/** A kept connection looks idle while its next request is under way: that one is still answered, and told to close. */
const IDLE_GRACE_MS = 500

/** Slow headers are gone after 5 to 6 s; Node would check every 30 s only. Bodies have a deadline of their own, but for uploads. */
const SERVER_OPTIONS = {
  headersTimeout: 5_000,
  requestTimeout: 60 * 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
  // Node's own refusal would have no body; framing.ts asks for the header.
  requireHostHeader: false,
}

const TOO_LATE = Object.assign(new Error('The body did not come in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

export interface Listener {
  listen(port: number, host: string): Promise<{ port: number }>
  /** No new connections; answers in flight may take `graceMs`, then everything is cut. */
  close(graceMs: number): Promise<void>
  /** Whether answers should end their connection. */
  readonly closing: boolean
}

export function listener(onRequest: RequestListener, usual: Readonly<Record<string, string>>): Listener {
  const answering = new WeakMap<Duplex, ServerResponse>()
  const serve: RequestListener = (request, response) => {
    answering.set(request.socket, response)
    response.once('close', () => {
      if (idleGraceOver) server.closeIdleConnections()
    })
    onRequest(request, response)
  }
  const inTime = withDeadline(serve, ({ socket }) => server.emit('clientError', TOO_LATE, socket))
  const server = createServer(SERVER_OPTIONS, inTime)
  let closing = false
  let idleGraceOver = false
  const endIdle = (): void => {
    idleGraceOver = true
    server.closeIdleConnections()
  }
  // RFC 9110, 10.1.1 lets an unknown expectation be ignored; Node would answer it without a body.
  server.on('checkExpectation', inTime)
  server.setTimeout(IDLE_MS)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || answering.get(socket)?.headersSent) socket.destroy()
    else lastWords(socket as Socket, refusalOf(error), usual)
  })

  return {
    get closing() {
      return closing
    },
    listen: (port, host) => listening(server, port, host),
    close: (graceMs) => {
      closing = true
      return closed(server, endIdle, graceMs)
    },
  }
}

function listening(server: Server, port: number, host: string): Promise<{ port: number }> {
  return new Promise((resolve, fail) => {
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve({ port: (server.address() as AddressInfo).port })
    })
  })
}

/** An HTTP server's own `close` cuts idle connections at once, requests that are on their way included; a socket server's does not. */
function closed(server: Server, endIdle: () => void, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timers = [setTimeout(endIdle, IDLE_GRACE_MS), setTimeout(() => server.closeAllConnections(), graceMs)]
    SocketServer.prototype.close.call(server, () => {
      timers.forEach(clearTimeout)
      resolve()
    })
  })
}

function refusalOf({ code }: NodeJS.ErrnoException): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal(431, 'HEADERS_TOO_LARGE', 'The headers are too large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal(408, 'REQUEST_TIMEOUT', 'The request took too long')
  return refusal(400, 'BAD_REQUEST', 'The request is not valid HTTP')
}

const refusal = (statusCode: number, code: string, message: string): Refusal => ({
  statusCode,
  code,
  headers: {},
  body: { statusCode, message },
})

function lastWords(socket: Socket, said: Refusal, usual: Readonly<Record<string, string>>): void {
  const { status, headers, body } = refusalOutgoing(said)
  const all = {
    ...usual,
    ...headers,
    'X-Request-Id': uuidv7(),
    'Content-Length': body.length,
    Connection: 'close',
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref()
}
