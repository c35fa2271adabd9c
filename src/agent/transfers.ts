/** Sends and takes the bytes of a task's transfer. What a cut connection has interrupted goes on where it was. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { backOff } from './back-off.ts'
import type { BackOffLimits } from './back-off.ts'
import { isPassing, PanelRefusal } from './panel-client.ts'
import type { PanelClient } from './panel-client.ts'
import { TaskFailure } from './performer.ts'

/** Of one request. A slow connection has sent it before a proxy loses its patience. */
const PART_BYTES_MAX = 4 * 1_024 * 1_024

export interface TransferDependencies {
  readonly panel: Pick<PanelClient, 'upload' | 'download'>
  readonly limits?: BackOffLimits | undefined
}

export interface Sent {
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
}

/**
 * Bytes that arrive while a request is on its way go with the next one, so that small pieces are there at once.
 * @throws TaskFailure TRANSFER_LOST if the panel does not take them · the reason of `signal`
 */
export async function uploadAll(
  taskId: string,
  bytes: AsyncIterable<Uint8Array>,
  parts: TransferDependencies,
  signal: AbortSignal,
): Promise<Sent> {
  const source = gathered(bytes)
  const hash = createHash('sha256')
  let at = 0
  for (;;) {
    const { piece, isLast } = await source.next()
    hash.update(piece)
    const end = at + piece.length
    await sendPart(taskId, { at, bytes: piece, total: isLast ? end : null }, parts, signal)
    at = end
    if (isLast) return { bytes: at, sha256: hash.digest('hex') }
  }
}

interface Part {
  readonly at: number
  readonly bytes: Buffer
  /** Null until the end is known. */
  readonly total: number | null
}

async function sendPart(taskId: string, part: Part, parts: TransferDependencies, signal: AbortSignal): Promise<void> {
  const { at, bytes, total } = part
  const pause = backOff(parts.limits)
  let received = at
  for (;;) {
    signal.throwIfAborted()
    try {
      const rest = bytes.subarray(received - at)
      received = await parts.panel.upload(taskId, { at: received, bytes: rest, total }, signal)
      if (received === at + bytes.length) return
    } catch (error) {
      signal.throwIfAborted()
      const offset = error instanceof PanelRefusal ? error.offset : undefined
      // An earlier attempt has sent this part.
      if (offset !== undefined && offset > at + bytes.length) return
      if (offset !== undefined && offset >= at && offset !== received) received = offset
      else if (!isPassing(error)) throw lost(error)
      else await pause.wait(signal)
    }
  }
}

/** @throws TaskFailure TRANSFER_LOST, also in the middle · the reason of `signal` */
export async function* downloadAll(
  taskId: string,
  { panel, limits }: TransferDependencies,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const pause = backOff(limits)
  let taken = 0
  for (;;) {
    signal.throwIfAborted()
    try {
      for await (const piece of await panel.download(taskId, taken, signal)) {
        taken += piece.length
        pause.reset()
        yield piece
      }
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!isPassing(error)) throw lost(error)
      await pause.wait(signal)
    }
  }
}

const lost = (error: unknown): TaskFailure =>
  new TaskFailure('TRANSFER_LOST', `The transfer cannot go on: ${error instanceof Error ? error.message : 'unknown'}`)

/** All that is there at the moment, up to the size of a request. */
function gathered(bytes: AsyncIterable<Uint8Array>) {
  let waiting: Uint8Array[] = []
  let size = 0
  let [isOver, failure] = [false, undefined as { readonly error: unknown } | undefined]
  const events = new EventTarget()
  const change = () => void events.dispatchEvent(new Event('change'))
  const changed = () => once(events, 'change')

  async function read(): Promise<void> {
    for await (const piece of bytes) {
      while (size >= PART_BYTES_MAX) await changed()
      waiting.push(piece)
      size += piece.length
      change()
    }
  }
  read()
    .catch((error: unknown) => void (failure = { error }))
    .finally(() => {
      isOver = true
      change()
    })

  return {
    async next(): Promise<{ readonly piece: Buffer; readonly isLast: boolean }> {
      while (size === 0 && !isOver) await changed()
      if (failure) throw failure.error
      const all = Buffer.concat(waiting)
      const piece = all.subarray(0, PART_BYTES_MAX)
      const rest = all.subarray(PART_BYTES_MAX)
      waiting = rest.length > 0 ? [rest] : []
      size = rest.length
      change()
      return { piece, isLast: isOver && size === 0 }
    },
  }
}
