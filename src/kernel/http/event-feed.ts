/**
 * A feed of the event log as server-sent events. A client resumes after a position. A client that is too far behind
 * gets one `reset`, after which it reads everything again. The service decides what each reader sees.
 */
import { StoreUnavailable } from '../events/store-port.ts'
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'
import type { Clock } from '../lib/clock.ts'
import { reject } from '../lib/rejection.ts'
import { LiveSubscriptions } from '../projections/live-subscriptions.ts'
import { formatServerSentEvent, retryField } from './sse.ts'
import type { ServerSentEvent } from './sse.ts'

const FEEDS_PER_ACCOUNT_MAX = 10
/** Limit per process. Each feed holds a socket and queries the database on every event. */
const FEEDS_MAX = 2_000
const BEHIND_EVENTS_MAX = 10_000
const RETRY_MS = 2_000
/** Most session ends arrive as events. This interval finds those without one, such as expiry. */
const LOOK_AGAIN_MS = 15_000

export interface FeedRequest {
  readonly accountId: string
  /** Position of the last event that the client has seen; undefined: start with the next event. */
  readonly from: Position | undefined
  /** Aborted when the client disconnects. */
  readonly ended: AbortSignal
}

export interface EventFeedDependencies<Request extends FeedRequest> {
  readonly store: EventStore
  readonly clock: Clock
  /** Feeds open at once, over all accounts. Default: 2,000. */
  readonly streamsMax?: number
  /** A cheap check: whether the account can see the event at all. */
  canConcern(request: Request, event: RecordedEvent): boolean
  /**
   * What the reader sees of these events, with its rights after all events up to the position.
   * @returns undefined if the session of the reader has ended
   */
  visible(
    request: Request,
    events: readonly RecordedEvent[],
    position: Position,
  ): Promise<ServerSentEvent[] | undefined>
}

export interface EventFeed<Request extends FeedRequest> {
  /**
   * Ends with the session, or when `ended` is aborted.
   * @throws Rejection 429 | 503
   */
  open(request: Request): AsyncIterable<string>
}

/** Create one per process. */
export function createEventFeed<Request extends FeedRequest>(
  parts: EventFeedDependencies<Request>,
): EventFeed<Request> {
  const { streamsMax = FEEDS_MAX } = parts
  const tail = new LiveSubscriptions(parts.store)
  const open = new Map<string, number>()
  let all = 0

  function take({ accountId, ended }: FeedRequest): void {
    const own = open.get(accountId) ?? 0
    if (own >= FEEDS_PER_ACCOUNT_MAX)
      reject('tooMany', `You have ${own} event streams open already: close one and try again`, 'TOO_MANY_STREAMS', {
        'Retry-After': '5',
      })
    if (all >= streamsMax)
      reject('unavailable', 'Too many event streams are open: try again later', 'BUSY', { 'Retry-After': '5' })
    if (ended.aborted) return
    all += 1
    open.set(accountId, own + 1)
    ended.addEventListener('abort', () => {
      all -= 1
      const left = open.get(accountId)! - 1
      if (left === 0) open.delete(accountId)
      else open.set(accountId, left)
    })
  }

  return {
    open(request) {
      take(request)
      return feedFrames(parts, tail, request)
    },
  }
}

async function* feedFrames<Request extends FeedRequest>(
  parts: EventFeedDependencies<Request>,
  tail: LiveSubscriptions,
  request: Request,
): AsyncGenerator<string> {
  const start = await feedStart(parts.store, request.from)
  let saidAt = start.at
  yield retryField(RETRY_MS) + formatServerSentEvent(start.isReset ? resetAt(start.at) : { id: start.at })
  let [at, lookedAt] = [start.at, parts.clock.now().getTime()]
  for await (const events of tail.subscribe(start.at, request.ended)) {
    at = events.at(-1)?.position ?? at
    const concerning = events.filter((event) => parts.canConcern(request, event))
    const isTimeToLook = parts.clock.now().getTime() - lookedAt >= LOOK_AGAIN_MS
    if (concerning.length === 0 && !isTimeToLook) continue
    const seen = await parts.visible(request, concerning, at)
    if (!seen) return
    lookedAt = parts.clock.now().getTime()
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
