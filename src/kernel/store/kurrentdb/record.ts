/** An event as a record of the server and back. The record's metadata may hold texts only, so ours is one text in it. */
import { jsonEvent } from '@kurrent/kurrentdb-client'
import type { EventData, RecordedEvent as Stored } from '@kurrent/kurrentdb-client'
import type { EventToAppend, JsonObject, Position, RecordedEvent } from '../../events/store-port.ts'

/** What the server takes as the name of a type. Another one stands in the metadata alone. */
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

/** A byte offset in the server's log, where records that are appended together follow each other, each at its own. */
function positionOf({ position }: Stored): Position {
  const offset = Number(position?.prepare)
  if (!Number.isSafeInteger(offset))
    throw new RangeError(`${position?.prepare} is not a position that a number can hold`)
  return offset
}
