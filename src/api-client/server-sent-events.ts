/** Reads server-sent events (WHATWG HTML, 9.2) of an operation with `fetch`, and connects again where it was. */
import type { Call, CallArguments, CallInput } from './call.ts'
import type { Operation, Shape } from './operation.ts'
import { Refusal } from './refusal.ts'

export interface ServerSentEvent {
  /** `message` without a name. */
  readonly name: string
  /** Of the newest event that has one. */
  readonly id: string | undefined
  /** JSON. */
  readonly data: string
}

export interface EventsOptions {
  /** Ends the reading. */
  readonly signal?: AbortSignal
  /** The id of the last event that was seen. */
  readonly after?: string | undefined
  /** Told when the stream is connected: what happens from now on is yielded. */
  readonly onOpen?: (() => void) | undefined
  /** Told when the connection is lost or refused for a while. It is made again. */
  readonly onLost?: ((reason: unknown) => void) | undefined
}

export interface EventsShape extends Shape {
  readonly query?: { readonly lastEventId?: string | undefined } | undefined
  readonly data: Response
}

/** The service sends a comment every 15 s. */
const SILENCE_MS = 40_000
/** Until the service says otherwise. */
const RETRY_MS = 2_000

/**
 * Yields events until `signal` is aborted. A lost connection is made again, and continues after the last event.
 * @throws Refusal if the service does not serve this caller, for example 401 after the session has ended
 */
export async function* serverSentEvents<S extends EventsShape>(
  call: Call,
  operation: Operation<S>,
  input: Omit<CallInput<S>, 'signal'>,
  { signal = new AbortController().signal, after, onOpen, onLost }: EventsOptions = {},
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const place: ReadingPlace = { id: after, retryMs: RETRY_MS }
  while (!signal.aborted) {
    const silence = silenceAlarm(signal)
    let reason: unknown
    try {
      const query = { ...input.query, ...(place.id !== undefined && { lastEventId: place.id }) }
      const asked = { ...input, query, signal: silence.signal }
      const { data } = await call(operation, ...([asked] as unknown as CallArguments<S>))
      onOpen?.()
      for await (const event of eventsIn(data, place, silence.restart)) yield event
    } catch (error) {
      if (isFinal(error)) throw error
      reason = error
    } finally {
      silence.stop()
    }
    if (signal.aborted) return
    onLost?.(reason)
    await pause(waitMs(reason, place), signal)
  }
}

/** Where a reader is; a new connection continues from here. */
interface ReadingPlace {
  id: string | undefined
  retryMs: number
}

/** Statuses of a service that is too busy or away; the others stay as they are. */
const isFinal = (error: unknown): boolean =>
  error instanceof Refusal && error.statusCode < 500 && error.statusCode !== 408 && error.statusCode !== 429

/** Up to twice the time, so that readers do not come back all at once. */
function waitMs(reason: unknown, { retryMs }: ReadingPlace): number {
  const asked = reason instanceof Refusal ? (reason.retryAfterMs ?? 0) : 0
  return Math.max(asked, retryMs) * (1 + Math.random())
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

/** Aborted by `outer`, or after a silence that only a dead connection has. */
function silenceAlarm(outer: AbortSignal): { signal: AbortSignal; restart: () => void; stop: () => void } {
  const controller = new AbortController()
  const end = () => controller.abort(outer.reason)
  const isDead = () => controller.abort(new Error(`The stream was silent for ${SILENCE_MS / 1_000} s`))
  let timer = setTimeout(isDead, SILENCE_MS)
  outer.addEventListener('abort', end)
  return {
    signal: controller.signal,
    restart() {
      clearTimeout(timer)
      timer = setTimeout(isDead, SILENCE_MS)
    },
    stop() {
      clearTimeout(timer)
      outer.removeEventListener('abort', end)
      controller.abort()
    },
  }
}

async function* eventsIn(answer: Response, place: ReadingPlace, onBytes: () => void): AsyncGenerator<ServerSentEvent> {
  if (!answer.body) return
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onBytes()
    const blocks = (text + decoder.decode(part.value, { stream: true })).split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const event = eventIn(block, place)
      if (event) yield event
    }
  }
}

/** One event of the stream; comments and bare ids are none. */
function eventIn(block: string, place: ReadingPlace): ServerSentEvent | undefined {
  const fields = new Map(block.split('\n').map(fieldIn))
  const retry = Number(fields.get('retry'))
  if (retry > 0) place.retryMs = retry
  place.id = fields.get('id') ?? place.id
  const data = fields.get('data')
  return data === undefined ? undefined : { name: fields.get('event') ?? 'message', id: place.id, data }
}

function fieldIn(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
}
