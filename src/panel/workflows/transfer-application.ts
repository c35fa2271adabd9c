/**
 * An application goes to another environment, usually of another project. Its server, its addresses, its volumes and what
 * its own key seals stay. Its containers come into the other network by a roll-over.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { applicationReleases } from '../applications/release/decider.ts'
import { deployLanes } from '../deployments/lane/decider.ts'
import { causeOf } from '../deployments/shown-deployments.ts'
import { projectContents } from '../projects/contents/decider.ts'
import { rejectUnknownEnvironments } from '../projects/environments/input.ts'
import { mustHold } from '../projects/rights/rules.ts'
import { quotaOfProject } from '../quotas/effective-quota.ts'
import { mustBeSharedWith } from './application-sources.ts'
import { APPLICATION } from './applications.ts'
import type { Deploying } from './deploying.ts'
import { handOverWorkload } from './place-workload.ts'
import { settlePreviewDomain } from './preview-domains.ts'
import { closePreviews } from './previews.ts'
import { principalOf } from './project-memberships.ts'
import { requestAgain } from './request-deployment.ts'
import { moveSchedulesOf } from './scheduled-deploys.ts'
import { rightsInProject } from './server-access.ts'

type Place = Pick<Application, 'projectId' | 'environmentId'>

/**
 * Nothing happens if it is there. The caller must be ADMIN or OWNER of its project, which the route checks.
 * @throws Rejection 400 UNKNOWN_ENVIRONMENT · 403 as `mustHold`, SERVER_NOT_YOURS · 404
 *   · 409 DEPLOYING | QUOTA_REACHED | BASE_DOMAIN_TAKEN, and as `mustBeSharedWith`
 */
export async function transferApplication(
  deploying: Deploying,
  caller: Caller,
  application: Application,
  to: Place,
): Promise<void> {
  const { unit } = deploying
  const { id, projectId, environmentId, serverId, source } = application
  const { runningId } = await unit.load(applicationReleases, id)
  await mustBringThere(unit, caller, to, { isRunning: runningId !== null })
  if (to.projectId === projectId && to.environmentId === environmentId) return
  await mustNotDeploy(unit, application)
  await mustBeSharedWith(unit, { caller, projectId: to.projectId, source })
  const workload = { kind: APPLICATION, id }
  await handOverWorkload(unit, { caller, serverId, workload, projectId: to.projectId })
  // They come back there with the next commits of their pull requests.
  await closePreviews(deploying, application, 'MOVED')
  await countThere(unit, application, to)
  await unit.decide(applications, id, 'Transfer', to)
  await settlePreviewDomain(unit, caller, found(await unit.load(applications, id)))
  await moveSchedulesOf(unit, id, to)
  if (runningId !== null) await requestAgain(unit, { applicationId: id, kind: 'RESTART', cause: causeOf(caller) })
}

/** What runs is deployed there, with the variables that are shared there. */
async function mustBringThere(
  unit: UnitOfWork,
  caller: Caller,
  { projectId, environmentId }: Place,
  { isRunning }: { readonly isRunning: boolean },
): Promise<void> {
  const rights = await rightsInProject(unit, projectId, await principalOf(unit, caller))
  mustHold(rights, 'apps:create', environmentId)
  if (isRunning) mustHold(rights, 'apps:deploy', environmentId)
  await rejectUnknownEnvironments(unit, projectId, [environmentId])
}

/** A deployment belongs to the place where it was asked for. */
async function mustNotDeploy(unit: UnitOfWork, { id, serverId }: Application): Promise<void> {
  const lane = await unit.load(deployLanes, serverId)
  if (lane.some(({ workloadId }) => workloadId === id))
    reject('conflict', 'A deployment of the application waits or runs: let it end, or cancel it', 'DEPLOYING')
}

async function countThere(unit: UnitOfWork, { id: itemId, ...from }: Application, to: Place): Promise<void> {
  const item = { kind: APPLICATION, itemId }
  await unit.decide(projectContents, from.projectId, 'Remove', { projectId: from.projectId, ...item })
  const { applications: most } = await quotaOfProject(unit, to.projectId)
  const isElsewhere = from.projectId !== to.projectId
  await unit.decide(projectContents, to.projectId, 'Place', { ...to, ...item, most: isElsewhere ? most : null })
}
