/** Reads events from PostgreSQL as arrays and parses their payloads on first access. */
import pg from 'pg'
import type { CustomTypesConfig, QueryArrayConfig } from 'pg'
import type { JsonObject, Position, RecordedEvent, Revision } from '../../events/store-port.ts'
import { typeParser } from '../connection.ts'

const { JSON: JSON_TYPE, TIMESTAMPTZ } = pg.types.builtins

const SELECT = `SELECT pos, recorded_at, revision, id, stream, type, schema_version, data, metadata FROM store.event`

type Row = [
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

/** Returns rows for `EventRow`, as does `selectAt`. */
export const selectStream = (stream: string, after: Revision): QueryArrayConfig =>
  selecting('stream', 'stream = $1 AND revision > $2 ORDER BY revision', [stream, after])

export const selectAt = (position: Position): QueryArrayConfig => selecting('at', 'pos = $1', [position])

/** A named statement, so that PostgreSQL plans it once for each connection. */
function selecting(name: string, where: string, values: unknown[]): QueryArrayConfig {
  return { name, text: `${SELECT} WHERE ${where}`, values, rowMode: 'array', types: TYPES }
}

/** Parses the payload on first access, because most readers use few of the events that they read. */
export class EventRow implements RecordedEvent {
  readonly position: Position
  readonly revision: Revision
  readonly id: string
  readonly stream: string
  readonly type: string
  readonly schemaVersion: number
  readonly #time: string
  readonly #dataText: string
  readonly #metadataText: string
  #data: JsonObject | undefined
  #metadata: JsonObject | undefined

  constructor(row: unknown) {
    const [position, time, revision, id, stream, type, schemaVersion, dataText, metadataText] = row as Row
    this.position = position
    this.revision = revision
    this.id = id
    this.stream = stream
    this.type = type
    this.schemaVersion = schemaVersion
    this.#time = time
    this.#dataText = dataText
    this.#metadataText = metadataText
  }

  get recordedAt(): Date {
    return parseTime(this.#time)
  }

  get data(): JsonObject {
    return (this.#data ??= JSON.parse(this.#dataText) as JsonObject)
  }

  get metadata(): JsonObject {
    return (this.#metadata ??= JSON.parse(this.#metadataText) as JsonObject)
  }
}
