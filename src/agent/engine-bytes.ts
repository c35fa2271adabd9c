/** Bytes of the container engine: logs, and the in- and output of commands. Source: Docker Engine API 1.41, ContainerAttach. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { AnswerTooLong } from './answer-text.ts'
import { answered, asking } from './engine-call.ts'

const HEADER_BYTES = 8
const LENGTH_AT = 4
/** The engine makes pieces of 16 KiB of a long line. */
const FRAME_BYTES_MAX = 1_024 * 1_024
const [STDOUT, STDERR] = [1, 2]

/** A piece of what a container says. */
export interface Frame {
  readonly of: 'OUT' | 'ERR'
  readonly bytes: Buffer
}

/**
 * Reads until the engine ends or the signal is aborted.
 * @param heard called for each frame before the next one is read
 * @returns the status @throws TaskFailure as `EngineCall`
 */
export type EngineRead = (path: string, signal: AbortSignal, heard: (frame: Frame) => unknown) => Promise<number>

/**
 * As `EngineRead`, of a call with a body, in a connection that takes `input` too. Its end is told to the other side.
 * @param input null: the other side waits for none
 */
export type EngineAttach = (
  path: string,
  signal: AbortSignal,
  heard: (frame: Frame) => unknown,
  call: { readonly body: object; readonly input: string | null },
) => Promise<number>

const OK_MAX = 299

export const engineRead =
  (socketPath: string): EngineRead =>
  (path, signal, heard) =>
    answered(signal, async () => {
      const { asked, response: coming } = asking(socketPath, 'GET', path, signal)
      asked.end()
      const response = await coming
      if (response.statusCode! > OK_MAX) response.destroy()
      else await hear(response, heard)
      return response.statusCode!
    })

export const engineAttach =
  (socketPath: string): EngineAttach =>
  (path, signal, heard, { body, input }) =>
    answered(signal, async () => {
      const upgrade = { Connection: 'Upgrade', Upgrade: 'tcp' }
      const { asked, response } = asking(socketPath, 'POST', path, signal, 'application/json', upgrade)
      const attached = new Promise<readonly [Duplex, Buffer]>((resolve) => {
        asked.on('upgrade', (_response, socket, head) => resolve([socket, head]))
      })
      asked.end(JSON.stringify(body))
      const coming = await Promise.race([attached, response])
      if (!Array.isArray(coming)) return refusedStatus(coming as IncomingMessage)
      const [socket, head] = coming as readonly [Duplex, Buffer]
      const leave = () => void socket.destroy()
      signal.addEventListener('abort', leave)
      try {
        if (head.length > 0) socket.unshift(head)
        // A command that ends before it has read all closes the connection.
        socket.on('error', () => {})
        if (input !== null) socket.end(input)
        await hear(socket, heard)
        signal.throwIfAborted()
      } finally {
        signal.removeEventListener('abort', leave)
        socket.destroy()
      }
      return SWITCHED
    })

const SWITCHED = 101

function refusedStatus(response: IncomingMessage): number {
  response.destroy()
  return response.statusCode!
}

async function hear(pieces: AsyncIterable<Buffer>, heard: (frame: Frame) => unknown): Promise<void> {
  for await (const frame of framesOf(pieces)) await heard(frame)
}

/** @throws AnswerTooLong for a frame that no engine makes */
async function* framesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUInt32BE(LENGTH_AT)
      if (end > FRAME_BYTES_MAX) throw new AnswerTooLong(FRAME_BYTES_MAX)
      if (rest.length < end) break
      const [kind] = rest
      if (kind === STDOUT || kind === STDERR)
        yield { of: kind === STDOUT ? 'OUT' : 'ERR', bytes: rest.subarray(HEADER_BYTES, end) }
      rest = rest.subarray(end)
    }
  }
}
