/**
 * Reads a batch of events by COPY and parses each field on first access. Most readers use few fields, and a COPY costs
 * PostgreSQL half as much as a SELECT.
 */
import type { Pool } from 'pg'
import type { JsonObject, Position, RecordedEvent, Revision } from '../../events/store-port.ts'
import { HEADER_BYTES, copyOut } from '../binary-copy.ts'

/** The query timeout of the pool. */
const TIMEOUT_MS = 9_500

/** Columns of fixed length come first, so that they have fixed offsets. */
const COLUMNS = 'pos, recorded_at, revision, id, schema_version, stream, type, data, metadata'
/** A row begins with the number of fields in two bytes; before each field is its length in four bytes. */
const LENGTH_BYTES = 4
const POSITION = 2 + LENGTH_BYTES
const RECORDED_AT = POSITION + 8 + LENGTH_BYTES
const REVISION = RECORDED_AT + 8 + LENGTH_BYTES
const ID = REVISION + 4 + LENGTH_BYTES
const SCHEMA_VERSION = ID + 16 + LENGTH_BYTES
const STREAM = SCHEMA_VERSION + 4 + LENGTH_BYTES

const END_OF_ROWS = -1
/** PostgreSQL counts microseconds since the year 2000. */
const EPOCH_MS = Date.UTC(2000)
const UUID = /^(.{8})(.{4})(.{4})(.{4})/

/** In position order: at most `limit` events with a position above `after`. */
export async function readEventsByCopy(pool: Pool, after: Position, limit: number): Promise<RecordedEvent[]> {
  // COPY takes no parameters; BigInt accepts whole numbers only, so no SQL can be injected.
  const rest = `WHERE pos > ${BigInt(after)} ORDER BY pos LIMIT ${BigInt(limit)}`
  const events: RecordedEvent[] = []
  let at = HEADER_BYTES
  for (const block of await blocksOf(pool, `SELECT ${COLUMNS} FROM store.event ${rest}`)) {
    while (at < block.length && block.readInt16BE(at) !== END_OF_ROWS) {
      const event = new CopiedEvent(block, at)
      events.push(event)
      at = event.end
    }
    at = 0
  }
  return events
}

async function blocksOf(pool: Pool, select: string): Promise<Buffer[]> {
  const client = await pool.connect()
  const blocks: Buffer[] = []
  let isWhole = false
  try {
    for await (const block of copyOut(client, select, TIMEOUT_MS)) blocks.push(block)
    isWhole = true
    return blocks
  } finally {
    client.release(!isWhole)
  }
}

class CopiedEvent implements RecordedEvent {
  readonly position: Position
  readonly revision: Revision
  readonly #block: Buffer
  readonly #at: number
  readonly #typeAt: number
  readonly #dataAt: number
  readonly #metadataAt: number
  #type: string | undefined
  #stream: string | undefined
  #data: JsonObject | undefined
  #metadata: JsonObject | undefined

  constructor(block: Buffer, at: number) {
    this.position = integerAt(block, at + POSITION)
    this.revision = block.readInt32BE(at + REVISION)
    this.#block = block
    this.#at = at
    this.#typeAt = nextFieldAt(block, at + STREAM)
    this.#dataAt = nextFieldAt(block, this.#typeAt)
    this.#metadataAt = nextFieldAt(block, this.#dataAt)
  }

  /** The offset of the next row. */
  get end(): number {
    return nextFieldAt(this.#block, this.#metadataAt) - LENGTH_BYTES
  }

  get stream(): string {
    return (this.#stream ??= textAt(this.#block, this.#at + STREAM))
  }

  get type(): string {
    return (this.#type ??= textAt(this.#block, this.#typeAt))
  }

  get data(): JsonObject {
    return (this.#data ??= JSON.parse(textAt(this.#block, this.#dataAt)) as JsonObject)
  }

  get metadata(): JsonObject {
    return (this.#metadata ??= JSON.parse(textAt(this.#block, this.#metadataAt)) as JsonObject)
  }

  get id(): string {
    const at = this.#at + ID
    return this.#block.toString('hex', at, at + 16).replace(UUID, '$1-$2-$3-$4-')
  }

  get schemaVersion(): number {
    return this.#block.readInt32BE(this.#at + SCHEMA_VERSION)
  }

  get recordedAt(): Date {
    return new Date(EPOCH_MS + Math.floor(integerAt(this.#block, this.#at + RECORDED_AT) / 1_000))
  }
}

/** @throws RangeError beyond 2^53 - 1, as the pool's parser does */
function integerAt(block: Buffer, at: number): number {
  const value = block.readInt32BE(at) * 2 ** 32 + block.readUInt32BE(at + 4)
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${block.readBigInt64BE(at)} is too large to be read as a number`)
  return value
}

const textAt = (block: Buffer, at: number): string =>
  block.toString('utf8', at, at + block.readInt32BE(at - LENGTH_BYTES))

/** The offset of the next field's bytes. */
const nextFieldAt = (block: Buffer, at: number): number => at + block.readInt32BE(at - LENGTH_BYTES) + LENGTH_BYTES
