/** Deployments: how one version of an application comes to run. */
import { z } from 'zod'
import { eventsAbout, sealed, stream } from '#kernel/events/event'
import { sealedForApplication } from '../applications/events.ts'

/** START and STOP leave the images as they are. PROMOTE runs the images of another application's deployment. */
export const DEPLOYMENT_KINDS = ['DEPLOY', 'ROLLBACK', 'RESTART', 'START', 'STOP', 'PROMOTE'] as const
export type DeploymentKind = (typeof DEPLOYMENT_KINDS)[number]

export const DEPLOYMENT_CAUSES = ['USER', 'KEY', 'WEBHOOK', 'SCHEDULE', 'PROMOTE'] as const
export type DeploymentCause = (typeof DEPLOYMENT_CAUSES)[number]

/** What a deployment does, one after the other; each kind has some of them. */
export const DEPLOYMENT_STEPS = ['FETCHING', 'PULLING', 'BUILDING', 'STARTING', 'SWITCHING', 'STOPPING'] as const
export type DeploymentStep = (typeof DEPLOYMENT_STEPS)[number]

export const DEPLOYMENT_ENDS = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED', 'SKIPPED'] as const
export const DEPLOYMENT_STATES = ['QUEUED', ...DEPLOYMENT_STEPS, 'CANCELLING', ...DEPLOYMENT_ENDS] as const
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number]

/** Project and environment are named in each event, because the rights there say who sees it. */
export const aboutDeployment = {
  deploymentId: z.uuid(),
  applicationId: z.uuid(),
  projectId: z.uuid(),
  environmentId: z.uuid(),
}

const sealedFor = sealedForApplication

/** How many events the streams of the variables had. The variables themselves are kept nowhere else. */
export const variableRevisions = z.object({ application: z.int(), project: z.int() })
export type VariableRevisions = z.output<typeof variableRevisions>

const events = eventsAbout(
  aboutDeployment,
  sealedFor,
)({
  DeploymentRequested: {
    fields: {
      serverId: z.uuid(),
      /** What it deploys. Null: the application itself. */
      previewId: z.uuid().nullable(),
      kind: z.enum(DEPLOYMENT_KINDS),
      cause: z.object({ type: z.enum(DEPLOYMENT_CAUSES), id: z.string().nullable() }),
      /** What is fetched or pulled instead of what the application names. */
      commit: z.string().nullable(),
      branch: z.string().nullable(),
      imageTag: z.string().nullable(),
      /** Whether an image is built although one of the same commit is there. */
      alwaysBuilds: z.boolean(),
      /** The deployment whose images it runs. Null: it makes its own. */
      fromId: z.uuid().nullable(),
      /** Those that it uses again. Null: the newest ones when it starts its containers. */
      variables: variableRevisions.nullable(),
    },
    sentence: ({ deploymentId, applicationId, previewId, kind, cause: { type } }) =>
      `asked for deployment ${deploymentId} (${kind}, by ${type}) of ` +
      `${previewId === null ? '' : `preview ${previewId} of `}application ${applicationId}`,
  },
  DeploymentStarted: {
    fields: { step: z.enum(DEPLOYMENT_STEPS) },
    sentence: ({ deploymentId, step }) => `started deployment ${deploymentId} with ${step}`,
  },
  DeploymentFetched: {
    fields: {
      commit: z.string(),
      /** The first line of its message, which may name people. */
      subject: sealed(z.string()),
      step: z.enum(DEPLOYMENT_STEPS),
    },
    sentence: ({ deploymentId, commit }) => `fetched commit ${commit} for deployment ${deploymentId}`,
  },
  /** What is built, and what is started then: JSON, whose shape is the release plan's. Files of users may hold secrets. */
  DeploymentPlanned: {
    fields: { plan: sealed(z.string()) },
    sentence: ({ deploymentId }) => `planned the services of deployment ${deploymentId}`,
  },
  DeploymentBuilt: {
    fields: {
      service: z.string(),
      imageId: z.string(),
      repoDigest: z.string().nullable(),
      step: z.enum(DEPLOYMENT_STEPS),
    },
    sentence: ({ deploymentId, service, imageId }) =>
      `has image ${imageId} for ${service} of deployment ${deploymentId}`,
  },
  /** The containers are being made, with these variables. */
  DeploymentStarting: {
    fields: { variables: variableRevisions },
    sentence: ({ deploymentId }) => `starts the containers of deployment ${deploymentId}`,
  },
  DeploymentReady: {
    fields: { step: z.enum(DEPLOYMENT_STEPS) },
    sentence: ({ deploymentId }) => `has all containers of deployment ${deploymentId} healthy`,
  },
  DeploymentSucceeded: { fields: {}, sentence: ({ deploymentId }) => `deployment ${deploymentId} succeeded` },
  DeploymentFailed: {
    fields: { step: z.enum(['QUEUED', ...DEPLOYMENT_STEPS]), code: z.string(), message: sealed(z.string()) },
    sentence: ({ deploymentId, step, code }) => `deployment ${deploymentId} failed at ${step} with ${code}`,
  },
  DeploymentCancelRequested: {
    fields: {},
    sentence: ({ deploymentId }) => `asked to cancel deployment ${deploymentId}`,
  },
  DeploymentCancelled: { fields: {}, sentence: ({ deploymentId }) => `cancelled deployment ${deploymentId}` },
  DeploymentSuperseded: {
    fields: { byId: z.uuid() },
    sentence: ({ deploymentId, byId }) => `left out deployment ${deploymentId}, because ${byId} is newer`,
  },
  DeploymentSkipped: {
    /** SAME_COMMIT: it runs already. NOT_WATCHED: nothing below the watched paths differs. */
    fields: { why: z.enum(['SAME_COMMIT', 'NOT_WATCHED']) },
    sentence: ({ deploymentId, why }) => `skipped deployment ${deploymentId}: ${why}`,
  },
})

/** One stream for each deployment: its states are one machine. Who runs when is the lane's. */
export const deploymentEvents = stream('deployment', events)
