/** The last of what a container has said. Source: Docker Engine API 1.41, ContainerAttach, "Stream format". */
import type { ReleaseHost } from './host.ts'

const HEADER_BYTES = 8
const STDERR = 2
/** Of one frame: the engine makes none that is longer. */
const FRAME_BYTES_MAX = 16 * 1_024 * 1_024

export interface LogPiece {
  readonly of: 'OUT' | 'ERR'
  readonly bytes: Buffer
}

interface Tail {
  readonly lines: number
  readonly bytesMax: number
}

/** @returns the last pieces, in their order; nothing of a container that is gone */
export async function logTail(
  { bytes: read }: Pick<ReleaseHost, 'bytes'>,
  id: string,
  { lines, bytesMax }: Tail,
  signal: AbortSignal,
): Promise<LogPiece[]> {
  const frames = frameReader()
  const kept: LogPiece[] = []
  let size = 0
  const status = await read(`/containers/${id}/logs?stdout=true&stderr=true&tail=${lines}`, signal, async (piece) => {
    for (const frame of frames(piece)) {
      kept.push(frame)
      size += frame.bytes.length
    }
    // Whole ones: the rest of a value that was cut would not be found in it.
    while (size > bytesMax && kept.length > 1) size -= kept.shift()!.bytes.length
  })
  return status === 200 ? kept : []
}

function frameReader(): (piece: Buffer) => LogPiece[] {
  let rest: Buffer = Buffer.alloc(0)
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const frames: LogPiece[] = []
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + Math.min(rest.readUInt32BE(4), FRAME_BYTES_MAX)
      if (rest.length < end) break
      frames.push({ of: rest[0] === STDERR ? 'ERR' : 'OUT', bytes: rest.subarray(HEADER_BYTES, end) })
      rest = rest.subarray(end)
    }
    return frames
  }
}
