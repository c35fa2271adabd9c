/**
 * Rebuilds a read model from the first event in a second table and swaps the two tables at the end. Readers and the
 * projectors of every process continue meanwhile. It is one transaction, so a rebuild that fails leaves nothing behind.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { QueryConfig } from 'pg'
import type { EventStore, Position, RecordedEvent } from '../events/store-port.ts'
import { applyOrPark, applyToBuffer, isTransient } from './apply-batch.ts'
import type { ToProjectedEvent, ProjectionTarget } from './apply-batch.ts'
import { lockCheckpoint } from './checkpoints.ts'
import { clearParked, park } from './parked-events.ts'
import type { ParkedEvent } from './parked-events.ts'
import { inCopyTransaction } from './read-database.ts'
import type { CopyTransaction, ReadDatabase, ReadTransaction } from './read-database.ts'
import { indexDdl, primaryKeyDdl, tableDdl } from './read-model.ts'
import type { ReadModel } from './read-model.ts'
import { recallRows } from './recall-rows.ts'
import { RowBuffer } from './row-buffer.ts'

const RIVAL_POLL_MS = 100
const READER_PAUSE_MS = 500
/** With the lock timeout of 100 ms and the pause of 500 ms: ten minutes. */
const TAKE_OVER_TRIES_MAX = 1_000
const UNHURRIED_MS = 2_147_483_647
/** Rows and changes in the buffer: some tens of megabytes. */
const HELD_ROWS_MAX = 20_000
/** Events that may remain for the swap, during which projectors wait: some milliseconds. */
const SWAPPED_EVENTS_MAX = 500
/** Ends the rounds when events are appended faster than they are applied. */
const ROUNDS_MAX = 10
/**
 * The first part of an advisory lock key; the second is a hash of the name.
 * Keys of two parts never equal keys of one part.
 */
const REBUILD_LOCKS = 4_115_298

export interface RebuildDependencies {
  readonly store: EventStore
  /** With the projector's role. */
  readonly database: ReadDatabase
  readonly project: ToProjectedEvent
}

type OnProgress = (position: Position) => void

/** Waits while another process rebuilds the same read model, until `isDone` returns true. */
export async function rebuild(
  parts: RebuildDependencies,
  model: ReadModel,
  { progress, isDone }: { progress?: OnProgress | undefined; isDone?: () => Promise<boolean> } = {},
): Promise<void> {
  while (!(await isDone?.())) {
    if (await inCopyTransaction(parts.database, (place) => tryRebuild(parts, place, model, progress))) return
    await sleep(RIVAL_POLL_MS)
  }
}

/** @returns false when another process rebuilds this read model */
async function tryRebuild(
  parts: RebuildDependencies,
  place: CopyTransaction,
  model: ReadModel,
  progress?: OnProgress,
): Promise<boolean> {
  const { transaction } = place
  if (!(await lockRebuild(transaction, model))) return false
  await sql`SAVEPOINT empty`.execute(transaction)
  try {
    await refill(parts, place, model, bufferedFiller, progress)
  } catch (error) {
    if (isTransient(error)) throw error
    // An event cannot be applied: the second pass finds it and parks its stream.
    await sql`ROLLBACK TO SAVEPOINT empty`.execute(transaction)
    await refill(parts, place, model, parkingFiller, progress)
  }
  return true
}

async function refill(
  { store, project }: RebuildDependencies,
  place: CopyTransaction,
  model: ReadModel,
  filling: (table: FillerOptions) => TableFiller,
  progress: OnProgress = () => {},
): Promise<void> {
  const { transaction } = place
  const fresh = `${model.name}Rebuilt`
  await sql.raw(tableDdl(model, fresh)).execute(transaction)
  const fill = filling({ place, project, target: { model, into: fresh, parked: new Set() } })

  /** @returns the position reached and the number of events */
  async function replay(from: Position): Promise<{ position: Position; events: number }> {
    const to = await store.head()
    let [position, events] = [from, 0]
    for await (const batch of position < to ? store.readBatches(from) : []) {
      await fill.add(batch)
      position = batch.at(-1)!.position
      events += batch.length
      progress(position)
      if (position >= to) break
    }
    await fill.end()
    return { position, events }
  }

  let reached = await replay(0)
  for (const statement of indexDdl(model, fresh)) await runWithoutTimeout(place, statement)
  for (let rounds = 0; reached.events > SWAPPED_EVENTS_MAX && rounds < ROUNDS_MAX; rounds += 1)
    reached = await replay(reached.position)
  for (let tries = 1; !(await tryTakeOver(transaction, model, tries === TAKE_OVER_TRIES_MAX)); tries += 1) {
    await sleep(READER_PAUSE_MS)
    reached = await replay(reached.position)
  }
  // The checkpoint is locked now, so no projector can move it beyond the present head.
  const { position } = await replay(reached.position)
  await transaction.schema.alterTable(`read.${fresh}`).renameTo(model.name).execute()
  await transaction
    .updateTable('read.projection')
    .set({ version: model.version, position })
    .where('name', '=', model.name)
    .execute()
  await clearParked(transaction, model.name)
  await park(transaction, fill.eventsToPark)
}

interface FillerOptions {
  readonly place: CopyTransaction
  readonly target: ProjectionTarget & { readonly into: string }
  readonly project: ToProjectedEvent
}

/** Fills the new table and makes its primary key. */
interface TableFiller {
  add(events: readonly RecordedEvent[]): Promise<void>
  /** Writes all added events and makes the primary key. */
  end(): Promise<void>
  readonly eventsToPark: ParkedEvent[]
}

/**
 * Buffers rows up to `HELD_ROWS_MAX`, so that a row that changes often is written once.
 * @throws any error of a handler
 */
function bufferedFiller({ place, target, project }: FillerOptions): TableFiller {
  const writes = new RowBuffer()
  const makeKey = keyMaker(place, target)
  return {
    eventsToPark: [],
    async add(events) {
      await recallRows(place.transaction, writes, { targets: [target], events, project })
      applyToBuffer(writes, [target], events, project)
      if (writes.size < HELD_ROWS_MAX) return
      if (!writes.isInsertsOnly) await makeKey()
      await writes.flush(place)
    },
    async end() {
      if (!writes.isInsertsOnly) await makeKey()
      await writes.flush(place)
      await makeKey()
    },
  }
}

/** Applies the events batch by batch to find and park those that fail. Slower than `bufferedFiller`. */
function parkingFiller({ place, target, project }: FillerOptions): TableFiller {
  const left: ParkedEvent[] = []
  const makeKey = keyMaker(place, target)
  return {
    eventsToPark: left,
    async add(events) {
      await makeKey()
      left.push(...(await applyOrPark(place, target, events, project)))
    },
    end: makeKey,
  }
}

/** Makes the primary key as late as possible: it is cheaper on a full table, but updates need it to find their rows. */
function keyMaker(place: CopyTransaction, { model, into }: FillerOptions['target']): () => Promise<void> {
  let isMade = false
  return async () => {
    if (!isMade) await runWithoutTimeout(place, primaryKeyDdl(model, into))
    isMade = true
  }
}

/** Creating an index on a large table takes longer than the query timeout of the pool. */
async function runWithoutTimeout({ transaction, client }: CopyTransaction, statement: string): Promise<void> {
  if (client) await client.query({ text: statement, query_timeout: UNHURRIED_MS } as QueryConfig)
  else await sql.raw(statement).execute(transaction)
}

async function lockRebuild(transaction: ReadTransaction, { name }: ReadModel): Promise<boolean> {
  // A read model that uses few events sends no statement for a long time while the log is read.
  await sql`SET LOCAL idle_in_transaction_session_timeout = '5min'`.execute(transaction)
  await sql`SET LOCAL statement_timeout = 0`.execute(transaction)
  const { rows } = await sql<{ won: boolean }>`
    SELECT pg_try_advisory_xact_lock(${REBUILD_LOCKS}::int, hashtext(${name})) AS won`.execute(transaction)
  return rows[0]?.won === true
}

async function takeCheckpoint(transaction: ReadTransaction, { name }: ReadModel): Promise<void> {
  await transaction
    .insertInto('read.projection')
    .values({ name, version: 0, position: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await lockCheckpoint(transaction, name)
}

/**
 * Locks the checkpoint and drops the old table. It waits for a long reader of the table, such as a dump, without a
 * pending lock request: such a request would block all other readers. A projector that waits for the checkpoint holds a
 * lock of the table too, and gets the checkpoint in the pause between two attempts.
 * @returns false while another transaction reads the table. @throws 55P03 in this case on the last attempt (`isLast`)
 */
async function tryTakeOver(transaction: ReadTransaction, model: ReadModel, isLast: boolean): Promise<boolean> {
  await sql`SAVEPOINT untaken`.execute(transaction)
  await takeCheckpoint(transaction, model)
  await sql`SET LOCAL lock_timeout = '100ms'`.execute(transaction)
  try {
    await transaction.schema.dropTable(`read.${model.name}`).ifExists().execute()
    return true
  } catch (error) {
    if (isLast || !isLockNotAvailable(error)) throw error
    await sql`ROLLBACK TO SAVEPOINT untaken`.execute(transaction)
    return false
  }
}

const isLockNotAvailable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '55P03'
