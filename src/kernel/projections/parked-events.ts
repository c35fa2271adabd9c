/**
 * Parked events: those that a read model could not apply. An event that fails parks its stream for that read model
 * only. Later events of the stream wait behind it in order, other streams go on, and no event is skipped silently.
 */
import { sql } from 'kysely'
import type { Position } from '../events/store-port.ts'
import type { ProjectionCheckpoint } from './checkpoints.ts'
import type { ReadDatabase, ReadTransaction } from './read-database.ts'

const ERROR_LENGTH_MAX = 500

export interface ParkedEvent {
  readonly projection: string
  readonly position: Position
  readonly stream: string
  /** Null for an event that only waits behind a failed one. */
  readonly error: string | null
}

export interface ParkedStream {
  readonly projection: string
  readonly stream: string
  /** The position of the event that failed. */
  readonly position: Position
  readonly error: string
  /** The number of parked events: the failed one and those behind it. */
  readonly events: number
}

/** Makes a message storable: it removes NULs and the lone surrogate that cutting it may leave. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .slice(0, ERROR_LENGTH_MAX)
    .toWellFormed()
    .replaceAll('\0', '\uFFFD')

/** The parked streams of each of these read models. Sends no query if none has any. */
export async function parkedStreamNames(
  database: ReadDatabase,
  models: readonly ProjectionCheckpoint[],
): Promise<ReadonlyMap<string, Set<string>>> {
  const found = new Map<string, Set<string>>(models.map(({ name }) => [name, new Set()]))
  const names = models.filter(({ parked }) => parked > 0).map(({ name }) => name)
  if (names.length === 0) return found
  const rows = await database
    .selectFrom('read.parked')
    .select(['projection', 'stream'])
    .distinct()
    .where('projection', 'in', names)
    .execute()
  for (const { projection, stream } of rows) found.get(projection)?.add(stream)
  return found
}

/** Must run in the transaction that moves the checkpoint. */
export async function park(transaction: ReadTransaction, events: readonly ParkedEvent[]): Promise<void> {
  if (events.length === 0) return
  // One JSON parameter, because a rebuild may park more events than a statement can have parameters.
  const rows = JSON.stringify(events)
  await sql`INSERT INTO read.parked (projection, position, stream, error)
    SELECT * FROM json_to_recordset(${rows}) AS e(projection text, position bigint, stream text, error text)`.execute(
    transaction,
  )
  for (const [name, parked] of Map.groupBy(events, ({ projection }) => projection))
    await addToParkedCount(transaction, name, parked.length)
}

/**
 * Must run in a transaction that has locked the checkpoint.
 * @returns the first parked events of streams not in `except`
 */
export function nextParkedEvents(
  transaction: ReadTransaction,
  name: string,
  except: ReadonlySet<string>,
  limit: number,
): Promise<ParkedEvent[]> {
  const rows = transaction
    .selectFrom('read.parked')
    .select(['projection', 'position', 'stream', 'error'])
    .where('projection', '=', name)
    .orderBy('position')
    .limit(limit)
  const others = except.size === 0 ? rows : rows.where('stream', 'not in', [...except])
  return others.execute()
}

/** Unparks `tried` and parks `still` again, in the transaction that has locked the checkpoint. */
export async function unpark(
  transaction: ReadTransaction,
  name: string,
  tried: readonly ParkedEvent[],
  still: readonly ParkedEvent[],
): Promise<void> {
  const positions = tried.map(({ position }) => position)
  await transaction
    .deleteFrom('read.parked')
    .where('projection', '=', name)
    .where('position', '=', sql<Position>`ANY (${positions})`)
    .execute()
  await addToParkedCount(transaction, name, -tried.length)
  await park(transaction, still)
}

export async function clearParked(transaction: ReadTransaction, name: string): Promise<void> {
  await transaction.deleteFrom('read.parked').where('projection', '=', name).execute()
  await transaction.updateTable('read.projection').set({ parked: 0 }).where('name', '=', name).execute()
}

/** Whether one of these read models has parked an event up to `position`, in any stream or in `streams` only. */
export async function hasParked(
  database: ReadDatabase,
  names: readonly string[],
  position: Position,
  streams?: readonly string[],
): Promise<boolean> {
  const rows = database
    .selectFrom('read.parked')
    .select('position')
    .where('projection', 'in', names)
    .where('position', '<=', position)
    .limit(1)
  const theirs = streams ? rows.where('stream', '=', sql<string>`ANY (${streams})`) : rows
  return (await theirs.execute()).length > 0
}

/** The parked streams with their errors, for the operator, in the order of the positions. */
export async function listParkedStreams(database: ReadDatabase): Promise<ParkedStream[]> {
  const { rows } = await sql<ParkedStream>`
    SELECT projection, stream, min(position) AS position, count(*) AS events,
      (array_agg(error ORDER BY position) FILTER (WHERE error IS NOT NULL))[1] AS error
    FROM read.parked GROUP BY projection, stream ORDER BY min(position), projection`.execute(database)
  return rows
}

const addToParkedCount = (transaction: ReadTransaction, name: string, events: number) =>
  transaction
    .updateTable('read.projection')
    .set({ parked: sql`parked + ${events}` })
    .where('name', '=', name)
    .execute()
