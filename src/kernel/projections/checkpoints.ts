/** How far each read model is: the rows of read.projection. They move by compare-and-set, so that of rivals one wins. */
import type { Kysely, Transaction } from 'kysely'
import type { ReadModel } from './read-model.ts'
import type { Position } from '../events/store-port.ts'

export interface Checkpoint {
  readonly name: string
  readonly version: number
  readonly position: Position
  /** Events up to `position` that wait to be applied again, because they or others of their stream could not be. */
  readonly parked: number
}

/** Of all read models, those of other versions included. */
export const checkpoints = (database: Kysely<any>): Promise<Checkpoint[]> =>
  database.selectFrom('read.projection').select(['name', 'version', 'position', 'parked']).execute()

/** Thrown, so that the transaction is rolled back: those of the group that no rival has moved must not move either. */
export class RivalFaster extends Error {
  override readonly name = 'RivalFaster'
}

/** @throws RivalFaster when one of them has been moved since `from` */
export async function moved(
  transaction: Transaction<any>,
  group: readonly ReadModel[],
  from: Position,
  to: Position,
): Promise<Checkpoint[]> {
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
  if (rows.length < group.length) throw new RivalFaster()
  return rows
}

/** Nobody moves it, and nobody parks or retries for it, until the transaction ends. */
export function lockCheckpoint(transaction: Transaction<any>, name: string): Promise<Checkpoint | undefined> {
  return transaction
    .selectFrom('read.projection')
    .select(['name', 'version', 'position', 'parked'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
}
