/**
 * The socket side of the server: limits of time and size, responses to malformed HTTP, and a graceful
 * close.
 */
import { STATUS_CODES, createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as SocketServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { uuidv7 } from '../lib/uuid.ts'
import { toOutgoingResponse } from './error-response.ts'
import type { ErrorResponse } from './error-response.ts'
import { IDLE_GRACE_MS } from './idle-grace.ts'

/** An idle connection is closed after this time, whatever it waits for. */
const IDLE_MS = 60_000
/** Pipelined requests of one connection that wait. Clients that use pipelining send about ten. */
const PIPELINED_MAX = 64
/** Time for the final response to reach a client that is still sending. */
const FINAL_RESPONSE_MS = 250

/**
 * Slow headers time out after 4 to 4.5 s; by default Node checks only every 30 s. For the rest of a
 * request see load.ts.
 */
const SERVER_OPTIONS = {
  headersTimeout: 4_000,
  requestTimeout: 60 * 60_000,
  connectionsCheckingInterval: 500,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
  // Node's own response has no body; request-smuggling-guard.ts checks the header instead.
  requireHostHeader: false,
}

export interface Listener {
  listen(port: number, host: string): Promise<{ port: number }>
  /** Accepts no new connections. Responses in flight may take `graceMs`; then all connections are closed. */
  close(graceMs: number): Promise<void>
  /** Whether each response should close its connection. */
  readonly isClosing: boolean
  /**
   * Answers in place of the current request and closes the connection. If that request's response has
   * started, the connection is destroyed. The rest of the request is read for a moment: closing with
   * unread data would reset the connection and lose the response.
   */
  answerAndClose(socket: Socket, said: ErrorResponse, requestId?: string): void
}

/** The requests of one connection; they are answered one after another. */
interface ConnectionQueue {
  current?: ServerResponse
  readonly waiting: (() => void)[]
  /** No further request of this connection is answered. */
  isOver?: true
}

export function listener(onRequest: RequestListener, usual: Readonly<Record<string, string>>): Listener {
  const lines = new WeakMap<Duplex, ConnectionQueue>()
  let closing = false
  let idleGraceOver = false
  const lineOf = (socket: Duplex): ConnectionQueue => {
    const line = lines.get(socket) ?? { waiting: [] }
    lines.set(socket, line)
    return line
  }
  const lastWords: Listener['answerAndClose'] = (socket, said, requestId) => {
    const line = lineOf(socket)
    line.isOver = true
    if (!socket.writable || line.current?.headersSent) socket.destroy()
    else writeFinalResponse(socket, said, { ...usual, 'X-Request-Id': requestId ?? uuidv7() })
  }
  /** Node parses all pipelined requests that it has read and would run them concurrently. */
  const inTurn: RequestListener = (request, response) => {
    const { socket } = request
    const line = lineOf(socket)
    if (line.isOver) return
    if (!line.current) return begin(line, request, response)
    if (line.waiting.push(() => begin(line, request, response)) <= PIPELINED_MAX) return
    line.waiting.length = 0
    lastWords(socket, TOO_MANY_PIPELINED)
  }
  const begin = (line: ConnectionQueue, request: IncomingMessage, response: ServerResponse): void => {
    line.current = response
    request.socket.setTimeout(IDLE_MS)
    response.once('close', () => {
      if (idleGraceOver) server.closeIdleConnections()
      // Requests of other connections get a turn before the next one of this connection.
      if (line.waiting.length === 0) delete line.current
      else setImmediate(() => line.isOver || request.socket.destroyed || line.waiting.shift()?.())
    })
    onRequest(request, response)
  }
  const server = createServer(SERVER_OPTIONS, inTurn)
  const endIdle = (): void => {
    idleGraceOver = true
    server.closeIdleConnections()
  }
  // RFC 9110, 10.1.1 allows an unknown expectation to be ignored; Node would answer it without a body.
  server.on('checkExpectation', inTurn)
  server.setTimeout(IDLE_MS)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else lastWords(socket as Socket, clientErrorResponse(error))
  })

  return {
    get isClosing() {
      return closing
    },
    answerAndClose: lastWords,
    listen: (port, host) => listenOn(server, port, host),
    close: (graceMs) => {
      closing = true
      return closeServer(server, endIdle, graceMs)
    },
  }
}

function listenOn(server: Server, port: number, host: string): Promise<{ port: number }> {
  return new Promise((resolve, fail) => {
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve({ port: (server.address() as AddressInfo).port })
    })
  })
}

/**
 * The `close` of an HTTP server also closes idle connections whose next request is on the network. The
 * `close` of a socket server does not.
 */
function closeServer(server: Server, endIdle: () => void, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timers = [setTimeout(endIdle, IDLE_GRACE_MS), setTimeout(() => server.closeAllConnections(), graceMs)]
    SocketServer.prototype.close.call(server, () => {
      timers.forEach(clearTimeout)
      resolve()
    })
  })
}

function clientErrorResponse({ code }: NodeJS.ErrnoException): ErrorResponse {
  if (code === 'HPE_HEADER_OVERFLOW') return errorResponse(431, 'HEADERS_TOO_LARGE', 'The headers are too large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return errorResponse(408, 'REQUEST_TIMEOUT', 'The request took too long')
  return errorResponse(400, 'BAD_REQUEST', 'The request is not valid HTTP')
}

const errorResponse = (statusCode: number, code: string, message: string): ErrorResponse => ({
  statusCode,
  code,
  headers: {},
  body: { statusCode, message },
})

const TOO_MANY_PIPELINED = errorResponse(
  429,
  'PIPELINED',
  `A connection may have at most ${PIPELINED_MAX} waiting requests: wait for responses`,
)

function writeFinalResponse(socket: Socket, said: ErrorResponse, usual: Readonly<Record<string, string>>): void {
  const { status, headers, body } = toOutgoingResponse(said)
  const all = { ...usual, ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), FINAL_RESPONSE_MS).unref()
}
