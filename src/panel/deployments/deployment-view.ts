/** A deployment as callers see it. */
import { z } from 'zod'
import type { DeploymentRow } from '#projections/panel/deployments'
import { LogLine } from '../../tasks/protocol.ts'
import type { Deployment as DeploymentNow } from './decider.ts'
import { DEPLOYMENT_CAUSES, DEPLOYMENT_KINDS, DEPLOYMENT_STATES, DEPLOYMENT_STEPS } from './events.ts'

const moment = z.iso.datetime().nullable()

export const Deployment = z
  .object({
    id: z.uuid(),
    applicationId: z.uuid(),
    projectId: z.uuid(),
    environmentId: z.uuid(),
    serverId: z.uuid(),
    previewId: z.uuid().nullable().describe('The preview that it deploys. Null: the application itself.'),
    kind: z.enum(DEPLOYMENT_KINDS),
    cause: z.object({ type: z.enum(DEPLOYMENT_CAUSES), id: z.string().nullable() }),
    status: z.enum(DEPLOYMENT_STATES),
    waitingFor: z
      .enum(['LANE', 'SERVER'])
      .nullable()
      .describe('LANE: other deployments of the server. SERVER: its agent is silent. Null: it waits for nothing.'),
    fromId: z.uuid().nullable().describe('The deployment whose images it runs again. Null: it gets its own.'),
    branch: z.string().nullable().describe('Instead of that of the application.'),
    commit: z
      .object({ sha: z.string(), subject: z.string().nullable() })
      .nullable()
      .describe('The subject is the first line of its message.'),
    imageId: z.string().nullable(),
    requestedBy: z.string().describe('The id of the account or API key, or the installation itself.'),
    failure: z
      .object({ step: z.enum(['QUEUED', ...DEPLOYMENT_STEPS]), code: z.string(), message: z.string() })
      .nullable(),
    skippedWhy: z.string().nullable().describe('SAME_COMMIT or NOT_WATCHED.'),
    createdAt: z.iso.datetime(),
    startedAt: moment,
    fetchingAt: moment,
    pullingAt: moment,
    buildingAt: moment,
    startingAt: moment,
    switchingAt: moment,
    stoppingAt: moment,
    endedAt: moment,
  })
  .meta({ id: 'Deployment' })

export const DeploymentWithLog = z
  .object({
    ...Deployment.shape,
    log: z
      .object({ lines: z.array(z.object({ ...LogLine.shape, seq: z.int() })), next: z.int(), cut: z.int() })
      .nullable()
      .describe('Null without the permission apps:logs. `next` is the `after` of the next call.'),
  })
  .meta({ id: 'DeploymentWithLog' })

/** @param row with opened columns */
export function deploymentView(row: DeploymentRow, isServerSilent: boolean): z.input<typeof Deployment> {
  const { causeType, causeId, commit, subject, failedStep, failureCode, failureMessage, position: _p, ...rest } = row
  const waits = row.endedAt === null && isServerSilent ? 'SERVER' : null
  return {
    ...rest,
    cause: { type: causeType, id: causeId },
    waitingFor: row.status === 'QUEUED' ? 'LANE' : waits,
    commit: commit === null ? null : { sha: commit, subject },
    failure: failedStep === null ? null : { step: failedStep, code: failureCode!, message: failureMessage! },
  }
}

/** One that was asked for in this unit of work. */
export function requestedView(
  { state, commit, requestedAt, fetched: _f, plan: _p, images: _i, variables: _v, step: _s, ...rest }: DeploymentNow,
  requestedBy: string,
): z.input<typeof Deployment> {
  const { imageTag: _t, alwaysBuilds: _b, ...shown } = rest
  const NEVER = null
  return {
    ...shown,
    status: state,
    waitingFor: 'LANE',
    commit: commit === null ? null : { sha: commit, subject: null },
    imageId: null,
    requestedBy,
    failure: null,
    skippedWhy: null,
    createdAt: requestedAt,
    startedAt: NEVER,
    fetchingAt: NEVER,
    pullingAt: NEVER,
    buildingAt: NEVER,
    startingAt: NEVER,
    switchingAt: NEVER,
    stoppingAt: NEVER,
    endedAt: NEVER,
  }
}
