/** How far each read model is: the rows of read.projection. They move by compare-and-set, so that of rivals one wins. */
import type { Kysely, Transaction } from 'kysely'
import type { ReadModel } from './read-model.ts'
import type { Position } from '../events/store-port.ts'

export interface ProjectionCheckpoint {
  readonly name: string
  readonly version: number
  readonly position: Position
  /** Events up to `position` that wait to be applied again, because they or others of their stream could not be. */
  readonly parked: number
}

/** Of all read models, those of other versions included. */
export const readCheckpoints = (database: Kysely<any>): Promise<ProjectionCheckpoint[]> =>
  database.selectFrom('read.projection').select(['name', 'version', 'position', 'parked']).execute()

/** Thrown, so that the transaction is rolled back: those of the group that no rival has moved must not move either. */
export class CheckpointConflict extends Error {
  override readonly name = 'CheckpointConflict'
}

/** @throws CheckpointConflict when one of them has been moved since `from` */
export async function moveCheckpoints(
  transaction: Transaction<any>,
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

/** Nobody moves it, and nobody parks or retries for it, until the transaction ends. */
export function lockCheckpoint(transaction: Transaction<any>, name: string): Promise<ProjectionCheckpoint | undefined> {
  return transaction
    .selectFrom('read.projection')
    .select(['name', 'version', 'position', 'parked'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
}
