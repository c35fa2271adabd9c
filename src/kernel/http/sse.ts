/**
 * Server-sent events (WHATWG HTML, 9.2): how they are written, and how an answer that goes on for hours leaves. What a reader does not
 * take is never piled up for him: the source is asked for more once the last piece is gone, and whoever takes nothing for a while is
 * cut off. He comes back with the id of the last event that he has seen.
 */
import type { ServerResponse } from 'node:http'
import type { Json } from '../events/store-port.ts'

/** Shorter than the minute after which proxies take a silent connection for dead. */
const HEARTBEAT_MS = 15_000
/** Long enough for a phone that changes its network. */
const STALLED_MS = 5_000
const HEARTBEAT = ':\n\n'

export interface ServerSentEvent {
  /** Where the reader goes on after a break. Without `data` that is all it says, and no listener is told. */
  readonly id?: string | number
  /** Default `message`. */
  readonly event?: string
  readonly data?: Json
}

/** JSON holds no line break. @throws Error for an id or a name that does, which is a bug */
export function formatServerSentEvent({ id, event, data }: ServerSentEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${oneLine(String(id))}`]),
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ]
  return `${lines.join('\n')}\n\n`
}

/** How long a reader waits before he comes back. */
export const retryField = (ms: number): string => `retry: ${ms}\n\n`

function oneLine(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new Error('A server-sent event has an id or a name of several lines')
  return text
}

export interface StreamOptions {
  /** Whether silence is filled with comments. */
  readonly isLive?: boolean
  readonly heartbeatMs?: number
  readonly stalledMs?: number | undefined
}

/** Writes pieces as they come, and a comment where none come; ends with the source. A reader who takes nothing is cut off. */
export async function streamPieces(
  pieces: AsyncIterator<string | Uint8Array>,
  response: ServerResponse,
  { isLive = true, heartbeatMs = HEARTBEAT_MS, stalledMs = STALLED_MS }: StreamOptions = {},
): Promise<void> {
  const beat = setInterval(() => {
    if (isLive && !response.writableNeedDrain) response.write(HEARTBEAT)
  }, heartbeatMs)
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      if (response.destroyed) return
      if (!response.write(next.value)) await waitForDrain(response, stalledMs)
      beat.refresh()
    }
    response.end()
    response.socket?.setTimeout(stalledMs)
  } finally {
    clearInterval(beat)
    await pieces.return?.()
  }
}

/** Resolves when the reader has taken what was written, or is no more. */
function waitForDrain(response: ServerResponse, stalledMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => response.destroy(), stalledMs)
    const done = () => {
      clearTimeout(late)
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
    if (response.destroyed) done()
  })
}
