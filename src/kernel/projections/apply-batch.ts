/** Applies one batch of events to read models, in the caller's transaction. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { UnknownEventVersion } from '../events/event.ts'
import type { RecordedEvent } from '../events/store-port.ts'
import { isUnavailable } from '../store/outage.ts'
import { errorText } from './parked-events.ts'
import type { ParkedEvent } from './parked-events.ts'
import type { CopyTransaction } from './read-database.ts'
import type { ProjectedEvent, ReadModel } from './read-model.ts'
import { recallRows } from './recall-rows.ts'
import { RowBuffer } from './row-buffer.ts'

/** Applying so many events takes a few milliseconds; then other tasks of the process run. */
const SLICE_EVENTS = 500

/**
 * SQLSTATE classes that no event causes: 40, a conflicting transaction;
 * 42, a table with other columns or without privileges.
 */
const NOT_THE_EVENT = /^4[02]/

export interface ProjectionTarget {
  readonly model: ReadModel
  /** The table that a rebuild fills, in camelCase; the default is the read model's table. */
  readonly into?: string
  /** The parked streams of the read model. `applyOrPark` adds to it. */
  readonly parked: Set<string>
}

export type ToProjectedEvent = (recorded: RecordedEvent) => ProjectedEvent

/** Whether a retry or a newer process may succeed. Such an error stops the read model; it does not park a stream. */
export function isTransient(error: unknown): boolean {
  if (isUnavailable(error) || error instanceof UnknownEventVersion) return true
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && NOT_THE_EVENT.test(code)
}

/**
 * Buffers the changes in `writes`.
 * @returns the events of parked streams, to be parked too.
 * @throws any error of a handler
 */
export function applyToBuffer(
  writes: RowBuffer,
  targets: readonly ProjectionTarget[],
  events: readonly RecordedEvent[],
  project: ToProjectedEvent,
): ParkedEvent[] {
  const behind: ParkedEvent[] = []
  const tables = targets.map(({ model, into, parked }) => ({ model, parked, table: model.writer(writes, into) }))
  for (const recorded of events) {
    let event: ProjectedEvent | undefined
    for (const { model, parked, table } of tables) {
      if (!model.isFedBy(recorded.type)) continue
      const { position, stream } = recorded
      if (parked.has(stream)) behind.push({ projection: model.name, position, stream, error: null })
      else model.apply(table, (event ??= project(recorded)))
    }
  }
  return behind
}

/** @returns the events of parked streams, to be parked too. @throws any error of a handler or of the database */
export async function applyBatch(
  place: CopyTransaction,
  targets: readonly ProjectionTarget[],
  events: readonly RecordedEvent[],
  project: ToProjectedEvent,
): Promise<ParkedEvent[]> {
  const writes = new RowBuffer()
  const behind: ParkedEvent[] = []
  for (let from = 0; from < events.length; from += SLICE_EVENTS) {
    const slice = events.slice(from, from + SLICE_EVENTS)
    await recallRows(place.transaction, writes, { targets, events: slice, project })
    behind.push(...applyToBuffer(writes, targets, slice, project))
    // Lets the event loop serve requests in between.
    if (from + SLICE_EVENTS < events.length) await turn()
  }
  await writes.flush(place)
  return behind
}

/**
 * Applies what it can and parks the rest: it splits a failing batch in halves until it finds the failing event.
 * Slower than `applyBatch`. @returns the events to park. @throws any error that `isTransient`
 */
export async function applyOrPark(
  place: CopyTransaction,
  target: ProjectionTarget,
  events: readonly RecordedEvent[],
  project: ToProjectedEvent,
): Promise<ParkedEvent[]> {
  if (events.length === 0) return []
  const { transaction } = place
  await sql`SAVEPOINT tried`.execute(transaction)
  try {
    const behind = await applyBatch(place, [target], events, project)
    await sql`RELEASE SAVEPOINT tried`.execute(transaction)
    return behind
  } catch (error) {
    if (isTransient(error)) throw error
    await sql`ROLLBACK TO SAVEPOINT tried`.execute(transaction)
    await sql`RELEASE SAVEPOINT tried`.execute(transaction)
    if (events.length > 1) {
      const half = events.length >> 1
      const first = await applyOrPark(place, target, events.slice(0, half), project)
      return [...first, ...(await applyOrPark(place, target, events.slice(half), project))]
    }
    const [{ position, stream }] = events as [RecordedEvent]
    target.parked.add(stream)
    return [{ projection: target.model.name, position, stream, error: errorText(error) }]
  }
}
