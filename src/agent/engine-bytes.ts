/** Bytes of the container engine: logs, and the in- and output of commands. Source: Docker Engine API 1.41, ContainerAttach. */
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
 * @param heard called with the frames that have come, before more are read
 * @returns the status @throws TaskFailure as `EngineCall`
 */
export type EngineRead = (path: string, signal: AbortSignal, heard: Hear) => Promise<number>
type Hear = (frames: readonly Frame[]) => unknown

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

/**
 * Writes the input and its end, and reads until the other side has ended.
 * @param input null: the other side waits for none @throws TaskFailure as `EngineCall`
 */
export const talk = (socket: Duplex, input: string | null, heard: Hear, signal: AbortSignal): Promise<void> =>
  answered(signal, async () => {
    const leave = () => void socket.destroy()
    signal.addEventListener('abort', leave)
    try {
      // A command that ends before it has read all closes the connection.
      socket.on('error', () => {})
      if (input !== null) socket.end(input)
      await hear(socket, heard)
      signal.throwIfAborted()
    } finally {
      signal.removeEventListener('abort', leave)
      socket.destroy()
    }
  })

/** @throws AnswerTooLong for a frame that no engine makes */
async function hear(pieces: AsyncIterable<Buffer>, heard: Hear): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const frames: Frame[] = []
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUInt32BE(LENGTH_AT)
      if (end > FRAME_BYTES_MAX) throw new AnswerTooLong(FRAME_BYTES_MAX)
      if (rest.length < end) break
      const [kind] = rest
      if (kind === STDOUT || kind === STDERR)
        frames.push({ of: kind === STDOUT ? 'OUT' : 'ERR', bytes: rest.subarray(HEADER_BYTES, end) })
      rest = rest.subarray(end)
    }
    if (frames.length > 0) await heard(frames)
  }
}
