/** Follows the change feed of a service. */
import type { Call, CallInput } from './call.ts'
import type { Operation } from './operation.ts'
import { serverSentEvents } from './server-sent-events.ts'
import type { EventsOptions, EventsShape } from './server-sent-events.ts'

/** What happened to which records; their values are read by their own operations. */
export interface FeedChange {
  readonly type: 'change'
  readonly position: number
  /** Such as `project.changed`. */
  readonly kind: string
  /** Such as `projectId`. */
  readonly ids: Readonly<Record<string, string>>
}

/** The reader was away for too long: read everything again. */
export interface FeedReset {
  readonly type: 'reset'
  readonly position: number
}

export type FeedEvent = FeedChange | FeedReset

export interface FeedOptions extends Omit<EventsOptions, 'after'> {
  /** The position of the last event that was seen. Absent: the feed begins with the next event. */
  readonly after?: number
}

export type FeedShape = EventsShape

/**
 * Yields events until `signal` is aborted. A lost connection is made again, and continues after the last event.
 * @throws Refusal if the service does not serve this caller, for example 401 after the session has ended
 */
export type Feed = (options?: FeedOptions) => AsyncGenerator<FeedEvent, void, undefined>

export function createFeed<S extends FeedShape>(call: Call, operation: Operation<S>): Feed {
  return async function* ({ after, ...options } = {}) {
    const place = after === undefined ? undefined : String(after)
    const events = serverSentEvents(call, operation, {} as CallInput<S>, { ...options, after: place })
    for await (const { name, data } of events) {
      const type = name === 'reset' ? 'reset' : 'change'
      yield { type, ...(JSON.parse(data) as object) } as FeedEvent
    }
  }
}
