/** A server of the kernel on a real port, with the parts that a test replaces. */
import { request } from 'node:http'
import type { IncomingHttpHeaders, OutgoingHttpHeaders, RequestOptions } from 'node:http'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { CommandRunner, UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller, Route } from '#kernel/http/route'
import { httpServer } from '#kernel/http/server'
import type { HttpServerDependencies, HttpServer } from '#kernel/http/server'
import { manualClock } from '#kernel/lib/clock'
import { reject } from '#kernel/lib/rejection'

export const START = new Date('2026-11-20T00:00:00Z')
export const ID = '01940000-0000-7000-8000-000000000001'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: any
}

export interface Rig {
  readonly server: HttpServer
  readonly port: number
  readonly lines: Record<string, any>[]
  call(method: string, path: string, options?: TestRequest): Promise<Reply>
  /** All bytes that the server writes to a raw connection until it closes it, or until `waitMs` have passed. */
  raw(text: string | Buffer, waitMs?: number): Promise<string>
  close(): Promise<void>
}

export interface TestRequest extends Omit<RequestOptions, 'headers'> {
  readonly headers?: OutgoingHttpHeaders
  readonly token?: string
  readonly body?: unknown
}

export const caller = (kind: string, permissions: readonly string[], more: Partial<Caller> = {}): Caller => ({
  kind,
  actor: { type: kind.toUpperCase(), id: `${kind}-1` },
  can: (permission) => permissions.includes(permission),
  forbiddenMessage: `This endpoint is not available to ${kind}.`,
  ...more,
})

/** Every unit appends one event of the type that its result names, or none. */
export function fakeCommands(): CommandRunner {
  let position = 0
  return {
    async run(_context, work, recorded) {
      const result = await work({ at: START, newId: () => ID } as unknown as UnitOfWork)
      position += 1
      recorded?.({ position, streams: ['thing'], types: ['ThingHappened'], strict: result === 'strict' })
      return result
    },
  }
}

export async function rig(routes: readonly Route[], more: Partial<HttpServerDependencies> = {}): Promise<Rig> {
  const lines: Record<string, any>[] = []
  const sink = new Writable({
    write: (piece, _encoding, done) => {
      for (const line of String(piece).trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  const server = httpServer({
    routes,
    authenticate: async ({ authorization: [sent] }) => {
      if (sent === undefined) return undefined
      if (sent === 'Bearer staff') return caller('staff', ['things:view', 'things:manage'])
      if (sent === 'Bearer token')
        return caller('token', ['things:view'], {
          permissionBan: (permission) =>
            permission === 'secrets:view' ? `Tokens may never hold ${permission}` : undefined,
        })
      return reject('unauthenticated', 'Invalid or expired token', 'INVALID_TOKEN')
    },
    commands: fakeCommands(),
    read: undefined as never,
    telemetry: undefined as never,
    vault: undefined as never,
    clock: manualClock(START),
    baseUrl: 'http://127.0.0.1',
    trustedProxies: { ranges: [], hops: 1 },
    waitUntilCaughtUp: async () => true,
    logger: pino({ level: 'debug' }, sink),
    ...more,
  })
  const { port } = await server.listen(0, '127.0.0.1')
  return {
    server,
    port,
    lines,
    call: (method, path, options) => called(port, method, path, options),
    raw: (text, waitMs = 2_000) => rawly(port, text, waitMs),
    close: () => server.close(0),
  }
}

export interface Connection {
  /** The bytes that the server has sent so far. */
  readonly heard: string
  readonly isClosed: boolean
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<unknown>
  send(text: string | Buffer): void
  /** Reads what was sent to the connection; before this call it reads nothing. */
  read(): void
  end(): void
}

/** A connection that sends only what the test tells it to. @param reads whether it reads the answers */
export async function connection(port: number, { reads = true } = {}): Promise<Connection> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  let isClosed = false
  const closed = new Promise((resolve) => socket.once('close', resolve)).then(() => (isClosed = true))
  const read = () => void socket.on('data', (piece) => (heard += String(piece)))
  socket.on('error', () => {})
  if (reads) read()
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return {
    get heard() {
      return heard
    },
    get isClosed() {
      return isClosed
    },
    closed,
    send: (text) => void socket.write(text),
    read,
    end: () => void socket.destroy(),
  }
}

/** Status, headers and body of each answer on a raw connection. */
export function answersIn(heard: string): { status: number; head: string; body: string }[] {
  return heard
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((part) => part !== '')
    .map((part) => {
      const [head = '', body = ''] = part.split('\r\n\r\n')
      return { status: Number(head.slice(9, 12)), head, body }
    })
}

function called(
  port: number,
  method: string,
  path: string,
  { token, body, headers, ...more }: TestRequest = {},
): Promise<Reply> {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const all: OutgoingHttpHeaders = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    ...headers,
  }
  for (const [name, value] of Object.entries(all)) if (value === undefined) delete all[name]
  return new Promise((resolve, fail) => {
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false, ...more, headers: all }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', fail)
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        resolve({ status: response.statusCode!, headers: response.headers, text, json: jsonOf(text) })
      })
    })
    sent.on('error', fail)
    sent.end(bytes)
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function rawly(port: number, text: string | Buffer, waitMs: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let heard = ''
    const timer = setTimeout(() => socket.destroy(), waitMs)
    socket.on('data', (piece) => (heard += String(piece)))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(heard)
    })
  })
}
