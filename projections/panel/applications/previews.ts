import { id, integer, key, nullable, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { applicationEvents } from '#panel/applications/events'
import { previewEvents } from '#panel/applications/previews/events'

const columns = {
  id: key,
  applicationId: id,
  projectId: id,
  environmentId: id,
  serverId: id,
  pullRequest: integer,
  ref: text,
  /** The newest one that was asked for. */
  deploymentId: nullable(id),
  createdAt: timestamptz,
  /** When it was deployed last. */
  updatedAt: timestamptz,
}

export type PreviewRow = RowOf<typeof columns>

export const previewTable = readModel('previews', 1, columns, ['(application_id, pull_request)', '(updated_at, id)'])
  .from(previewEvents, {
    PreviewOpened: (table, { previewId, repository: _r, asOf: _a, ...opened }, { at }) =>
      table.insert({ ...opened, id: previewId, deploymentId: null, createdAt: at, updatedAt: at }),
    PreviewUpdated: (table, { previewId, deploymentId }, { at: updatedAt }) =>
      table.update({ id: previewId }, { deploymentId, updatedAt }),
    PreviewClosed: (table, { previewId }) => table.remove({ id: previewId }),
  })
  .from(applicationEvents, {
    ApplicationDeleted: (table, { applicationId }) => table.remove({ applicationId }),
  })
  .forGate()
