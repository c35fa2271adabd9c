import {
  id,
  integer,
  key,
  nullable,
  oneOf,
  readModel,
  sealedText,
  text,
  timestamptz,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { applicationEvents, sealedForApplication } from '#panel/applications/events'
import { deploymentEvents } from '#panel/deployments/events'
import type { DeploymentCause, DeploymentKind, DeploymentState, DeploymentStep } from '#panel/deployments/events'

const when = nullable(timestamptz)

const columns = {
  id: key,
  applicationId: id,
  projectId: id,
  environmentId: id,
  serverId: id,
  /** What it deploys. Null: the application itself. */
  previewId: nullable(id),
  kind: oneOf<DeploymentKind>(),
  causeType: oneOf<DeploymentCause>(),
  causeId: nullable(text),
  /** Whose images it runs again. */
  fromId: nullable(id),
  status: oneOf<DeploymentState>(),
  branch: nullable(text),
  commit: nullable(text),
  subject: nullable(sealedText<{ applicationId: string }>('subject', sealedForApplication)),
  /** Of the service that was built last. */
  imageId: nullable(text),
  requestedBy: text,
  failedStep: nullable(oneOf<DeploymentStep | 'QUEUED'>()),
  failureCode: nullable(text),
  failureMessage: nullable(sealedText<{ applicationId: string }>('message', sealedForApplication)),
  skippedWhy: nullable(text),
  /** Its place among the others: two of one request have the same time. */
  position: integer,
  /** The position at which its services were planned from the configuration. Null: not yet. */
  plannedAt: nullable(integer),
  /** How many events the stream of the variables of its application had when its containers were made. */
  variablesRevision: nullable(integer),
  createdAt: timestamptz,
  startedAt: when,
  fetchingAt: when,
  pullingAt: when,
  buildingAt: when,
  startingAt: when,
  switchingAt: when,
  stoppingAt: when,
  endedAt: when,
}

export type DeploymentRow = RowOf<typeof columns>

const MOMENTS = {
  FETCHING: 'fetchingAt',
  PULLING: 'pullingAt',
  BUILDING: 'buildingAt',
  STARTING: 'startingAt',
  SWITCHING: 'switchingAt',
  STOPPING: 'stoppingAt',
} as const

const at = (step: DeploymentStep, moment: string): Partial<DeploymentRow> => ({ status: step, [MOMENTS[step]]: moment })

const indexes = [
  '(application_id, created_at, id)',
  '(preview_id, position) WHERE preview_id IS NOT NULL',
  '(project_id, environment_id, created_at, id)',
  '(created_at, id)',
  '(server_id, position) WHERE ended_at IS NULL',
]

export const deploymentTable = readModel('deployments', 1, columns, indexes)
  .from(deploymentEvents, {
    DeploymentRequested: (
      table,
      { deploymentId, cause, variables: _v, imageTag: _t, alwaysBuilds: _b, ...requested },
      { at: moment, position, metadata },
    ) =>
      table.insert({
        ...requested,
        id: deploymentId,
        causeType: cause.type,
        causeId: cause.id,
        status: 'QUEUED',
        subject: null,
        imageId: null,
        requestedBy: metadata.actor.id,
        failedStep: null,
        failureCode: null,
        failureMessage: null,
        skippedWhy: null,
        position,
        plannedAt: null,
        variablesRevision: null,
        createdAt: moment,
        startedAt: null,
        fetchingAt: null,
        pullingAt: null,
        buildingAt: null,
        startingAt: null,
        switchingAt: null,
        stoppingAt: null,
        endedAt: null,
      }),
    DeploymentStarted: (table, { deploymentId, step }, { at: moment }) =>
      table.update({ id: deploymentId }, { ...at(step, moment), startedAt: moment }),
    DeploymentFetched: (table, { deploymentId, commit, subject, step }, { at: moment }) =>
      table.update({ id: deploymentId }, { commit, subject, ...at(step, moment) }),
    DeploymentPlanned: (table, { deploymentId }, { position: plannedAt }) =>
      table.update({ id: deploymentId }, { plannedAt }),
    DeploymentStarting: (table, { deploymentId, variables: { application: variablesRevision } }) =>
      table.update({ id: deploymentId }, { variablesRevision }),
    DeploymentBuilt: (table, { deploymentId, imageId, step }, { at: moment }) =>
      table.update({ id: deploymentId }, { imageId, ...at(step, moment) }),
    DeploymentReady: (table, { deploymentId, step }, { at: moment }) =>
      table.update({ id: deploymentId }, at(step, moment)),
    DeploymentSucceeded: (table, { deploymentId }, { at: moment }) =>
      table.update({ id: deploymentId }, { status: 'SUCCEEDED', endedAt: moment }),
    DeploymentFailed: (table, { deploymentId, step, code, message }, { at: moment }) =>
      table.update(
        { id: deploymentId },
        { status: 'FAILED', failedStep: step, failureCode: code, failureMessage: message, endedAt: moment },
      ),
    DeploymentCancelRequested: (table, { deploymentId }) =>
      table.update({ id: deploymentId }, { status: 'CANCELLING' }),
    DeploymentCancelled: (table, { deploymentId }, { at: moment }) =>
      table.update({ id: deploymentId }, { status: 'CANCELLED', endedAt: moment }),
    DeploymentSuperseded: (table, { deploymentId }, { at: moment }) =>
      table.update({ id: deploymentId }, { status: 'SUPERSEDED', endedAt: moment }),
    DeploymentSkipped: (table, { deploymentId, why }, { at: moment }) =>
      table.update({ id: deploymentId }, { status: 'SKIPPED', skippedWhy: why, endedAt: moment }),
  })
  .from(applicationEvents, {
    ApplicationTransferred: (table, { applicationId, projectId, environmentId }) =>
      table.update({ applicationId }, { projectId, environmentId }),
    ApplicationDeleted: (table, { applicationId }) => table.remove({ applicationId }),
  })
  .forGate()
