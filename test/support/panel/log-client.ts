/** A reader of a stream of logs after WHATWG HTML 9.2: an incomplete frame is ignored. */
import { request } from 'node:http'

interface LogEvent {
  readonly id: string
  readonly data: { readonly text: string; readonly service: string | null; readonly deploymentId: string | null }
}

interface LogOptions {
  readonly path: string
  readonly as?: string
  readonly query?: string
  /** Last-Event-ID. */
  readonly from?: string | undefined
}

export interface LogClient {
  readonly status: number
  readonly lines: readonly LogEvent[]
  readonly gaps: number
  /** Of the last complete frame. */
  lastId(): string | undefined
  until(isSo: () => boolean): Promise<void>
  readonly over: Promise<'ended' | 'cut'>
  close(): void
}

const WITHIN_MS = 15_000

export function openLogClient(url: string, { path, as, query = '', from }: LogOptions): Promise<LogClient> {
  const headers = {
    ...(as !== undefined && { authorization: `Bearer ${as}` }),
    ...(from !== undefined && { 'last-event-id': from }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<LogClient>()
  const asked = request(url + path + query, { agent: false, headers })
  asked.on('error', reject)
  asked.on('response', (response) => {
    const lines: LogEvent[] = []
    let [rest, gaps, isOver] = ['', 0, false]
    let lastId: string | undefined
    const { promise: over, resolve: end } = Promise.withResolvers<'ended' | 'cut'>()
    response.setEncoding('utf8').on('data', (piece: string) => {
      if (isOver) return
      const frames = (rest + piece).split('\n\n')
      rest = frames.pop()!
      for (const frame of frames) {
        const fields = Object.fromEntries(
          frame.split('\n').map((line) => [line.split(':')[0], line.replace(/^\w*: ?/, '')]),
        )
        if (fields['id'] !== undefined) lastId = fields['id']
        if (fields['event'] === 'gap') gaps += 1
        if (fields['event'] === 'line') lines.push({ id: fields['id']!, data: JSON.parse(fields['data']) })
      }
    })
    response.on('end', () => end('ended')).on('error', () => {})
    response.on('close', () => {
      isOver = true
      end('cut')
    })
    resolve({
      status: response.statusCode!,
      lines,
      get gaps() {
        return gaps
      },
      lastId: () => lastId,
      async until(isSo) {
        const untilMs = performance.now() + WITHIN_MS
        while (!isSo()) {
          if (isOver || performance.now() > untilMs)
            throw new Error(`Nothing more came after ${JSON.stringify(lines.at(-1))}`)
          await new Promise((again) => setTimeout(again, 20))
        }
      },
      over,
      close() {
        isOver = true
        asked.destroy()
      },
    })
  })
  asked.end()
  return promise
}
