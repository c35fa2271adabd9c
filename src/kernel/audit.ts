/** The audit trail: a projection of every stream. An event is its own audit entry, so none can be forgotten. */
import { addressOf } from './codec.ts'
import type { EventCodec } from './codec.ts'
import type { EventType, Metadata } from './event.ts'
import { integer, json, nullable, primary, readModel, sealedText, text, texts, time } from './read-model.ts'
import type { ReadModel, RowOf } from './read-model.ts'
import type { JsonObject } from './store/port.ts'

const columns = {
  position: primary(integer),
  eventId: text,
  at: time,
  actorType: text,
  actorId: text,
  ip: nullable(
    sealedText(
      'ip',
      (row: { actorType: string; actorId: string }) => addressOf({ type: row.actorType, id: row.actorId }).subject,
    ),
  ),
  action: text,
  subjectType: text,
  subjectId: text,
  /** Every id that the event names, so that a customer's entries include those of his licenses. */
  ids: texts,
  requestId: text,
  sentence: text,
  details: json<JsonObject>(),
}

export type AuditRow = RowOf<typeof columns>

export function auditTrail(codec: EventCodec): ReadModel<typeof columns, AuditRow> {
  return readModel('auditTrail', 1, columns, [
    '(at)',
    '(action, position)',
    'USING gin (ids)',
    '(actor_id, position)',
  ]).fromAll((table, data, { type: name, position, id, at, metadata }) => {
    const type = codec.typeOf(name)
    return table.insert({
      position,
      eventId: id,
      at,
      ...who(metadata),
      action: type.action,
      subjectType: type.subjectType,
      subjectId: String(data[type.subjectKey]),
      ids: idsIn(data),
      requestId: metadata.requestId,
      sentence: type.sentence(data),
      details: shown(type, data),
    })
  })
}

const who = ({ actor, ip }: Metadata) => ({ actorType: actor.type, actorId: actor.id, ip: ip ?? null })

const idsIn = (data: JsonObject): string[] => [
  ...new Set(
    Object.entries(data).flatMap(([field, value]) => (/Id$/.test(field) && typeof value === 'string' ? [value] : [])),
  ),
]

const shown = (type: EventType, data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([field]) => type.shownFields.includes(field)))
