/** Minimal appends for tests. */
import { randomUUID } from 'node:crypto'
import type {
  Append,
  EventToAppend,
  HeldConstraint,
  JsonObject,
  AppendPart,
  RecordedEvent,
  Revision,
} from '#kernel/events/store-port'

export function anEvent(data: JsonObject = {}, more: Partial<EventToAppend> = {}): EventToAppend {
  return { id: randomUUID(), type: 'NoteWritten', schemaVersion: 1, data, metadata: {}, ...more }
}

export function aPart(stream: string, expected: Revision | 'any', ...events: EventToAppend[]): AppendPart {
  return { stream, expected, events: events.length > 0 ? events : [anEvent()] }
}

export function aGuard(stream: string, expected: Revision | 'any'): AppendPart {
  return { stream, expected, events: [] }
}

export function anAppend(stream: string, expected: Revision | 'any', ...events: EventToAppend[]): Append {
  return { parts: [aPart(stream, expected, ...events)] }
}

export function aStream(): string {
  return `note-${randomUUID()}`
}

export function aConstraint(holder: string, key: string = randomUUID()): HeldConstraint {
  return { scope: 'reference', key, holder }
}

/** Fields may be getters, which `toEqual` does not compare. */
export const withDefaults = ({
  position,
  recordedAt,
  revision,
  id,
  stream,
  type,
  schemaVersion,
  data,
  metadata,
}: RecordedEvent): RecordedEvent => ({
  position,
  recordedAt,
  revision,
  id,
  stream,
  type,
  schemaVersion,
  data,
  metadata,
})
