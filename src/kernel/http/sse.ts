/**
 * Server-sent events (WHATWG HTML, 9.2): their format, and how long responses are streamed. Nothing is
 * buffered for a slow reader: the source is read further only after the last piece was sent. A stalled
 * reader is disconnected and resumes with the id of the last event that it received.
 */
import type { ServerResponse } from 'node:http'
import type { Json } from '../events/store-port.ts'

/** Proxies close a connection after a minute of silence. */
const HEARTBEAT_MS = 15_000
/** Long enough for a phone to change its network. */
const STALLED_MS = 5_000
/** Of what a reader must take within that time. */
const SLICE_BYTES = 65_536
const HEARTBEAT = ':\n\n'

export interface ServerSentEvent {
  /** Where the reader resumes after a disconnection. Without `data` the client only stores the id. */
  readonly id?: string | number
  /** Default `message`. */
  readonly event?: string
  readonly data?: Json
  /** The data as JSON, for those that many readers get. */
  readonly json?: string
}

/**
 * JSON text contains no line break.
 * @throws Error for an id or an event name that does, which is a bug
 */
export function formatServerSentEvent({ id, event, data, json }: ServerSentEvent): string {
  const text = json ?? (data === undefined ? undefined : JSON.stringify(data))
  const lines = [
    ...(id === undefined ? [] : [`id: ${oneLine(String(id))}`]),
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...(text === undefined ? [] : [`data: ${text}`]),
  ]
  return `${lines.join('\n')}\n\n`
}

/** Of an event whose id begins otherwise for each reader. */
export interface SharedEvent extends Pick<ServerSentEvent, 'event' | 'json'> {
  readonly idEnd: string
}

/**
 * The same events for many readers: all but the beginning of their ids is formatted once.
 * @returns the text of all of them, whose ids have this beginning @throws Error as `formatServerSentEvent`
 */
export function sharedEvents(events: readonly SharedEvent[]): (idBegin: string) => string {
  const rests = events.map(({ idEnd, ...event }) => `${oneLine(idEnd)}\n${formatServerSentEvent(event)}`)
  return (idBegin) => {
    const begin = `id: ${oneLine(idBegin)}`
    return rests.map((rest) => begin + rest).join('')
  }
}

/** Tells the reader how long to wait before it reconnects. */
export const retryField = (ms: number): string => `retry: ${ms}\n\n`

function oneLine(text: string): string {
  if (/[\r\n\0]/.test(text))
    throw new Error('The id or name of a server-sent event must not contain a line break or NUL')
  return text
}

export interface StreamOptions {
  /** Whether comments are sent during silence. */
  readonly isLive?: boolean
  readonly heartbeatMs?: number
  readonly stalledMs?: number | undefined
}

/**
 * Writes pieces as they arrive, and comments during silence, until the source ends. A stalled reader is
 * disconnected.
 */
export async function streamPieces(
  pieces: AsyncIterator<string | Uint8Array>,
  response: ServerResponse,
  { isLive = true, heartbeatMs = HEARTBEAT_MS, stalledMs = STALLED_MS }: StreamOptions = {},
): Promise<void> {
  let isSending = false
  const beat = setInterval(() => {
    if (isLive && !isSending && !response.writableNeedDrain) response.write(HEARTBEAT)
  }, heartbeatMs)
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      if (response.destroyed) return
      isSending = true
      await send(next.value, response, stalledMs)
      isSending = false
      beat.refresh()
    }
    response.end()
    response.socket?.setTimeout(stalledMs)
  } finally {
    clearInterval(beat)
    await pieces.return?.()
  }
}

/** Long pieces in slices: a reader that takes one after the other is slow, but not stalled. */
async function send(piece: string | Uint8Array, response: ServerResponse, stalledMs: number): Promise<void> {
  const isShort = piece.length <= SLICE_BYTES
  const bytes = typeof piece === 'string' && !isShort ? Buffer.from(piece) : piece
  for (let start = 0; start === 0 || start < bytes.length; start += SLICE_BYTES) {
    if (response.destroyed) return
    const slice = typeof bytes === 'string' ? bytes : bytes.subarray(start, start + SLICE_BYTES)
    if (!response.write(slice)) await waitForDrain(response, stalledMs)
  }
}

/** Resolves when the reader has received what was written, or has disconnected. */
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
