/**
 * The change feed: that something happened and to which objects, told to whoever may see it at the moment in which it is told. It says
 * neither what was nor what is: whoever wants to know reads it, and is asked for his rights again.
 */
import type { Kysely } from 'kysely'
import type { Clock } from '#kernel/lib/clock'
import type { EventCodec } from '#kernel/events/codec'
import { UnknownShape } from '#kernel/events/event'
import type { Stream } from '#kernel/events/event'
import { need } from '#kernel/lib/services'
import { framed, retryAfter } from '#kernel/http/sse'
import type { ServerSentEvent } from '#kernel/http/sse'
import type { Projector } from '#kernel/projections/projector'
import { reject } from '#kernel/lib/rejection'
import { StoreUnavailable } from '#kernel/events/store-port'
import type { EventStore, Position, RecordedEvent } from '#kernel/events/store-port'
import { Tail } from '#kernel/projections/live-subscription'
import { audiences, mayConcern } from './visibility.ts'
import type { Happened, Listener } from './visibility.ts'
import { rightsIn } from '../access/project-access.ts'
import { callerOf, liveSession } from '../access/user-caller.ts'
import type { UserCaller } from '../access/user-caller.ts'

const STREAMS_PER_USER_MAX = 10
/** Of one process: each holds a socket and asks the database whenever something happens. */
const STREAMS_MAX = 2_000
const BEHIND_EVENTS_MAX = 10_000
const RETRY_MS = 2_000
/** What ends a session is told by its events; this finds what has none, such as that its time is over. */
const LOOK_AGAIN_MS = 15_000
const CAUGHT_UP_MS = 1_000

export interface Listening {
  readonly caller: UserCaller
  /** The position of the last event that he has seen; undefined: he begins with the next one. */
  readonly from: Position | undefined
  /** When he is gone. */
  readonly ended: AbortSignal
}

export interface LiveFeed {
  /** Ends with the session, and with `ended`. @throws Rejection 429 | 503 */
  open(listening: Listening): AsyncIterable<string>
}

export const liveFeed = need<LiveFeed>('the change feed', {
  open: () => {
    throw new Error('Nobody gave a change feed')
  },
})

export interface FeedParts {
  readonly store: EventStore
  readonly codec: EventCodec
  readonly read: Kysely<any>
  readonly clock: Clock
  readonly projector: Pick<Projector, 'caughtUp'>
  /** Open at once, of all people. Default: 2,000. */
  readonly streamsMax?: number
}

/** One for the process. */
export function feedOf(parts: FeedParts): LiveFeed {
  const { streamsMax = STREAMS_MAX } = parts
  const tail = new Tail(parts.store)
  const open = new Map<string, number>()
  let all = 0

  function take({ caller: { userId }, ended }: Listening): void {
    const own = open.get(userId) ?? 0
    if (own >= STREAMS_PER_USER_MAX)
      reject('tooMany', `You have ${own} streams open already`, 'TOO_MANY_STREAMS', { 'Retry-After': '5' })
    if (all >= streamsMax) reject('unavailable', 'Too many streams are open', 'BUSY', { 'Retry-After': '5' })
    if (ended.aborted) return
    all += 1
    open.set(userId, own + 1)
    ended.addEventListener('abort', () => {
      all -= 1
      const left = open.get(userId)! - 1
      if (left === 0) open.delete(userId)
      else open.set(userId, left)
    })
  }

  return {
    open(listening) {
      take(listening)
      return told(parts, tail, listening)
    },
  }
}

async function* told(parts: FeedParts, tail: Tail, { caller, from, ended }: Listening): AsyncGenerator<string> {
  const start = await startOf(parts.store, from)
  let saidAt = start.at
  yield retryAfter(RETRY_MS) + framed(start.isReset ? resetAt(start.at) : { id: start.at })
  let [at, lookedAt] = [start.at, parts.clock.now().getTime()]
  for await (const events of tail.follow(start.at, ended)) {
    at = events.at(-1)?.position ?? at
    const concerning = events.filter((event) => mayConcern(caller.userId, ...placeOf(event)))
    const isTimeToLook = parts.clock.now().getTime() - lookedAt >= LOOK_AGAIN_MS
    if (concerning.length === 0 && !isTimeToLook) continue
    const listener = await listenerAt(parts, caller, at, ended)
    if (!listener) return
    lookedAt = parts.clock.now().getTime()
    const seen = await seenOf(parts.codec, listener, concerning)
    // So that whoever hears nothing for long has not to begin anew when he comes back.
    if (seen.length === 0 && isTimeToLook && at > saidAt) seen.push({ id: at })
    if (seen.length === 0) continue
    saidAt = Number(seen.at(-1)!.id)
    yield seen.map(framed).join('')
  }
}

interface Start {
  readonly at: Position
  /** What came before is not told: he has to read everything anew. */
  readonly isReset?: true
}

async function startOf(store: EventStore, from: Position | undefined): Promise<Start> {
  const head = await store.head()
  if (from === undefined || from === head) return { at: head }
  return (await isTooFar(store, from, head)) ? { at: head, isReset: true } : { at: from }
}

/** Positions may have gaps, and one that is not in this log is of the log that a backup was put in place of. */
async function isTooFar(store: EventStore, from: Position, head: Position): Promise<boolean> {
  if (from > head || !(await isThere(store, from))) return true
  // No store has more events than positions.
  return head - from > BEHIND_EVENTS_MAX && store.hasMoreThan(from, BEHIND_EVENTS_MAX)
}

async function isThere(store: EventStore, position: Position): Promise<boolean> {
  if (position === 0) return true
  try {
    return (await store.eventAt(position)) !== undefined
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    // A store whose positions have gaps refuses to look into one.
    return false
  }
}

const resetAt = (position: Position): ServerSentEvent => ({ id: position, event: 'reset', data: { position } })

/** Who listens, as he is once everything up to the position is in effect; undefined when his session is over. */
async function listenerAt(
  { projector, read, clock }: FeedParts,
  { sid }: UserCaller,
  position: Position,
  ended: AbortSignal,
): Promise<Listener | undefined> {
  for (;;) {
    // Rights are in the read models that the gate asks, whatever event they come from; what is parked there holds up nobody.
    const isInEffect = await projector.caughtUp({ types: ALL_TYPES, streams: [], position }, CAUGHT_UP_MS, 'gate')
    const session = await liveSession(read, sid, clock.now())
    if (!session || ended.aborted) return undefined
    if (!isInEffect) continue
    const caller = callerOf(session, clock.now())
    const rights = new Map<string, ReturnType<typeof rightsIn>>()
    return {
      caller,
      read,
      rightsIn(projectId) {
        const known = rights.get(projectId) ?? rightsIn(read, caller, projectId)
        rights.set(projectId, known)
        return known
      },
    }
  }
}

async function seenOf(
  codec: EventCodec,
  listener: Listener,
  events: readonly RecordedEvent[],
): Promise<ServerSentEvent[]> {
  const seen: ServerSentEvent[] = []
  for (const event of events) {
    const happened = happenedBy(codec, event)
    const [stream] = placeOf(event)
    if (happened && (await audiences.get(stream!)!(listener, happened))) seen.push(shownOf(event.position, happened))
  }
  return seen
}

const shownOf = (position: Position, { type, data }: Happened): ServerSentEvent => {
  const ids = type.shownFields.filter((field) => field.endsWith('Id') && typeof data[field] === 'string')
  return {
    id: position,
    data: { position, kind: type.action, ids: Object.fromEntries(ids.map((field) => [field, data[field]!])) },
  }
}

/** Undefined for what a newer process has written: this one cannot judge who may see it. */
function happenedBy(codec: EventCodec, event: RecordedEvent): Happened | undefined {
  try {
    const { data } = codec.decodeSealed(event)
    return { key: placeOf(event)[1], type: codec.typeOf(event.type), data }
  } catch (error) {
    if (error instanceof UnknownShape) return undefined
    throw error
  }
}

const STREAMS = new Map([...audiences.keys()].map((stream) => [stream.name, stream]))
const ALL_TYPES = [...audiences.keys()].flatMap(({ types }) => types.map(({ type }) => type))

/** A stream is called `name` or `name-<key>`, and no name holds a hyphen. */
function placeOf({ stream }: RecordedEvent): [stream: Stream | undefined, key: string] {
  const [name = '', ...key] = stream.split('-')
  return [STREAMS.get(name), key.join('-')]
}
