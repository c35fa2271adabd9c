/**
 * Verifies the hash chain of the log. A row of store.chain is a SHA-256 over the previous hash (32 zero bytes
 * before the first row) and the canonical bytes of the events since then. These are pos, recorded_at in µs since
 * 1970, revision, id, stream, type, schema_version, data and metadata as they were written, joined by U+001F; events
 * are joined by U+001E. A row may cover any number of events. This code computes the hashes independently of the
 * database's own function.
 */
import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Position } from '../events/store-port.ts'
import { CopyRowReader, copyOut } from '../store/binary-copy.ts'
import { findSuspectRow } from './row-versions.ts'

/** The hash of the chain after this position, in lower-case hex. */
export interface ChainLink {
  readonly position: Position
  readonly hash: string
}

export interface VerifiedChain {
  readonly events: number
  readonly head: Position
  /** Lower-case hex; 64 zeros for an empty log. */
  readonly hash: string
  /** The events after this position were verified; 0 means all events. */
  readonly after: Position
}

export type ChainProblem = 'missing' | 'inserted' | 'altered' | 'rewritten' | 'truncated'

/** The first place where the log differs from what was appended. */
export interface BrokenChain {
  /** The first possible position of the change; for missing or inserted rows, exactly this position. */
  readonly position: Position
  /** The last possible position of the change: one hash covers all events that were appended together. */
  readonly through: Position
  readonly problem: ChainProblem
  /**
   * The row between the two that was written later than its neighbours.
   * This is a hint from the database and no proof.
   */
  readonly suspect?: Position
}

export interface ChainVerifyOptions {
  /** A trusted link: only the events after it are verified. */
  readonly from?: ChainLink | undefined
  /** Links from other sources, such as signed checkpoints; the chain must contain all of them. */
  readonly knownLinks?: readonly ChainLink[]
  /** Ends the verification and throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export const GENESIS: ChainLink = { position: 0, hash: '0'.repeat(64) }

/**
 * Uses round and no cast to an integer:
 * the cast fails on a forged `infinity`, and the error would not name the event.
 */
const COLUMNS = `pos::text, round(extract(epoch FROM recorded_at) * 1000000)::text, revision::text, id::text, stream, type,
  schema_version::text, data, metadata`
const FIELDS = 9
const [STREAM, TYPE] = [4, 5]
const POS = FIELDS

/** One statement, so that all three values come from one snapshot; later appends are not verified. */
const ENDS = `SELECT (SELECT coalesce(max(pos), 0) FROM store.event)::text AS events,
  (SELECT coalesce(max(to_pos), 0) FROM store.chain)::text AS chain, (SELECT encode(hash, 'hex') FROM store.chain WHERE to_pos = $1) AS start`

const FIELD_ENDS = Buffer.from('\u001F')
const EVENT_ENDS = Buffer.from('\u001E')
const SPACE = 0x20

/**
 * Reads the log and the chain in order.
 * If the end of both was cut off, only a known link from another source shows it.
 */
export async function verifyChain(pool: Pool, what: ChainVerifyOptions = {}): Promise<VerifiedChain | BrokenChain> {
  const found = await withTwoConnections(pool, (events, links) => walk(events, links, what))
  if (!('problem' in found)) return found
  const suspect = await findSuspectRow(pool, found)
  return suspect === undefined ? found : { ...found, suspect }
}

export const isBroken = (found: VerifiedChain | BrokenChain): found is BrokenChain => 'problem' in found

/** Forged positions may exceed the safe integers and are limited to them. */
const named = (position: string | Position): Position =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Number(position)))

/** Two connections, because each holds one COPY at a time. */
async function withTwoConnections<Result>(
  pool: Pool,
  work: (events: PoolClient, links: PoolClient) => Promise<Result>,
): Promise<Result> {
  const clients: PoolClient[] = []
  try {
    for (let made = 0; made < 2; made += 1) clients.push(await pool.connect())
    for (const client of clients) await client.query('BEGIN READ ONLY; SET LOCAL statement_timeout = 0')
    return await work(clients[0]!, clients[1]!)
  } finally {
    // Not reused: rows of a COPY that ended early may still arrive.
    for (const client of clients) client.release(true)
  }
}

interface Ends {
  readonly events: string
  readonly chain: string
  readonly start: string | null
}

async function walk(
  eventClient: PoolClient,
  linkClient: PoolClient,
  { from = GENESIS, knownLinks: noted = [], signal }: ChainVerifyOptions,
): Promise<VerifiedChain | BrokenChain> {
  const { rows } = await eventClient.query<Ends>(ENDS, [from.position])
  const { events, chain, start } = rows[0]!
  const [eventHead, chainHead] = [named(events), named(chain)]
  if (from.position > chainHead) return { position: chainHead + 1, through: from.position, problem: 'truncated' }
  if (from.position > 0 && start !== from.hash) return { position: 1, through: from.position, problem: 'rewritten' }
  // From the lowest int8, because forged positions may be below 1.
  const after = from.position === 0 ? '-9223372036854775808' : String(from.position)
  const eventBlocks = copyOut(
    eventClient,
    `SELECT ${COLUMNS}, pos FROM store.event WHERE event.pos > ${after} AND event.pos <= ${events} ORDER BY event.pos`,
  )
  const linkBlocks = copyOut(
    linkClient,
    `SELECT to_pos, hash FROM store.chain WHERE chain.to_pos > ${after} AND chain.to_pos <= ${chain} ORDER BY chain.to_pos`,
  )
  try {
    const checks = new KnownLinkCheck(noted, from)
    const [eventRows, links] = [new CopyRowReader(eventBlocks), new CopyRowReader(linkBlocks)]
    let { position: head, hash } = from
    while (links.next() || (await links.more())) {
      signal?.throwIfAborted()
      const through = links.integer(0)
      const next = links.bytes(1).toString('hex')
      const read = await readAppend(eventRows, hash, head + 1, through)
      if (typeof read !== 'string') return read
      if (read !== next) return { position: head + 1, through, problem: 'altered' }
      const broken = checks.pass({ position: through, hash: next })
      if (broken) return broken
      head = through
      hash = next
    }
    if (eventHead > head) return { position: head + 1, through: eventHead, problem: 'inserted' }
    return checks.end(head) ?? { events: head, head, hash, after: from.position }
  } finally {
    await Promise.all([eventBlocks.return(0), linkBlocks.return(0)])
  }
}

/** @returns the hash after these events, in hex */
async function readAppend(
  events: CopyRowReader,
  previous: string,
  from: Position,
  through: Position,
): Promise<string | BrokenChain> {
  const hash = createHash('sha256').update(previous, 'hex')
  for (let position = from; position <= through; position += 1) {
    const found = events.next() || (await events.more()) ? events.integer(POS) : Infinity
    if (found > position) return { position, through: position, problem: 'missing' }
    if (found < position) return { position: named(found), through: named(found), problem: 'inserted' }
    // Only forged names contain separators, which would make one row look like two in the canonical bytes.
    if (hasControl(events.bytes(STREAM)) || hasControl(events.bytes(TYPE)))
      return { position, through: position, problem: 'altered' }
    if (position > from) hash.update(EVENT_ENDS)
    addCanonical(hash, events)
  }
  return hash.digest('hex')
}

let canonical = Buffer.allocUnsafe(65_536)

/** Collects all fields first, because one update of a hash costs more than ten small copies. */
function addCanonical(hash: Hash, event: CopyRowReader): void {
  let used = 0
  for (let field = 0; field < FIELDS; field += 1) {
    const bytes = event.bytes(field)
    const needed = used + bytes.length + FIELD_ENDS.length
    if (needed > canonical.length) canonical = Buffer.concat([canonical.subarray(0, used)], needed * 2)
    if (field > 0) used += FIELD_ENDS.copy(canonical, used)
    used += bytes.copy(canonical, used)
  }
  hash.update(canonical.subarray(0, used))
}

function hasControl(name: Buffer): boolean {
  for (const byte of name) if (byte < SPACE) return true
  return false
}

/** Checks that the chain contains the known links. */
class KnownLinkCheck {
  readonly #left: ChainLink[]
  #agreed: Position

  constructor(noted: readonly ChainLink[], from: ChainLink) {
    this.#left = noted.filter(({ position }) => position > from.position).toSorted((a, b) => a.position - b.position)
    this.#agreed = from.position
  }

  pass({ position, hash }: ChainLink): BrokenChain | undefined {
    while (this.#left[0] && this.#left[0].position <= position) {
      const noted = this.#left.shift()!
      if (noted.position !== position || noted.hash !== hash)
        return { position: this.#agreed + 1, through: noted.position, problem: 'rewritten' }
      this.#agreed = position
    }
    return undefined
  }

  end(head: Position): BrokenChain | undefined {
    const beyond = this.#left.at(-1)
    return beyond && { position: head + 1, through: beyond.position, problem: 'truncated' }
  }
}
