/**
 * Fills a read model from the first event on, in a table beside the live one, and swaps the two at the end: readers and the
 * projectors of every process go on meanwhile. All of it is one transaction, so nothing is left of a rebuild that did not end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely, Transaction } from 'kysely'
import { applyOrPark } from './applying.ts'
import type { Project } from './applying.ts'
import { lockCheckpoint } from './checkpoints.ts'
import { forgetParked, park } from './parked.ts'
import type { ParkedEvent } from './parked.ts'
import { indexDdl, tableDdl } from './read-model.ts'
import type { ReadModel } from './read-model.ts'
import type { EventStore, Position } from './store/port.ts'

const RIVAL_POLL_MS = 100
/** With a hash of the name as its second part: keys of two parts never meet the store's, which has one. */
const REBUILD_LOCKS = 4_115_298

export interface RebuildParts {
  readonly store: EventStore
  /** With the projector's role. */
  readonly database: Kysely<any>
  readonly project: Project
}

type Progress = (position: Position) => void

/** Waits while another process rebuilds the same read model, until `isDone` says that there is nothing left to do. */
export async function rebuild(
  parts: RebuildParts,
  model: ReadModel,
  { progress, isDone }: { progress?: Progress | undefined; isDone?: () => Promise<boolean> } = {},
): Promise<void> {
  while (!(await isDone?.())) {
    if (await parts.database.transaction().execute((transaction) => rebuilt(parts, transaction, model, progress)))
      return
    await sleep(RIVAL_POLL_MS)
  }
}

/** @returns false when another process is at it. */
async function rebuilt(
  { store, project }: RebuildParts,
  transaction: Transaction<any>,
  model: ReadModel,
  progress: Progress = () => {},
): Promise<boolean> {
  if (!(await lockRebuild(transaction, model))) return false
  const fresh = `${model.name}Rebuilt`
  await sql.raw(tableDdl(model, fresh)).execute(transaction)
  const target = { model, into: fresh, parked: new Set<string>() }
  const left: ParkedEvent[] = []

  async function replay(from: Position, to: Position): Promise<Position> {
    let position = from
    for await (const events of store.read(from)) {
      const fed = events.filter(({ type }) => model.isFedBy(type))
      left.push(...(await applyOrPark(transaction, target, fed, project)))
      position = events.at(-1)!.position
      progress(position)
      if (position >= to) break
    }
    return position
  }

  const most = await replay(0, await store.head())
  for (const statement of indexDdl(model, fresh)) await sql.raw(statement).execute(transaction)
  await takeCheckpoint(transaction, model)
  // No projector can move the checkpoint any more, and none has moved it beyond the head of now.
  const position = await replay(most, await store.head())
  await swap(transaction, model, fresh)
  await transaction
    .updateTable('read.projection')
    .set({ version: model.version, position })
    .where('name', '=', model.name)
    .execute()
  await forgetParked(transaction, model.name)
  await park(transaction, left)
  return true
}

async function lockRebuild(transaction: Transaction<any>, { name }: ReadModel): Promise<boolean> {
  // A log of which this read model wants little is read for long without a word to the database.
  await sql`SET LOCAL idle_in_transaction_session_timeout = '5min'`.execute(transaction)
  const { rows } = await sql<{ won: boolean }>`
    SELECT pg_try_advisory_xact_lock(${REBUILD_LOCKS}::int, hashtext(${name})) AS won`.execute(transaction)
  return rows[0]?.won === true
}

async function takeCheckpoint(transaction: Transaction<any>, { name }: ReadModel): Promise<void> {
  await transaction
    .insertInto('read.projection')
    .values({ name, version: 0, position: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await lockCheckpoint(transaction, name)
}

async function swap(transaction: Transaction<any>, { name }: ReadModel, fresh: string): Promise<void> {
  await transaction.schema.dropTable(`read.${name}`).ifExists().execute()
  await transaction.schema.alterTable(`read.${fresh}`).renameTo(name).execute()
}
