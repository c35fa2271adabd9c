/** What follows when the source of a deployment is on its server. */
import type { z } from 'zod'
import { found } from '#kernel/lib/rejection'
import { gitFetch } from '../../tasks/builds.ts'
import { applicationEnv } from '../applications/env/decider.ts'
import { variablesFor } from '../applications/env/effective.ts'
import { placeAt } from '../applications/place.ts'
import type { Place } from '../applications/place.ts'
import { releasePlanOf } from '../applications/release-plan.ts'
import type { ReleasePlan } from '../applications/release-plan.ts'
import { gitSourceOf } from '../applications/webhook/watched-branch.ts'
import { deployments } from '../deployments/decider.ts'
import type { Deployment } from '../deployments/decider.ts'
import { planIn } from '../deployments/plan.ts'
import { runningDeployment } from '../deployments/running.ts'
import { nextImage } from '../deployments/tasks.ts'
import { gitProviders } from '../git-providers/decider.ts'
import { projectEnvironments } from '../projects/environments/decider.ts'
import type { Deploying } from './deploying.ts'
import { goesOn } from './deployment-steps.ts'
import type { EndedTask } from './deployment-steps.ts'
import { failDeployment, leaveLane } from './end-deployment.ts'
import { AUTOMATIC } from './request-deployment.ts'
import { goOn, planOrFailure, settingsOf, stepOf } from './run-deployment.ts'

type Fetched = z.output<typeof gitFetch.result>

/** @param told undefined for a task that has not succeeded */
export async function noteFetched(deploying: Deploying, task: EndedTask, told: Fetched | undefined): Promise<void> {
  const { unit } = deploying
  const deployment = await goesOn(deploying, task)
  if (deployment?.state !== 'FETCHING' || !told) return
  const place = found(await placeAt(unit, deployment))
  await pinHostKey(deploying, place, { url: gitFetch.payload.parse(JSON.parse(task.payload)).url, ...told })
  const running = await runningDeployment(unit, place.workload)
  const why = skippedWhy(deployment, running, told)
  if (why !== undefined) {
    await unit.decide(deployments, deployment.id, 'Skip', { why })
    return leaveLane(unit, deployment)
  }
  const buildArgs = await plainBuildVariables(deploying, place)
  const settings = settingsOf(deploying, buildArgs)
  const planned = planOrFailure(() => releasePlanOf(place, { facts: told.facts }, settings))
  if ('failure' in planned) return failDeployment(unit, deployment.id, planned.failure)
  await planImages(deploying, { deployment, running, plan: planned.plan }, told)
}

/** Of a source that was changed meanwhile, the server that has shown the key is not that of the provider. */
async function pinHostKey(
  { unit }: Deploying,
  place: Place,
  { url, hostKey }: Pick<Fetched, 'hostKey'> & { readonly url: string },
): Promise<void> {
  const source = gitSourceOf(place)
  const providerId = source?.url === url ? source.providerId : null
  if (hostKey !== null && providerId !== null) await unit.decide(gitProviders, providerId, 'PinHostKey', { hostKey })
}

/** What a person has asked for is never skipped. */
function skippedWhy({ cause, alwaysBuilds }: Deployment, running: Deployment | undefined, told: Fetched) {
  if (alwaysBuilds || !running || !AUTOMATIC.includes(cause.type)) return undefined
  if (running.fetched?.commit === told.commit) return 'SAME_COMMIT'
  return told.changed ? undefined : 'NOT_WATCHED'
}

/** Those that are no secrets: a made Dockerfile names them. */
async function plainBuildVariables({ unit }: Deploying, place: Place): Promise<string[]> {
  const all = await variablesFor(unit, place)
  const given = all.filter(({ inEffect, when, secret }) => inEffect && when !== 'RUN' && !secret)
  return given.map(({ name }) => name)
}

interface Planned {
  readonly deployment: Deployment
  readonly running: Deployment | undefined
  readonly plan: ReleasePlan
}

/** Images of the same commit, of the same builds and with the same variables are not built again. Others are pulled. */
async function planImages(deploying: Deploying, planned: Planned, { commit, subject }: Fetched): Promise<void> {
  const { unit } = deploying
  const { deployment, running, plan } = planned
  const kept = (await isBuilt(deploying, planned, commit)) ? running!.images : {}
  const step = stepOf(nextImage(plan, {}))
  await unit.decide(deployments, deployment.id, 'NoteFetched', { commit, subject, step })
  await unit.decide(deployments, deployment.id, 'Plan', { plan: JSON.stringify(plan) })
  const images: Record<string, string> = {}
  for (const { service } of plan.builds) {
    const imageId = kept[service]
    if (imageId === undefined) continue
    images[service] = imageId
    const after = stepOf(nextImage(plan, images))
    await unit.decide(deployments, deployment.id, 'NoteImage', { service, imageId, repoDigest: null, step: after })
  }
  await goOn(deploying, deployment.id)
}

async function isBuilt({ unit }: Deploying, planned: Planned, commit: string): Promise<boolean> {
  const { deployment, running, plan } = planned
  const { applicationId, projectId, alwaysBuilds } = deployment
  // What a restart or a rollback runs was built with other variables than it has.
  if (alwaysBuilds || running?.kind !== 'DEPLOY' || running.fetched?.commit !== commit || running.variables === null)
    return false
  const { application, project } = running.variables
  return (
    JSON.stringify(planIn(running.plan!).builds) === JSON.stringify(plan.builds) &&
    application === (await unit.revisionOf(applicationEnv, applicationId)) &&
    project === (await unit.revisionOf(projectEnvironments, projectId))
  )
}
