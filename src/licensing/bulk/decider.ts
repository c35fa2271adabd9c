import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found } from '#kernel/lib/rejection'
import { BulkCompleted, bulkEvents, BulkRequested } from './events.ts'

export interface Bulk extends Omit<DataOf<typeof BulkRequested>, 'bulkId'> {
  readonly id: string
  readonly isCompleted: boolean
}

export const bulk = decider(bulkEvents, {
  initial: undefined as Bulk | undefined,
  evolve: {
    BulkRequested: (_none, { bulkId, ...asked }): Bulk => ({ ...asked, id: bulkId, isCompleted: false }),
    BulkCompleted: (state): Bulk => ({ ...state!, isCompleted: true }),
  },
  commands: {
    RequestBulk: (_none, ask: DataOf<typeof BulkRequested>) => [BulkRequested(ask)],
    CompleteBulk: (state, ask: Omit<DataOf<typeof BulkCompleted>, 'bulkId'>) => {
      const { id: bulkId, isCompleted } = found(state)
      return isCompleted ? [] : [BulkCompleted({ ...ask, bulkId })]
    },
  },
})
