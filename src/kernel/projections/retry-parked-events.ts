/** Applies parked events again in the order of their positions, after the operator has removed the cause. */
import type { EventStore, RecordedEvent } from '../events/store-port.ts'
import { applyOrPark } from './apply-batch.ts'
import type { ToProjectedEvent } from './apply-batch.ts'
import { lockCheckpoint } from './checkpoints.ts'
import { nextParkedEvents, unpark } from './parked-events.ts'
import type { ParkedEvent } from './parked-events.ts'
import type { ReadDatabase, ReadTransaction } from './read-database.ts'
import type { ReadModel } from './read-model.ts'

const BATCH_EVENTS = 100

export interface RetryDependencies {
  readonly store: EventStore
  /** With the projector's role. */
  readonly database: ReadDatabase
  readonly project: ToProjectedEvent
}

export interface RetryResult {
  readonly applied: number
  /** Streams that still cannot be applied. */
  readonly parked: number
}

/** @throws any error that `isTransient`, such as 42P01 for a missing table; the batch is then rolled back */
export async function retryParked(parts: RetryDependencies, model: ReadModel): Promise<RetryResult> {
  const parked = new Set<string>()
  let applied = 0
  for (;;) {
    const done = await parts.database
      .transaction()
      .execute((transaction) => retryBatch(parts, transaction, model, parked))
    if (done === undefined) return { applied, parked: parked.size }
    applied += done
  }
}

/** @returns the number of applied events; undefined when nothing is left to retry */
async function retryBatch(
  { store, project }: RetryDependencies,
  transaction: ReadTransaction,
  model: ReadModel,
  parked: Set<string>,
): Promise<number | undefined> {
  // While the checkpoint is locked, no process parks more events behind these.
  const checkpoint = await lockCheckpoint(transaction, model.name)
  if (checkpoint?.version !== model.version) return undefined
  const tried = await nextParkedEvents(transaction, model.name, parked, BATCH_EVENTS)
  if (tried.length === 0) return undefined
  const still = await applyOrPark({ transaction }, { model, parked }, await eventsOf(store, tried), project)
  await unpark(transaction, model.name, tried, still)
  return tried.length - still.length
}

async function eventsOf(store: EventStore, parked: readonly ParkedEvent[]): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = []
  for (const { position } of parked) {
    const event = await store.eventAt(position)
    if (!event) throw new Error(`There is no event at position ${position}; rebuild the read model that parked it`)
    found.push(event)
  }
  return found
}
