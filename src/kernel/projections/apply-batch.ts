/** One batch of events into read models, in the caller's transaction. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { UnknownEventVersion } from '../events/event.ts'
import { errorText } from './parked-events.ts'
import type { ParkedEvent } from './parked-events.ts'
import type { ProjectedEvent, ReadModel } from './read-model.ts'
import { isUnavailable } from '../store/outage.ts'
import type { RecordedEvent } from '../events/store-port.ts'
import { RowBuffer } from './row-buffer.ts'
import type { CopyTransaction } from './row-buffer.ts'

/** Some milliseconds' work. */
const SLICE_EVENTS = 500

/** Lost to a rival (40), or the table is not as the read model declares it or not ours to write (42): no fault of any event. */
const NOT_THE_EVENT = /^4[02]/

export interface ProjectionTarget {
  readonly model: ReadModel
  /** The table that a rebuild fills, in camelCase; by default the read model's own. */
  readonly into?: string
  /** Its parked streams. Grows when one more is parked. */
  readonly parked: Set<string>
}

export type ToProjectedEvent = (recorded: RecordedEvent) => ProjectedEvent

/** Whether trying again, or a newer process, may well succeed: such an error stops the read model instead of parking a stream. */
export function isTransient(error: unknown): boolean {
  if (isUnavailable(error) || error instanceof UnknownEventVersion) return true
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && NOT_THE_EVENT.test(code)
}

/** Into `writes`, for whoever writes them. @returns what must be parked behind others of its stream. @throws whatever an event throws */
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

/** @returns what must be parked behind others of its stream. @throws whatever one of the events throws */
export async function applyBatch(
  place: CopyTransaction,
  targets: readonly ProjectionTarget[],
  events: readonly RecordedEvent[],
  project: ToProjectedEvent,
): Promise<ParkedEvent[]> {
  const writes = new RowBuffer()
  const behind: ParkedEvent[] = []
  for (let from = 0; from < events.length; from += SLICE_EVENTS) {
    behind.push(...applyToBuffer(writes, targets, events.slice(from, from + SLICE_EVENTS), project))
    // Whoever serves requests beside it gets a turn.
    if (from + SLICE_EVENTS < events.length) await turn()
  }
  await writes.flush(place)
  return behind
}

/**
 * Parks what cannot be applied: the events are tried in halves, so that everything else is. Costs more than applyAll.
 * @returns what must be parked. @throws what isPassing
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
