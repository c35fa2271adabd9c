/**
 * Notifies reactions of events: stores which event waits for which reaction, in the transaction that
 * moves the checkpoint.
 */
import type { Pool } from 'pg'
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'
import type { Reaction } from './reaction.ts'

const BATCH_EVENTS = 1_000

const REGISTER = `INSERT INTO telemetry.work_reaction (name, position) SELECT name, $2 FROM unnest($1::text[]) AS name
  ON CONFLICT (name) DO NOTHING`
const PROGRESS = 'SELECT name, position FROM telemetry.work_reaction WHERE name = ANY ($1)'
/**
 * Moves the checkpoints of all these reactions and stores the entries, or does neither when another process has moved
 * one. FOR UPDATE waits for that process and then sees its checkpoint.
 */
const MOVE = `WITH
  held AS (SELECT name FROM telemetry.work_reaction WHERE name = ANY ($1) AND position = $2 FOR UPDATE),
  moved AS (UPDATE telemetry.work_reaction AS r SET position = $3 FROM held
    WHERE r.name = held.name AND (SELECT count(*) FROM held) = cardinality($1::text[]) RETURNING r.name),
  pending AS (INSERT INTO telemetry.work_pending (reaction, position)
    SELECT * FROM unnest($4::text[], $5::bigint[]) WHERE EXISTS (SELECT FROM moved) ON CONFLICT DO NOTHING)
  SELECT FROM moved`

export interface ReactionSubscriberDependencies {
  readonly store: EventStore
  /** With the database role of the service. */
  readonly pool: Pool
  readonly reactions: readonly Reaction[]
  /** Called with the stored entries. If it fails, the scanner finds them. */
  readonly onPending: (pending: readonly PendingReaction[]) => Promise<void>
}

export interface PendingReaction {
  readonly reaction: Reaction
  readonly position: Position
}

/**
 * A new reaction starts with the next event, so that no mails are sent for old ones. Every process
 * registers its reactions at start, before it records events, so that no event is skipped.
 */
export async function registerReactions(
  { store, pool }: Pick<ReactionSubscriberDependencies, 'store' | 'pool'>,
  reactions: readonly Reaction[],
): Promise<void> {
  await pool.query(REGISTER, [reactions.map(({ name }) => name), await store.head()])
}

/**
 * Notifies reactions of all events so far. If several processes do this concurrently, one of them wins
 * each batch.
 * @throws Error when the database connection is lost
 */
export async function notifyReactions(
  parts: ReactionSubscriberDependencies,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping()) {
    const { rows } = await parts.pool.query<{ name: string; position: Position }>(PROGRESS, [namesOf(parts.reactions)])
    if (rows.length === 0) return
    const from = Math.min(...rows.map(({ position }) => position))
    const group = rows.filter(({ position }) => position === from).map(({ name }) => name)
    const events = await parts.store.readAll(from, BATCH_EVENTS)
    if (events.length === 0) return
    const to = events.at(-1)!.position
    const pending = pendingReactionsOf(
      parts.reactions.filter(({ name }) => group.includes(name)),
      events,
    )
    const isMoved = await moveReactions(parts.pool, group, { from, to }, pending)
    if (isMoved) await parts.onPending(pending)
    const areAllThere = rows.every(({ position }) => position === from || position >= to)
    if (isMoved && areAllThere && events.length < BATCH_EVENTS) return
  }
}

function pendingReactionsOf(reactions: readonly Reaction[], events: readonly RecordedEvent[]): PendingReaction[] {
  return events.flatMap(({ type, position }) =>
    reactions.filter((reaction) => reaction.isTriggeredBy(type)).map((reaction) => ({ reaction, position })),
  )
}

/** @returns false if another process has moved the checkpoint; then nothing was written */
async function moveReactions(
  pool: Pool,
  names: readonly string[],
  { from, to }: { from: Position; to: Position },
  pending: readonly PendingReaction[],
): Promise<boolean> {
  const reactions = pending.map(({ reaction }) => reaction.name)
  const positions = pending.map(({ position }) => position)
  const { rowCount } = await pool.query({
    name: 'move-reactions',
    text: MOVE,
    values: [names, from, to, reactions, positions],
  })
  return rowCount === names.length
}

const namesOf = (reactions: readonly Reaction[]): string[] => reactions.map(({ name }) => name)
