/** A reader of the change feed after WHATWG HTML 9.2: an incomplete frame is ignored. */
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'

export interface FeedMessage {
  readonly id: number
  /** `message` by default. */
  readonly name: string
  readonly data: { position: number; kind?: string; ids?: Record<string, string> }
}

export interface ListenOptions {
  /** A session, sent in the header. */
  readonly as?: string
  readonly query?: string
  /** Of the feed. Default: that of a panel. */
  readonly path?: string
  /** Last-Event-ID. */
  readonly from?: string | number | undefined
  /** Cuts the connection after this number of bytes of the answer. */
  readonly bytesMax?: number
}

const WITHIN_MS = 50_000

export interface SseClient {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** The body so far. */
  text(): string
  readonly heard: FeedMessage[]
  /** The id of the last complete frame; NaN before the first one. */
  lastId(): number
  /** @throws if the stream ends, or 50 s pass, before the condition holds */
  until(isSo: () => boolean): Promise<void>
  /** Resolves when the answer is over: 'ended' by the server, or 'cut'. */
  readonly over: Promise<'ended' | 'cut'>
  close(): void
}

/** The kinds of the received frames, in order. */
export const kindsIn = ({ heard }: Pick<SseClient, 'heard'>): string[] => heard.flatMap(({ data }) => data.kind ?? [])

export function openSseClient(
  url: string,
  { as, path = '/api/events/stream', query = '', from, bytesMax = Infinity }: ListenOptions = {},
): Promise<SseClient> {
  const headers = {
    ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
    ...(from === undefined ? {} : { 'last-event-id': String(from) }),
  }
  return new Promise((resolve, fail) => {
    const sent = request(url + path + query, { agent: false, headers })
    sent.once('error', fail)
    sent.once('response', (response) => {
      sent.off('error', fail).on('error', () => {})
      resolve(earOf(response, bytesMax, () => sent.destroy()))
    })
    sent.end()
  })
}

function earOf(response: IncomingMessage, bytesMax: number, close: () => void): SseClient {
  const heard: FeedMessage[] = []
  const waiting = new Set<() => void>()
  let [text, parsed, lastId, isOver] = ['', 0, NaN, false]

  function take(piece: string): void {
    text += piece.slice(0, bytesMax - text.length)
    for (let end = text.indexOf('\n\n', parsed); end >= 0; end = text.indexOf('\n\n', parsed)) {
      const fields = new Map(text.slice(parsed, end).split('\n').map(fieldOf))
      parsed = end + 2
      if (fields.has('id')) lastId = Number(fields.get('id'))
      const data = fields.get('data')
      if (data !== undefined) heard.push({ id: lastId, name: fields.get('event') ?? 'message', data: JSON.parse(data) })
    }
    if (text.length >= bytesMax) close()
    for (const look of waiting) look()
  }

  response.setEncoding('utf8')
  response.on('data', take)
  const over = new Promise<'ended' | 'cut'>((resolve) => {
    response.once('end', () => resolve('ended'))
    response.on('error', () => {})
    response.once('close', () => {
      resolve('cut')
      isOver = true
      for (const look of waiting) look()
    })
  })

  return {
    status: response.statusCode!,
    headers: response.headers,
    text: () => text,
    heard,
    lastId: () => lastId,
    over,
    close,
    until: (isSo) =>
      new Promise((resolve, fail) => {
        const complain = (why: string) => fail(new Error(`${why}, having heard\n${text}`))
        const late = setTimeout(() => complain('Nothing more came'), WITHIN_MS)
        const look = () => {
          if (isSo()) resolve()
          else if (isOver) complain('It was over')
          else return
          clearTimeout(late)
          waiting.delete(look)
        }
        waiting.add(look)
        look()
      }),
  }
}

/** `data: x` is data and x; a comment is the field without a name. */
function fieldOf(line: string): [string, string] {
  const at = line.indexOf(':')
  return [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
}
