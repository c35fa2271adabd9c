/**
 * Converts events to records of the server and back.
 * Metadata of a record holds texts only, so an event's is one JSON text.
 */
import { jsonEvent } from '@kurrent/kurrentdb-client'
import type { EventData, RecordedEvent as Stored } from '@kurrent/kurrentdb-client'
import type { EventToAppend, JsonObject, Position, RecordedEvent } from '../../events/store-port.ts'

/** The type names that the server accepts. Any other name is stored in the metadata only. */
const TYPE = /^[\w.$:-]+$/
const OTHER_TYPE = 'Event'

interface Properties {
  readonly type?: string
  readonly schemaVersion: string
  readonly metadata: string
}

export function recordOf({ id, type, schemaVersion, data, metadata }: EventToAppend): EventData {
  const plain = TYPE.test(type)
  const properties: Properties = {
    ...(plain ? {} : { type }),
    schemaVersion: String(schemaVersion),
    metadata: JSON.stringify(metadata),
  }
  return jsonEvent({ id: id.toLowerCase(), type: plain ? type : OTHER_TYPE, data, metadata: { ...properties } })
}

export function eventOf(stored: Stored): RecordedEvent {
  const { type = stored.type, schemaVersion, metadata } = stored.metadata as unknown as Properties
  return {
    position: positionOf(stored),
    recordedAt: stored.created,
    revision: Number(stored.revision) + 1,
    id: stored.id,
    stream: stored.streamId,
    type,
    schemaVersion: Number(schemaVersion),
    data: stored.data as JsonObject,
    metadata: JSON.parse(metadata) as JsonObject,
  }
}

/**
 * The byte offset in the server's log. Records that are appended together are consecutive, each with its own offset.
 */
function positionOf({ position }: Stored): Position {
  const offset = Number(position?.prepare)
  if (!Number.isSafeInteger(offset))
    throw new RangeError(`The position ${position?.prepare} is too large to be read as a number`)
  return offset
}
