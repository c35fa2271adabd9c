import { id, key, nullable, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { scheduledDeployEvents, scheduleFields } from '#panel/scheduled-deploys/events'

const columns = {
  id: key,
  applicationId: id,
  ...columnsOf(scheduleFields),
  /** Null: it is not due any more. */
  nextAt: nullable(timestamptz),
  lastFor: nullable(timestamptz),
  lastAt: nullable(timestamptz),
  lastDeploymentId: nullable(id),
  lastRefusal: nullable(text),
  missedFor: nullable(timestamptz),
  createdAt: timestamptz,
}

export type ScheduledDeployRow = RowOf<typeof columns>

const UNUSED = { lastFor: null, lastAt: null, lastDeploymentId: null, lastRefusal: null, missedFor: null }

export const scheduledDeployTable = readModel('scheduledDeploys', 1, columns, [
  '(application_id, created_at, id)',
  '(created_at, id)',
  '(next_at)',
])
  .from(scheduledDeployEvents, {
    ScheduledDeploySet(
      table,
      { scheduledDeployId, applicationId, projectId: _p, environmentId: _e, isNew, ...set },
      { at },
    ) {
      if (isNew) table.insert({ ...set, ...UNUSED, id: scheduledDeployId, applicationId, createdAt: at })
      else table.update({ id: scheduledDeployId }, set)
    },
    ScheduledDeployRan: (table, { scheduledDeployId, scheduledFor, nextAt, deploymentId, refusal }, { at }) =>
      table.update(
        { id: scheduledDeployId },
        { nextAt, lastFor: scheduledFor, lastAt: at, lastDeploymentId: deploymentId, lastRefusal: refusal },
      ),
    ScheduledDeployMissed: (table, { scheduledDeployId, scheduledFor, nextAt }) =>
      table.update({ id: scheduledDeployId }, { nextAt, missedFor: scheduledFor }),
    ScheduledDeployRemoved: (table, { scheduledDeployId }) => table.remove({ id: scheduledDeployId }),
  })
  .forGate()
