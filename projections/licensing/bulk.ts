import { integer, key, nullable, oneOf, readModel, text, timestamptz } from '#kernel/projections/read-model'
import { bulkEvents } from '#licensing/bulk/events'
import type { BulkAction } from '#licensing/bulk/events'

const columns = {
  id: key,
  action: oneOf<BulkAction>(),
  status: oneOf<'RUNNING' | 'COMPLETED'>(),
  total: integer,
  done: integer,
  skipped: integer,
  failed: integer,
  reason: nullable(text),
  requestedBy: text,
  createdAt: timestamptz,
  completedAt: nullable(timestamptz),
}

export const bulkTable = readModel('bulk', 1, columns, ['(created_at, id)']).from(bulkEvents, {
  BulkRequested: (table, { bulkId, action, total, reason }, { at, metadata }) =>
    table.insert({
      id: bulkId,
      action,
      status: 'RUNNING',
      total,
      done: 0,
      skipped: 0,
      failed: 0,
      reason,
      requestedBy: metadata.actor.id,
      createdAt: at,
      completedAt: null,
    }),
  BulkCompleted: (table, { bulkId, done, skipped, failed }, { at }) =>
    table.update({ id: bulkId }, { status: 'COMPLETED', done, skipped, failed, completedAt: at }),
})
