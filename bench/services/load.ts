/** Sends requests to a service from this process, which is not measured, with little work of its own. */
import { connect } from 'node:net'
import { percentile } from '../../scripts/figures/spread.ts'
import type { Latencies } from '../contestant.ts'

export interface Load {
  /** Connections go to them in turn. */
  readonly ports: readonly number[]
  /** The whole next request; undefined when there is none left. */
  readonly next: () => Buffer | undefined
  /** Connections, each with one request at a time. */
  readonly inFlight: number
  readonly seconds: number
}

export interface Fired extends Omit<Latencies, 'spent'> {
  readonly requests: number
}

const HEAD_END = '\r\n\r\n'

export function requestBytes(
  method: 'GET' | 'POST',
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Buffer {
  const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...length }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}${HEAD_END}${body}`)
}

/** @throws if an answer is no success, or if no request was sent */
export async function fire({ ports, next, inFlight, seconds }: Load): Promise<Fired> {
  const times: number[] = []
  const lanes = Array.from({ length: inFlight }, (_lane, nth) => openConnection(ports[nth % ports.length]!))
  const connections = await Promise.all(lanes)
  // The time to connect is no load.
  const began = performance.now()
  const until = began + seconds * 1_000
  const lane = async (connection: (typeof connections)[number]): Promise<void> => {
    try {
      for (let sent = performance.now(); sent < until; sent = performance.now()) {
        const request = next()
        if (request === undefined) break
        await connection.answered(request)
        times.push(performance.now() - sent)
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(connections.map(lane))
  if (times.length === 0) throw new Error('No request was sent')
  const opsPerSecond = (times.length / (performance.now() - began)) * 1_000
  return { requests: times.length, opsPerSecond, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) }
}

async function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
  let received = ''
  let waiting = Promise.withResolvers<void>()
  socket.on('error', (error) => waiting.reject(error))
  socket.on('close', () => waiting.reject(new Error('The service closed the connection')))
  socket.on('connect', () => waiting.resolve())
  socket.on('data', (text: string) => {
    received += text
    if (!isWhole(received)) return
    if (received.startsWith('2', STATUS_AT)) waiting.resolve()
    else waiting.reject(new Error(`An answer is ${received.slice(STATUS_AT, ERROR_CHARACTERS)}`))
  })
  await waiting.promise
  return {
    answered(request: Buffer): Promise<void> {
      received = ''
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close(): void {
      socket.removeAllListeners('close')
      socket.destroy()
    },
  }
}

const STATUS_AT = 'HTTP/1.1 '.length
const ERROR_CHARACTERS = 600
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)\r\n/i

/** Every answer that is measured has a Content-Length. */
export function isWhole(received: string): boolean {
  const end = received.indexOf(HEAD_END)
  if (end < 0) return false
  const length = Number(CONTENT_LENGTH.exec(received.slice(0, end + 2))?.[1] ?? 0)
  return received.length >= end + HEAD_END.length + length
}
