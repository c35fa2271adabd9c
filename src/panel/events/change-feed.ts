/**
 * The change feed: reports each event with the ids that it names to every caller that may see it at the
 * time of delivery. It sends no contents. A client reads the objects by ordinary requests, which check
 * its rights again.
 */
import type { EventCodec } from '#kernel/events/codec'
import { UnknownEventVersion } from '#kernel/events/event'
import type { Position, RecordedEvent } from '#kernel/events/store-port'
import { createEventFeed } from '#kernel/http/event-feed'
import type { EventFeed, EventFeedDependencies, FeedRequest } from '#kernel/http/event-feed'
import type { ServerSentEvent } from '#kernel/http/sse'
import { requiredService } from '#kernel/lib/services'
import type { Projector } from '#kernel/projections/projector'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Section } from '#kernel/resource/section'
import { canConcern } from '../access/audiences.ts'
import type { Audience, FeedEvent, FeedViewer } from '../access/audiences.ts'
import { rightsIn } from '../access/project-access.ts'
import { callerOfSession, findLiveSession } from '../access/user-caller.ts'

const CAUGHT_UP_MS = 1_000

interface ChangeFeedRequest extends FeedRequest {
  /** Id of the session. */
  readonly sid: string
}

export type ChangeFeed = EventFeed<ChangeFeedRequest>

export const changeFeed = requiredService<ChangeFeed>('change feed')

export interface ChangeFeedDependencies extends Pick<
  EventFeedDependencies<ChangeFeedRequest>,
  'store' | 'clock' | 'streamsMax'
> {
  readonly codec: EventCodec
  readonly read: ReadDatabase
  readonly projector: Pick<Projector, 'waitUntilCaughtUp'>
  /** All sections of the panel: their streams, and who sees each. */
  readonly sections: readonly Section<Audience>[]
}

/** Create one per process. */
export function createChangeFeed(parts: ChangeFeedDependencies): ChangeFeed {
  const audiences = new Map(parts.sections.flatMap(({ visibleTo }) => Object.entries(visibleTo)))
  const types = parts.sections.flatMap(({ streams }) => streams.flatMap((each) => each.types.map(({ type }) => type)))
  return createEventFeed<ChangeFeedRequest>({
    ...parts,
    canConcern({ accountId }, { stream }) {
      const [name, key] = nameAndKeyOf(stream)
      return canConcern(accountId, audiences.get(name), key)
    },
    async visible(request, events, position) {
      const viewer = await viewerAt(parts, types, request, position)
      if (!viewer) return undefined
      const seen: ServerSentEvent[] = []
      for (const event of events) {
        const happened = toFeedEvent(parts.codec, event)
        const [name] = nameAndKeyOf(event.stream)
        if (happened && (await audiences.get(name)!(viewer, happened)))
          seen.push(toServerSentEvent(event.position, happened))
      }
      return seen
    },
  })
}

/** The caller with the rights after all events up to the position; undefined if the session has ended. */
async function viewerAt(
  { projector, read, clock }: ChangeFeedDependencies,
  types: readonly string[],
  { sid, ended }: ChangeFeedRequest,
  position: Position,
): Promise<FeedViewer | undefined> {
  for (;;) {
    // Waits only for the read models of the gate, which hold all rights. Parked events do not block it.
    const isInEffect = await projector.waitUntilCaughtUp({ types, streams: [], position }, CAUGHT_UP_MS, 'gate')
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
