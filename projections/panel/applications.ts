import { bool, id, integer, json, key, nullable, readModel, text, timestamptz } from '#kernel/projections/read-model'
import type { ProjectedEvent, RowOf, TableWriter } from '#kernel/projections/read-model'
import { columnsOf } from '#kernel/resource/columns-of'
import { addressFields } from '#panel/applications/addresses/events'
import type { DataCopy } from '#panel/applications/data/events'
import { applicationEnvEvents } from '#panel/applications/env/events'
import { applicationEvents, keptFields, sealedForApplication } from '#panel/applications/events'
import { NO_PREVIEWS } from '#panel/applications/previews/events'
import { applicationReleaseEvents } from '#panel/applications/release/events'

const columns = {
  id: key,
  projectId: id,
  environmentId: id,
  serverId: id,
  slug: text,
  ...columnsOf(keptFields, ({ id: applicationId }: { readonly id: string }) => sealedForApplication({ applicationId })),
  ...columnsOf(addressFields),
  autoDeploy: bool,
  /** Null: it has no volumes of another application. */
  dataCopy: nullable(json<DataCopy>()),
  /** How long a preview stays without new commits. */
  previewIdleDays: integer,
  /** The deployment whose containers run. Null: none. */
  runningId: nullable(id),
  /** The position of the newest change of its configuration or its files. */
  configuredAt: integer,
  /** How many events the stream of its variables has. */
  variablesRevision: integer,
  createdAt: timestamptz,
}

const NO_ADDRESS = { urlMode: 'PORT', urlPort: null, bindIp: null, outboundIp: null } as const
const PREVIEWS = { previewIdleDays: NO_PREVIEWS.idleDays }
const NOTHING_RUNS = { autoDeploy: false, dataCopy: null, runningId: null, variablesRevision: 0 } as const

export type ApplicationRow = RowOf<typeof columns>

type EnvChanged = (
  table: TableWriter<ApplicationRow>,
  about: { readonly applicationId: string },
  event: Pick<ProjectedEvent, 'revision'>,
) => undefined

const envChanged: EnvChanged = (table, { applicationId }, { revision }) =>
  table.update({ id: applicationId }, { variablesRevision: revision })

export const applicationTable = readModel('applications', 1, columns, [
  '(project_id, environment_id, created_at, id)',
  '(created_at, id)',
])
  .from(applicationEvents, {
    ApplicationCreated: (table, { applicationId, ...application }, { at, position: configuredAt }) =>
      table.insert({
        ...application,
        ...NO_ADDRESS,
        ...NOTHING_RUNS,
        ...PREVIEWS,
        id: applicationId,
        configuredAt,
        createdAt: at,
      }),
    ApplicationChanged: (
      table,
      { applicationId, projectId: _p, environmentId: _e, formerName: _n, ...values },
      { position: configuredAt },
    ) => table.update({ id: applicationId }, { ...values, configuredAt }),
    ApplicationFileWritten: (table, { applicationId }, { position: configuredAt }) =>
      table.update({ id: applicationId }, { configuredAt }),
    ApplicationAddressed: (table, { applicationId, projectId: _p, environmentId: _e, ...address }) =>
      table.update({ id: applicationId }, address),
    ApplicationDataCopyChanged: (table, { applicationId, projectId: _p, environmentId: _e, ...dataCopy }) =>
      table.update({ id: applicationId }, { dataCopy }),
    ApplicationAutoDeploySet: (table, { applicationId, autoDeploy }) =>
      table.update({ id: applicationId }, { autoDeploy }),
    ApplicationWebhookInstalled: (table, { applicationId }) =>
      table.update({ id: applicationId }, { autoDeploy: true }),
    ApplicationTransferred: (table, { applicationId, projectId, environmentId }, { position: configuredAt }) =>
      table.update({ id: applicationId }, { projectId, environmentId, configuredAt }),
    ApplicationPreviewsConfigured: (table, { applicationId, idleDays: previewIdleDays }) =>
      table.update({ id: applicationId }, { previewIdleDays }),
    ApplicationDeleted: (table, { applicationId }) => table.remove({ id: applicationId }),
  })
  .from(applicationEnvEvents, {
    ApplicationVariableSet: envChanged,
    ApplicationVariableRemoved: envChanged,
    ApplicationEnvSetAdded: envChanged,
    ApplicationEnvSetRenamed: envChanged,
    ApplicationEnvSetRemoved: envChanged,
    ApplicationEnvSetActivated: envChanged,
  })
  .from(applicationReleaseEvents, {
    ApplicationReleased: (table, { applicationId, previewId, deploymentId: runningId }) =>
      previewId === null ? table.update({ id: applicationId }, { runningId }) : undefined,
    ApplicationStopped: (table, { applicationId, previewId }) =>
      previewId === null ? table.update({ id: applicationId }, { runningId: null }) : undefined,
  })
  .forGate()
