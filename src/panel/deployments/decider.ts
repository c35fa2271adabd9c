/** The states of a deployment. What its tasks tell twice, or too late, decides nothing. */
import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { DEPLOYMENT_ENDS, DEPLOYMENT_STEPS, deploymentEvents } from './events.ts'
import type { DeploymentState, DeploymentStep, VariableRevisions } from './events.ts'

type Requested = DataOf<typeof deploymentEvents.DeploymentRequested>

export interface Deployment extends Omit<Requested, 'deploymentId' | 'variables'> {
  readonly id: string
  readonly state: DeploymentState
  /** What it does, or did before it was cancelled or failed. */
  readonly step: DeploymentStep | 'QUEUED'
  readonly fetched: { readonly commit: string; readonly subject: string } | null
  /** JSON. */
  readonly plan: string | null
  /** By the service. */
  readonly images: Readonly<Record<string, string>>
  /** Before its containers are made: those that it was asked to use again, if any. */
  readonly variables: VariableRevisions | null
  readonly requestedAt: string
}

const isStep = (state: DeploymentState): state is DeploymentStep => DEPLOYMENT_STEPS.some((step) => step === state)

export const isOver = ({ state }: Pick<Deployment, 'state'>): boolean => DEPLOYMENT_ENDS.some((end) => end === state)

const aboutOf = ({ id: deploymentId, applicationId, projectId, environmentId }: Deployment) => ({
  deploymentId,
  applicationId,
  projectId,
  environmentId,
})

const at = (deployment: Deployment | undefined, step: DeploymentStep): Deployment => ({
  ...deployment!,
  state: step,
  step,
})

const ended = (deployment: Deployment | undefined, state: DeploymentState): Deployment => ({ ...deployment!, state })

/** The steps in which a deployment gets its images. */
const MAKING: readonly DeploymentState[] = ['FETCHING', 'PULLING', 'BUILDING']

export const deployments = decider(deploymentEvents, {
  initial: undefined as Deployment | undefined,
  evolve: {
    DeploymentRequested: (_none, { deploymentId: id, ...requested }, time): Deployment => ({
      ...requested,
      id,
      state: 'QUEUED',
      step: 'QUEUED',
      fetched: null,
      plan: null,
      images: {},
      requestedAt: time.toISOString(),
    }),
    DeploymentStarted: (deployment, { step }) => at(deployment, step),
    DeploymentFetched: (deployment, { commit, subject, step }) => ({
      ...at(deployment, step),
      fetched: { commit, subject },
    }),
    DeploymentPlanned: (deployment, { plan }) => ({ ...deployment!, plan }),
    DeploymentBuilt: (deployment, { service, imageId, step }) => ({
      ...at(deployment, step),
      images: { ...deployment!.images, [service]: imageId },
    }),
    DeploymentStarting: (deployment, { variables }) => ({ ...deployment!, variables }),
    DeploymentReady: (deployment, { step }) => at(deployment, step),
    DeploymentSucceeded: (deployment) => ended(deployment, 'SUCCEEDED'),
    DeploymentFailed: (deployment) => ended(deployment, 'FAILED'),
    DeploymentCancelRequested: (deployment) => ended(deployment, 'CANCELLING'),
    DeploymentCancelled: (deployment) => ended(deployment, 'CANCELLED'),
    DeploymentSuperseded: (deployment) => ended(deployment, 'SUPERSEDED'),
    DeploymentSkipped: (deployment) => ended(deployment, 'SKIPPED'),
  },
  commands: {
    Request: (_none, ask: Requested) => [deploymentEvents.DeploymentRequested(ask)],

    Start: (deployment, { step }: { readonly step: DeploymentStep }) =>
      deployment?.state === 'QUEUED' ? [deploymentEvents.DeploymentStarted({ ...aboutOf(deployment), step })] : [],

    /** The source of its image is on the host. */
    NoteFetched: (
      deployment,
      fetched: { readonly commit: string; readonly subject: string; readonly step: DeploymentStep },
    ) =>
      deployment?.state === 'FETCHING'
        ? [deploymentEvents.DeploymentFetched({ ...aboutOf(deployment), ...fetched })]
        : [],

    /** Its images were made of that one, by another deployment. */
    NoteCommit: (deployment, { commit, subject }: { readonly commit: string; readonly subject: string }) =>
      deployment && isStep(deployment.state) && deployment.fetched === null
        ? [deploymentEvents.DeploymentFetched({ ...aboutOf(deployment), commit, subject, step: deployment.state })]
        : [],

    Plan: (deployment, { plan }: { readonly plan: string }) =>
      deployment && !isOver(deployment) ? [deploymentEvents.DeploymentPlanned({ ...aboutOf(deployment), plan })] : [],

    /** @param built.step what follows, such as another image */
    NoteImage: (
      deployment,
      built: Pick<DataOf<typeof deploymentEvents.DeploymentBuilt>, 'service' | 'imageId' | 'repoDigest' | 'step'>,
    ) =>
      deployment && MAKING.includes(deployment.state) && deployment.images[built.service] === undefined
        ? [deploymentEvents.DeploymentBuilt({ ...aboutOf(deployment), ...built })]
        : [],

    /** It starts with images that were there before. */
    Adopt: (deployment, { images }: { readonly images: Readonly<Record<string, string>> }) => {
      if (deployment?.state !== 'QUEUED') return []
      const [about, step] = [aboutOf(deployment), 'STARTING' as const]
      const adopted = Object.entries(images).map(([service, imageId]) =>
        deploymentEvents.DeploymentBuilt({ ...about, service, imageId, repoDigest: null, step }),
      )
      return [deploymentEvents.DeploymentStarted({ ...about, step }), ...adopted]
    },

    UseVariables: (deployment, { variables }: { readonly variables: VariableRevisions }) =>
      deployment?.state === 'STARTING'
        ? [deploymentEvents.DeploymentStarting({ ...aboutOf(deployment), variables })]
        : [],

    NoteReady: (deployment, _ask: object) =>
      deployment?.state === 'STARTING'
        ? [deploymentEvents.DeploymentReady({ ...aboutOf(deployment), step: 'SWITCHING' })]
        : [],

    /** Its containers get the requests already, so a cancel has come too late. */
    NoteReplaced: (deployment, _ask: object) =>
      deployment?.step === 'STARTING' && (deployment.state === 'STARTING' || deployment.state === 'CANCELLING')
        ? [deploymentEvents.DeploymentReady({ ...aboutOf(deployment), step: 'SWITCHING' })]
        : [],

    Succeed: (deployment, _ask: object) =>
      deployment?.state === 'SWITCHING' || deployment?.state === 'STOPPING'
        ? [deploymentEvents.DeploymentSucceeded(aboutOf(deployment))]
        : [],

    Fail: (deployment, { code, message }: { readonly code: string; readonly message: string }) =>
      deployment && !isOver(deployment)
        ? [deploymentEvents.DeploymentFailed({ ...aboutOf(deployment), step: deployment.step, code, message })]
        : [],

    /** What runs ends when its task does. @throws Rejection 404 · 409 TOO_LATE */
    Cancel: (deployment, _ask: object) => {
      const known = found(deployment)
      if (known.state === 'CANCELLING' || known.state === 'CANCELLED') return []
      if (known.state === 'QUEUED') return [deploymentEvents.DeploymentCancelled(aboutOf(known))]
      if (isStep(known.state) && known.state !== 'SWITCHING' && known.state !== 'STOPPING')
        return [deploymentEvents.DeploymentCancelRequested(aboutOf(known))]
      return reject('conflict', 'The deployment is switching, or it has ended', 'TOO_LATE')
    },

    NoteCancelled: (deployment, _ask: object) =>
      deployment?.state === 'CANCELLING' ? [deploymentEvents.DeploymentCancelled(aboutOf(deployment))] : [],

    Supersede: (deployment, { byId }: { readonly byId: string }) =>
      deployment?.state === 'QUEUED' ? [deploymentEvents.DeploymentSuperseded({ ...aboutOf(deployment), byId })] : [],

    Skip: (deployment, { why }: Pick<DataOf<typeof deploymentEvents.DeploymentSkipped>, 'why'>) =>
      deployment?.state === 'FETCHING' ? [deploymentEvents.DeploymentSkipped({ ...aboutOf(deployment), why })] : [],
  },
})
