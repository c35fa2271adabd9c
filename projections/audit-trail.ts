/**
 * The audit trail: a projection of every stream. Each event is its own audit entry, so no entry can
 * be missing.
 */
import { ipSealField } from '#kernel/events/codec'
import type { EventType } from '#kernel/events/event'
import type { JsonObject } from '#kernel/events/store-port'
import { isUuid } from '#kernel/lib/uuid'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  integer,
  json,
  nullable,
  primary,
  readModel,
  sealedText,
  sql,
  text,
  texts,
  timestamptz,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import type { RowsOf } from '#kernel/resource/list-route'

interface ActorColumns {
  readonly actorType: string
  readonly actorId: string
}
const actorSubject = ({ actorType, actorId }: ActorColumns): string =>
  ipSealField({ type: actorType, id: actorId }).subject

const columns = {
  position: primary(integer),
  at: timestamptz,
  actorType: text,
  actorId: text,
  ip: nullable(sealedText('ip', actorSubject)),
  action: text,
  subjectType: text,
  subjectId: text,
  /**
   * Every id that the event names. A customer's entries therefore include those of the customer's
   * licenses.
   */
  ids: texts,
  requestId: text,
  sentence: text,
  details: json<JsonObject>(),
}

export type AuditRow = RowOf<typeof columns>

export const auditTrail = readModel('auditTrail', 3, columns, [
  '(at, position)',
  '(action, position)',
  '(actor_id, position)',
  '(request_id, position)',
  'USING gin (ids)',
]).fromAll((table, data, { eventType, position, at, metadata: { actor, ip, requestId } }) =>
  table.insert({
    position,
    at,
    actorType: actor.type,
    actorId: actor.id,
    ip: ip ?? null,
    action: eventType.action,
    subjectType: eventType.subjectType,
    subjectId: data[eventType.subjectKey] as string,
    ids: idsIn(data),
    requestId,
    sentence: eventType.sentence(data),
    details: visibleFields(eventType, data),
  }),
)

/** Whether a request has recorded an event. */
export async function hasRecorded(read: ReadDatabase, requestId: string): Promise<boolean> {
  const rows = auditTrail.queryIn(read).select('position').where('requestId', '=', requestId)
  return (await rows.limit(1).executeTakeFirst()) !== undefined
}

const idsIn = (data: JsonObject): string[] => [
  ...new Set(
    Object.entries(data).flatMap(([field, value]) =>
      field.endsWith('Id') && typeof value === 'string' ? [value] : [],
    ),
  ),
]

const visibleFields = ({ shownFields }: EventType, data: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(data).filter(([field]) => shownFields.includes(field)))

/** An entry as replies show it. `labels` has readable names of actors by their ids. */
export const auditEntryOf = (row: AuditRow, labels: ReadonlyMap<string, string>) => ({
  position: row.position,
  at: row.at,
  actor: { type: row.actorType, id: row.actorId, label: labels.get(row.actorId) ?? null, ip: row.ip },
  action: row.action,
  subject: { type: row.subjectType, id: row.subjectId },
  requestId: row.requestId,
  sentence: row.sentence,
  meta: row.details,
})

export type AuditRows = RowsOf<'auditTrail', AuditRow>

/** What a search for entries may ask, by its parameter. */
export const auditFilters = {
  actor: (rows: AuditRows, value: string): AuditRows =>
    // No actor type has the form of a UUID, and an index covers the ids.
    isUuid(value)
      ? rows.where('actorId', '=', value)
      : rows.where((is) => is.or([is('actorId', '=', value), is('actorType', '=', value)])),
  /** Any id that an entry names. */
  subject: (rows: AuditRows, value: string): AuditRows => rows.where(sql<boolean>`ids @> ARRAY[${value}]::text[]`),
  from: (rows: AuditRows, value: string): AuditRows => rows.where('at', '>=', value),
  to: (rows: AuditRows, value: string): AuditRows => rows.where('at', '<', value),
}
