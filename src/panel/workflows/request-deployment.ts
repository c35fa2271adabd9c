/** Asks for a deployment of an application. */
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { decider } from '#kernel/events/decider'
import { eventsAbout, stream } from '#kernel/events/event'
import { found } from '#kernel/lib/rejection'
import { applications } from '../applications/decider.ts'
import { aboutApplication } from '../applications/events.ts'

export interface DeploymentCause {
  readonly type: 'USER' | 'KEY' | 'WEBHOOK' | 'SCHEDULE' | 'PROMOTE'
  readonly id: string | null
}

export interface DeploymentAsk {
  readonly applicationId: string
  readonly kind: 'DEPLOY'
  readonly cause: DeploymentCause
  readonly commit?: string
  readonly branch?: string
}

const deploymentEvents = stream(
  'deployment',
  eventsAbout({ deploymentId: z.uuid(), ...aboutApplication })({
    DeploymentRequested: {
      fields: { causeType: z.string(), causeId: z.string().nullable() },
      sentence: ({ deploymentId, applicationId }) => `asked for deployment ${deploymentId} of ${applicationId}`,
    },
  }),
)
type Requested = Parameters<typeof deploymentEvents.DeploymentRequested>[0]

export const deployments = decider(deploymentEvents, {
  initial: undefined as Requested | undefined,
  evolve: { DeploymentRequested: (_none, requested): Requested => requested },
  commands: { Request: (_none, ask: Requested) => [deploymentEvents.DeploymentRequested(ask)] },
})

/** @returns its id @throws Rejection 404 · 409 NOTHING_TO_DEPLOY */
export async function requestDeployment(unit: UnitOfWork, { applicationId, cause }: DeploymentAsk): Promise<string> {
  const { projectId, environmentId } = found(await unit.load(applications, applicationId))
  const deploymentId = unit.newId()
  const about = { deploymentId, applicationId, projectId, environmentId }
  await unit.decide(deployments, deploymentId, 'Request', { ...about, causeType: cause.type, causeId: cause.id })
  return deploymentId
}
