/**
 * The change feed of a service: reports each event with the ids that it names to every account that may see it at the
 * time of delivery. It sends no contents. A client reads the records by ordinary requests, which check its rights again.
 */
import type { Pool } from 'pg'
import { RateLimiter } from '../credentials/rate-limit.ts'
import type { EventCodec } from '../events/codec.ts'
import { UnknownEventVersion } from '../events/event.ts'
import type { EventType } from '../events/event.ts'
import type { JsonObject, Position, RecordedEvent } from '../events/store-port.ts'
import { createEventFeed } from '../http/event-feed.ts'
import type { EventFeed, EventFeedDependencies, FeedRequest } from '../http/event-feed.ts'
import type { Caller } from '../http/route.ts'
import type { ServerSentEvent } from '../http/sse.ts'
import { requiredService } from '../lib/services.ts'
import type { Projector } from '../projections/projector.ts'
import type { Section } from './section.ts'

const CAUGHT_UP_MS = 1_000
/** Each opening may read 10,000 events. Ten windows can reconnect every two seconds for half a minute. */
const OPENINGS = { name: 'event-streams', max: 120, perSeconds: 60 }

export interface FeedEvent {
  /** Key of the stream `project-<key>`; empty for a stream of the installation. */
  readonly key: string
  readonly type: EventType
  readonly data: JsonObject
}

/** Who sees the events of a stream. A viewer sees an event if it could read the same data with a request at that time. */
export type FeedAudience<Viewer> = (viewer: Viewer, happened: FeedEvent) => boolean | Promise<boolean>

export interface ChangeFeedRequest extends FeedRequest {
  /** Id of the session. */
  readonly sid: string
  /** With the rights at the time of opening. */
  readonly caller: Caller
}

export interface ChangeFeed extends EventFeed<ChangeFeedRequest> {
  /**
   * Counts an opening of the account.
   * @throws Rejection 429
   */
  takeOpening(accountId: string, now: Date): Promise<void>
}

export const changeFeed = requiredService<ChangeFeed>('change feed')

export interface ChangeFeedDependencies<Viewer> extends Pick<
  EventFeedDependencies<ChangeFeedRequest>,
  'store' | 'clock' | 'streamsMax'
> {
  readonly codec: EventCodec
  readonly pool: Pool
  readonly projector: Pick<Projector, 'waitUntilCaughtUp'>
  /** All sections of the service: their streams. */
  readonly sections: readonly Section[]
  /** Who sees the events of each stream, by its name. */
  readonly audiences: ReadonlyMap<string, FeedAudience<Viewer>>
  /** A cheap check: whether the account can see events of a stream with this audience and key at all. */
  canConcern(accountId: string, audience: FeedAudience<Viewer>, key: string): boolean
  /** The reader with its rights now. @returns undefined if the stream has to end */
  viewerOf(request: ChangeFeedRequest, now: Date): Promise<Viewer | undefined>
}

/** Create one per process. */
export function createChangeFeed<Viewer>(parts: ChangeFeedDependencies<Viewer>): ChangeFeed {
  const { audiences, codec, sections } = parts
  const types = sections.flatMap(({ streams }) => streams.flatMap((each) => each.types.map(({ type }) => type)))
  const openings = new RateLimiter(parts.pool)
  const feed = createEventFeed<ChangeFeedRequest>({
    ...parts,
    canConcern({ accountId }, { stream }) {
      const [name, key] = nameAndKeyOf(stream)
      const audience = audiences.get(name)
      return audience !== undefined && parts.canConcern(accountId, audience, key)
    },
    async visible(request, events, position) {
      const viewer = await viewerAt(parts, types, request, position)
      if (!viewer) return undefined
      const seen: RecordedEvent[] = []
      const told: ServerSentEvent[] = []
      for (const event of events) {
        const happened = toFeedEvent(codec, event)
        const [name] = nameAndKeyOf(event.stream)
        if (!happened || !(await audiences.get(name)!(viewer, happened))) continue
        seen.push(event)
        told.push(toServerSentEvent(event.position, happened))
      }
      await untilReadable(parts, seen)
      return told
    },
  })
  return { ...feed, takeOpening: (accountId, now) => openings.take(OPENINGS, accountId, now) }
}

/** The viewer with the rights after all events up to the position; undefined if the stream has to end. */
async function viewerAt<Viewer>(
  { projector, clock, viewerOf }: ChangeFeedDependencies<Viewer>,
  types: readonly string[],
  request: ChangeFeedRequest,
  position: Position,
): Promise<Viewer | undefined> {
  for (;;) {
    // Waits only for the read models of the gate, which hold all rights. Parked events do not block it.
    const isInEffect = await projector.waitUntilCaughtUp({ types, streams: [], position }, CAUGHT_UP_MS, 'gate')
    const viewer = await viewerOf(request, clock.now())
    if (!viewer || request.ended.aborted) return undefined
    if (isInEffect) return viewer
  }
}

/** A client reads as soon as it is told: a list that is behind would stay outdated. It waits no longer than a change. */
async function untilReadable(
  { projector }: Pick<ChangeFeedDependencies<unknown>, 'projector'>,
  seen: readonly RecordedEvent[],
): Promise<void> {
  const last = seen.at(-1)
  if (!last) return
  const change = { types: seen.map(({ type }) => type), streams: [], position: last.position }
  await projector.waitUntilCaughtUp(change, CAUGHT_UP_MS)
}

const toServerSentEvent = (position: Position, { type, data }: FeedEvent): ServerSentEvent => {
  const ids = type.shownFields.filter((field) => field.endsWith('Id') && typeof data[field] === 'string')
  return {
    id: position,
    data: { position, kind: type.action, ids: Object.fromEntries(ids.map((field) => [field, data[field]!])) },
  }
}

/** Undefined for an event of a newer version, because this version cannot decide its visibility. */
function toFeedEvent(codec: EventCodec, event: RecordedEvent): FeedEvent | undefined {
  try {
    const { data } = codec.decodeSealed(event)
    return { key: nameAndKeyOf(event.stream)[1], type: codec.typeOf(event.type), data }
  } catch (error) {
    if (error instanceof UnknownEventVersion) return undefined
    throw error
  }
}

/** A stream id is `name` or `name-<key>`; names contain no hyphen. */
function nameAndKeyOf(stream: string): [name: string, key: string] {
  const [name = '', ...key] = stream.split('-')
  return [name, key.join('-')]
}
