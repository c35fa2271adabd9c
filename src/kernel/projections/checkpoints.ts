/** The position of each read model, in read.projection. Compare-and-set lets one of several competing processes win. */
import type { Position } from '../events/store-port.ts'
import type { ReadDatabase, ReadTransaction } from './read-database.ts'
import type { ReadModel } from './read-model.ts'

export interface ProjectionCheckpoint {
  readonly name: string
  readonly version: number
  readonly position: Position
  /** The number of parked events up to `position`: those that failed and those behind them in their streams. */
  readonly parked: number
}

/** Reads the checkpoints of all read models, other versions included. */
export const readCheckpoints = (database: ReadDatabase): Promise<ProjectionCheckpoint[]> =>
  database.selectFrom('read.projection').select(['name', 'version', 'position', 'parked']).execute()

/**
 * Rolls the transaction back: if one read model of a group was moved by another process, none of the group may move.
 */
export class CheckpointConflict extends Error {
  override readonly name = 'CheckpointConflict'
}

/** @throws CheckpointConflict when another process has moved one of them from `from` */
export async function moveCheckpoints(
  transaction: ReadTransaction,
  group: readonly ReadModel[],
  from: Position,
  to: Position,
): Promise<ProjectionCheckpoint[]> {
  const rows = await transaction
    .updateTable('read.projection')
    .set({ position: to })
    .where((is) =>
      is(
        is.refTuple('name', 'version'),
        'in',
        group.map(({ name, version }) => is.tuple(name, version)),
      ),
    )
    .where('position', '=', from)
    .returning(['name', 'version', 'position', 'parked'])
    .execute()
  if (rows.length < group.length) throw new CheckpointConflict()
  return rows
}

/** Until the transaction ends, no process moves this checkpoint, or parks or retries events of its read model. */
export function lockCheckpoint(transaction: ReadTransaction, name: string): Promise<ProjectionCheckpoint | undefined> {
  return transaction
    .selectFrom('read.projection')
    .select(['name', 'version', 'position', 'parked'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
}
