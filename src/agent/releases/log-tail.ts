/** The last of what a container has said. */
import type { Frame } from '../engine-bytes.ts'
import type { ReleaseHost } from './host.ts'

interface Tail {
  readonly lines: number
  readonly bytesMax: number
}

/** @returns the last pieces, in their order; nothing of a container that is gone */
export async function logTail(
  { read }: Pick<ReleaseHost, 'read'>,
  id: string,
  { lines, bytesMax }: Tail,
  signal: AbortSignal,
): Promise<Frame[]> {
  const kept: Frame[] = []
  let size = 0
  await read(`/containers/${id}/logs?stdout=true&stderr=true&tail=${lines}`, signal, (frames) => {
    kept.push(...frames)
    for (const { bytes } of frames) size += bytes.length
    // Whole ones: the rest of a value that was cut would not be found in it.
    while (size > bytesMax && kept.length > 1) size -= kept.shift()!.bytes.length
  })
  return kept
}
