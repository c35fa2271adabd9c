/**
 * Notifies reactions of events: stores which event waits for which reaction, in the transaction that
 * moves the checkpoint.
 */
import type { Pool, PoolClient } from 'pg'
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'
import type { Reaction } from './reaction.ts'

const BATCH_EVENTS = 1_000

const REGISTER = `INSERT INTO telemetry.work_reaction (name, position) SELECT name, $2 FROM unnest($1::text[]) AS name
  ON CONFLICT (name) DO NOTHING`
const PROGRESS = 'SELECT name, position FROM telemetry.work_reaction WHERE name = ANY ($1)'
const MOVE = `UPDATE telemetry.work_reaction SET position = $3 WHERE name = ANY ($1) AND position = $2`
const WRITE_DOWN = `INSERT INTO telemetry.work_pending (reaction, position)
  SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT DO NOTHING`

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
    const pending = pendingReactionsOf(
      parts.reactions.filter(({ name }) => group.includes(name)),
      events,
    )
    if (await moveReactions(parts.pool, group, { from, to: events.at(-1)!.position }, pending))
      await parts.onPending(pending)
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
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(MOVE, [names, from, to])
    if (rowCount !== names.length) return false
    if (pending.length > 0)
      await client.query(WRITE_DOWN, [
        pending.map(({ reaction }) => reaction.name),
        pending.map(({ position }) => position),
      ])
    return true
  })
}

/** Commits if `work` returns true, otherwise rolls back. */
async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<boolean>): Promise<boolean> {
  const client = await pool.connect()
  let isDone = false
  try {
    await client.query('BEGIN')
    isDone = await work(client)
    await client.query(isDone ? 'COMMIT' : 'ROLLBACK')
    client.release()
    return isDone
  } catch (error) {
    // The transaction may still be open, so the connection is closed.
    client.release(true)
    throw error
  }
}

const namesOf = (reactions: readonly Reaction[]): string[] => reactions.map(({ name }) => name)
