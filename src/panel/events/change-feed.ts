/**
 * The change feed: reports each event with the ids that it names to every caller that may see it at the
 * time of delivery. It sends no contents. A client reads the objects by ordinary requests, which check
 * its rights again.
 */
import type { EventCodec } from '#kernel/events/codec'
import { UnknownEventVersion } from '#kernel/events/event'
import type { Stream } from '#kernel/events/event'
import { StoreUnavailable } from '#kernel/events/store-port'
import type { EventStore, Position, RecordedEvent } from '#kernel/events/store-port'
import { formatServerSentEvent, retryField } from '#kernel/http/sse'
import type { ServerSentEvent } from '#kernel/http/sse'
import type { Clock } from '#kernel/lib/clock'
import { reject } from '#kernel/lib/rejection'
import { serviceKey } from '#kernel/lib/services'
import { LiveSubscriptions } from '#kernel/projections/live-subscriptions'
import type { Projector } from '#kernel/projections/projector'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { rightsIn } from '../access/project-access.ts'
import { callerOfSession, findLiveSession } from '../access/user-caller.ts'
import type { UserCaller } from '../access/user-caller.ts'
import { audiences, canConcern } from './visibility.ts'
import type { FeedEvent, FeedViewer } from './visibility.ts'

const STREAMS_PER_USER_MAX = 10
/** Limit per process. Each stream holds a socket and queries the database on every event. */
const STREAMS_MAX = 2_000
const BEHIND_EVENTS_MAX = 10_000
const RETRY_MS = 2_000
/** Most session ends arrive as events. This interval finds those without one, such as expiry. */
const LOOK_AGAIN_MS = 15_000
const CAUGHT_UP_MS = 1_000

export interface FeedRequest {
  readonly caller: UserCaller
  /** Position of the last event that the client has seen; undefined: start with the next event. */
  readonly from: Position | undefined
  /** Aborted when the client disconnects. */
  readonly ended: AbortSignal
}

export interface ChangeFeed {
  /**
   * Ends with the session, or when `ended` is aborted.
   * @throws Rejection 429 | 503
   */
  open(listening: FeedRequest): AsyncIterable<string>
}

export const changeFeed = serviceKey<ChangeFeed>('the change feed', {
  open: () => {
    throw new Error('No change feed was provided: register one in the composition root')
  },
})

export interface ChangeFeedDependencies {
  readonly store: EventStore
  readonly codec: EventCodec
  readonly read: ReadDatabase
  readonly clock: Clock
  readonly projector: Pick<Projector, 'waitUntilCaughtUp'>
  /** Streams open at once, over all accounts. Default: 2,000. */
  readonly streamsMax?: number
}

/** Create one per process. */
export function createChangeFeed(parts: ChangeFeedDependencies): ChangeFeed {
  const { streamsMax = STREAMS_MAX } = parts
  const tail = new LiveSubscriptions(parts.store)
  const open = new Map<string, number>()
  let all = 0

  function take({ caller: { userId }, ended }: FeedRequest): void {
    const own = open.get(userId) ?? 0
    if (own >= STREAMS_PER_USER_MAX)
      reject('tooMany', `You have ${own} event streams open already: close one and try again`, 'TOO_MANY_STREAMS', {
        'Retry-After': '5',
      })
    if (all >= streamsMax)
      reject('unavailable', 'Too many event streams are open: try again later', 'BUSY', { 'Retry-After': '5' })
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
      return feedFrames(parts, tail, listening)
    },
  }
}

async function* feedFrames(
  parts: ChangeFeedDependencies,
  tail: LiveSubscriptions,
  { caller, from, ended }: FeedRequest,
): AsyncGenerator<string> {
  const start = await feedStart(parts.store, from)
  let saidAt = start.at
  yield retryField(RETRY_MS) + formatServerSentEvent(start.isReset ? resetAt(start.at) : { id: start.at })
  let [at, lookedAt] = [start.at, parts.clock.now().getTime()]
  for await (const events of tail.subscribe(start.at, ended)) {
    at = events.at(-1)?.position ?? at
    const concerning = events.filter((event) => canConcern(caller.userId, ...streamAndKeyOf(event)))
    const isTimeToLook = parts.clock.now().getTime() - lookedAt >= LOOK_AGAIN_MS
    if (concerning.length === 0 && !isTimeToLook) continue
    const listener = await viewerAt(parts, caller, at, ended)
    if (!listener) return
    lookedAt = parts.clock.now().getTime()
    const seen = await visibleEvents(parts.codec, listener, concerning)
    // Moves the position of a client without visible events forward, so that it need not start over
    // when it reconnects.
    if (seen.length === 0 && isTimeToLook && at > saidAt) seen.push({ id: at })
    if (seen.length === 0) continue
    saidAt = Number(seen.at(-1)!.id)
    yield seen.map(formatServerSentEvent).join('')
  }
}

interface FeedStart {
  readonly at: Position
  /** Older events are not sent: the client must read everything again. */
  readonly isReset?: true
}

async function feedStart(store: EventStore, from: Position | undefined): Promise<FeedStart> {
  const head = await store.head()
  if (from === undefined || from === head) return { at: head }
  return (await isTooFarBehind(store, from, head)) ? { at: head, isReset: true } : { at: from }
}

/** Positions may have gaps. A position that is not in this log comes from the log before a restore. */
async function isTooFarBehind(store: EventStore, from: Position, head: Position): Promise<boolean> {
  if (from > head || !(await hasPosition(store, from))) return true
  // The number of events is never larger than the difference of positions.
  return head - from > BEHIND_EVENTS_MAX && store.hasMoreThan(from, BEHIND_EVENTS_MAX)
}

async function hasPosition(store: EventStore, position: Position): Promise<boolean> {
  if (position === 0) return true
  try {
    return (await store.eventAt(position)) !== undefined
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    // A store whose positions have gaps throws when asked for one inside a gap.
    return false
  }
}

const resetAt = (position: Position): ServerSentEvent => ({ id: position, event: 'reset', data: { position } })

/** The caller with the rights after all events up to the position; undefined if the session has ended. */
async function viewerAt(
  { projector, read, clock }: ChangeFeedDependencies,
  { sid }: UserCaller,
  position: Position,
  ended: AbortSignal,
): Promise<FeedViewer | undefined> {
  for (;;) {
    // Waits only for the read models of the gate, which hold all rights. Parked events do not block
    // this.
    const isInEffect = await projector.waitUntilCaughtUp(
      { types: ALL_TYPES, streams: [], position },
      CAUGHT_UP_MS,
      'gate',
    )
    const session = await findLiveSession(read, sid, clock.now())
    if (!session || ended.aborted) return undefined
    if (!isInEffect) continue
    const caller = callerOfSession(session, clock.now())
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

async function visibleEvents(
  codec: EventCodec,
  listener: FeedViewer,
  events: readonly RecordedEvent[],
): Promise<ServerSentEvent[]> {
  const seen: ServerSentEvent[] = []
  for (const event of events) {
    const happened = toFeedEvent(codec, event)
    const [stream] = streamAndKeyOf(event)
    if (happened && (await audiences.get(stream!)!(listener, happened)))
      seen.push(toServerSentEvent(event.position, happened))
  }
  return seen
}

const toServerSentEvent = (position: Position, { type, data }: FeedEvent): ServerSentEvent => {
  const ids = type.shownFields.filter((field) => field.endsWith('Id') && typeof data[field] === 'string')
  return {
    id: position,
    data: { position, kind: type.action, ids: Object.fromEntries(ids.map((field) => [field, data[field]!])) },
  }
}

/**
 * Undefined for an event that a newer version has written, because this version cannot decide its
 * visibility.
 */
function toFeedEvent(codec: EventCodec, event: RecordedEvent): FeedEvent | undefined {
  try {
    const { data } = codec.decodeSealed(event)
    return { key: streamAndKeyOf(event)[1], type: codec.typeOf(event.type), data }
  } catch (error) {
    if (error instanceof UnknownEventVersion) return undefined
    throw error
  }
}

const STREAMS = new Map([...audiences.keys()].map((stream) => [stream.name, stream]))
const ALL_TYPES = [...audiences.keys()].flatMap(({ types }) => types.map(({ type }) => type))

/** A stream id is `name` or `name-<key>`; names contain no hyphen. */
function streamAndKeyOf({ stream }: RecordedEvent): [stream: Stream | undefined, key: string] {
  const [name = '', ...key] = stream.split('-')
  return [STREAMS.get(name), key.join('-')]
}
