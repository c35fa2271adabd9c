import { bool, id, key, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { addressFields } from '#panel/applications/addresses/events'
import { applicationEvents, applicationFields } from '#panel/applications/events'

const columns = {
  id: key,
  projectId: id,
  environmentId: id,
  serverId: id,
  slug: text,
  ...columnsOf(applicationFields),
  ...columnsOf(addressFields),
  autoDeploy: bool,
  createdAt: timestamptz,
}

const NO_ADDRESS = { urlMode: 'PORT', urlPort: null, bindIp: null, outboundIp: null } as const

export type ApplicationRow = RowOf<typeof columns>

export const applicationTable = readModel('applications', 1, columns, [
  '(project_id, environment_id, created_at, id)',
  '(created_at, id)',
])
  .from(applicationEvents, {
    ApplicationCreated: (table, { applicationId, ...application }, { at }) =>
      table.insert({ ...application, ...NO_ADDRESS, id: applicationId, autoDeploy: false, createdAt: at }),
    ApplicationChanged: (table, { applicationId, projectId: _p, environmentId: _e, formerName: _n, ...values }) =>
      table.update({ id: applicationId }, values),
    ApplicationAddressed: (table, { applicationId, projectId: _p, environmentId: _e, ...address }) =>
      table.update({ id: applicationId }, address),
    ApplicationAutoDeploySet: (table, { applicationId, autoDeploy }) =>
      table.update({ id: applicationId }, { autoDeploy }),
    ApplicationWebhookInstalled: (table, { applicationId }) =>
      table.update({ id: applicationId }, { autoDeploy: true }),
    ApplicationDeleted: (table, { applicationId }) => table.remove({ id: applicationId }),
  })
  .forGate()
