/** How events come out of Postgres: as arrays, whose payloads stay text until somebody looks at them. */
import pg from 'pg'
import type { CustomTypesConfig, QueryArrayConfig } from 'pg'
import { typeParser } from './connection.ts'
import type { JsonObject, Position, RecordedEvent, Revision } from './port.ts'

const { JSON: JSON_TYPE, TIMESTAMPTZ } = pg.types.builtins

const SELECT = `SELECT pos, recorded_at, revision, id, stream, type, schema_version, data, metadata FROM store.event`

type EventRow = [
  position: Position,
  recordedAt: string,
  revision: Revision,
  id: string,
  stream: string,
  type: string,
  schemaVersion: number,
  data: string,
  metadata: string,
]

const asText = (text: string): string => text
const parseTime: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ)

const TYPES: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === JSON_TYPE || oid === TIMESTAMPTZ ? asText : typeParser(oid, format)),
}

/** @param rest what follows `FROM store.event`; its rows are for `eventOf` */
export function selectEvents(rest: string, values: unknown[]): QueryArrayConfig {
  return { text: `${SELECT} ${rest}`, values, rowMode: 'array', types: TYPES }
}

/** Most readers look at few of the events that they read, so nothing is parsed for the others. */
export function eventOf(row: unknown): RecordedEvent {
  const [position, time, revision, id, stream, type, schemaVersion, dataText, metadataText] = row as EventRow
  let recordedAt: Date | undefined
  let data: JsonObject | undefined
  let metadata: JsonObject | undefined
  return {
    position,
    revision,
    id,
    stream,
    type,
    schemaVersion,
    get recordedAt() {
      return (recordedAt ??= parseTime(time))
    },
    get data() {
      return (data ??= JSON.parse(dataText) as JsonObject)
    },
    get metadata() {
      return (metadata ??= JSON.parse(metadataText) as JsonObject)
    },
  }
}
