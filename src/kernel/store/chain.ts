/**
 * Verifiable history. store.chain holds one sha256 per append over the previous hash (32 zero bytes before the first) and the
 * canonical bytes of the append's events: pos, recorded_at in µs since 1970, revision, id, stream, type, schema_version, data
 * and metadata as they were written, joined by U+001F; events joined by U+001E. Computed here a second time, on purpose not by
 * the database's own function.
 */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Position } from './port.ts'

export interface VerifiedChain {
  readonly events: number
  readonly head: Position
  /** Lower-case hex; 64 zeros for an empty log. */
  readonly hash: string
}

/** The first position at which the log is not what was appended. Within one append the hash cannot tell which event it was. */
export interface BrokenChain {
  readonly position: Position
  /** The last position of the append that fails. */
  readonly through: Position
  readonly problem: 'missing' | 'inserted' | 'altered'
}

interface EventRow {
  readonly pos: string
  readonly at: string
  readonly revision: string
  readonly id: string
  readonly stream: string
  readonly type: string
  readonly schema_version: string
  readonly data: string
  readonly metadata: string
}

interface ChainRow {
  readonly to_pos: string
  readonly hash: string
}

const PAGE_ROWS = 500

const EVENTS = `SELECT pos::text, (extract(epoch FROM recorded_at) * 1000000)::bigint::text AS at, revision::text, id::text, stream,
    type, schema_version::text, data::text, metadata::text
  FROM store.event WHERE event.pos > $1 AND event.pos <= $2 ORDER BY event.pos LIMIT ${PAGE_ROWS}`
const LINKS = `SELECT to_pos::text, encode(hash, 'hex') AS hash
  FROM store.chain WHERE chain.to_pos > $1 AND chain.to_pos <= $2 ORDER BY chain.to_pos LIMIT ${PAGE_ROWS}`
/** One statement, so both heads come from one snapshot; what is appended after it is not looked at. */
const HEADS = `SELECT (SELECT coalesce(max(pos), 0) FROM store.event)::text AS events,
  (SELECT coalesce(max(to_pos), 0) FROM store.chain)::text AS chain`

const GENESIS = '0'.repeat(64)
const CONTROL = /\p{Cc}/u

/** Reads the whole log and the whole chain in order. A cut-off end of both shows only against a hash noted elsewhere. */
export async function verifyChain(pool: Pool): Promise<VerifiedChain | BrokenChain> {
  const { rows } = await pool.query<{ events: string; chain: string }>(HEADS)
  const [eventHead, chainHead] = [Number(rows[0]?.events), Number(rows[0]?.chain)]
  const events = pages<EventRow>(pool, EVENTS, (row) => row.pos, eventHead)
  let head = 0
  let hash = GENESIS
  for await (const link of pages<ChainRow>(pool, LINKS, (row) => row.to_pos, chainHead)) {
    const through = Number(link.to_pos)
    const read = await readAppend(events, head + 1, through)
    if ('problem' in read) return read
    if (hashOf(hash, read.rows) !== link.hash) return { position: head + 1, through, problem: 'altered' }
    head = through
    hash = link.hash
  }
  if (eventHead > head) return { position: head + 1, through: eventHead, problem: 'inserted' }
  return { events: head, head, hash }
}

async function readAppend(
  events: AsyncGenerator<EventRow>,
  from: Position,
  through: Position,
): Promise<{ rows: EventRow[] } | BrokenChain> {
  const rows: EventRow[] = []
  for (let position = from; position <= through; position += 1) {
    const { value, done } = await events.next()
    if (done || Number(value.pos) > position) return { position, through, problem: 'missing' }
    if (Number(value.pos) < position) return { position: Number(value.pos), through, problem: 'inserted' }
    // Only a forger writes separators into names; they would let one row pretend to be two.
    if (CONTROL.test(value.stream + value.type)) return { position, through, problem: 'altered' }
    rows.push(value)
  }
  return { rows }
}

function hashOf(previous: string, rows: readonly EventRow[]): string {
  const text = rows.map((row) => FIELDS.map((field) => row[field]).join('\u001F')).join('\u001E')
  return createHash('sha256').update(previous, 'hex').update(text).digest('hex')
}

const FIELDS = ['pos', 'at', 'revision', 'id', 'stream', 'type', 'schema_version', 'data', 'metadata'] as const

async function* pages<Row extends object>(
  pool: Pool,
  text: string,
  position: (row: Row) => string,
  head: Position,
): AsyncGenerator<Row, undefined> {
  // From the lowest number there is: a forger may write positions below 1.
  let after = '-9223372036854775808'
  for (;;) {
    const { rows } = await pool.query<Row>(text, [after, head])
    yield* rows
    const last = rows.at(-1)
    if (!last) return undefined
    after = position(last)
  }
}
