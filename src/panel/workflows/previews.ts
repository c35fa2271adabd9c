/** Previews of pull requests: opened together with what counts and holds them, deployed, and closed with all that is theirs. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import type { ChangesOf } from '#kernel/resource/fields'
import { aboutOf } from '../applications/about/events.ts'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { applicationEnv } from '../applications/env/decider.ts'
import { previewPlace } from '../applications/place.ts'
import { previewOf, previews } from '../applications/previews/decider.ts'
import type { Preview } from '../applications/previews/decider.ts'
import type { CLOSED_WHYS, previewFields } from '../applications/previews/events.ts'
import { gitSourceOf } from '../applications/webhook/watched-branch.ts'
import { causeOf } from '../deployments/shown-deployments.ts'
import { projectContents } from '../projects/contents/decider.ts'
import { quotaOfProject } from '../quotas/effective-quota.ts'
import { clearPlace } from './clear-place.ts'
import type { Deploying } from './deploying.ts'
import { holdWorkload, reservedBy } from './place-workload.ts'
import { settlePreviewDomain } from './preview-domains.ts'
import { requestDeployment } from './request-deployment.ts'
import { sizePlace } from './size-place.ts'

/** The kind of the workload that a preview is, and of what it counts as in its project. */
export const PREVIEW = 'PREVIEW'

type Why = (typeof CLOSED_WHYS)[number]

const CLOSED = { code: 'PREVIEW_CLOSED', message: 'The preview was closed' }
const WEBHOOK_CAUSE = { type: 'WEBHOOK', id: null } as const

const previewAboutOf = (application: Application, previewId: string) => ({
  ...aboutOf(application),
  serverId: application.serverId,
  previewId,
})

const openIn = async (unit: UnitOfWork, { id }: Pick<Application, 'id'>): Promise<readonly Preview[]> =>
  Object.values((await unit.load(previews, id)).open)

/** What a provider has told of a pull request. */
export interface ToldPullRequest {
  readonly number: number
  /** Of the provider: the later of two is right, in whichever order they come. */
  readonly asOf: string
  /** What is fetched for it. */
  readonly ref: string
}

/**
 * It has new commits, or is open again. Its preview is deployed, and opened if it is not there.
 * @returns false if it was closed since
 * @throws Rejection 409 TOO_MANY | QUOTA_REACHED | CAPACITY | CORDONED · 503 SERVER_OFFLINE
 */
export async function deployPreview(
  deploying: Deploying,
  application: Application,
  told: ToldPullRequest,
): Promise<boolean> {
  const { unit } = deploying
  const openOne = async () => previewOf(await unit.load(previews, application.id), told.number)
  const former = await openOne()
  // One of the repository before may not have been closed yet.
  if (former && former.repository !== gitSourceOf(application)?.url)
    await closePreview(deploying, application, former, 'SOURCE')
  const known = await openOne()
  const previewId = known?.id ?? (await openPreview(unit, application, told))
  if (previewId === undefined) return false
  const ask = { applicationId: application.id, previewId, cause: WEBHOOK_CAUSE }
  const deploymentId = await requestDeployment(unit, ask)
  const about = { ...aboutOf(application), previewId }
  await unit.decide(previews, application.id, 'Update', { ...about, deploymentId, asOf: told.asOf })
  return true
}

async function openPreview(unit: UnitOfWork, application: Application, { number, asOf, ref }: ToldPullRequest) {
  const { id, projectId, environmentId, serverId } = application
  const previewId = unit.newId()
  const { limit } = application.previews
  const { url: repository } = found(gitSourceOf(application) ?? undefined)
  const about = previewAboutOf(application, previewId)
  const opened = await unit.decide(previews, id, 'Open', {
    ...about,
    pullRequest: number,
    ref,
    repository,
    asOf,
    limit,
  })
  if (opened.length === 0) return undefined
  const { previews: most } = await quotaOfProject(unit, projectId)
  await unit.decide(projectContents, projectId, 'Place', {
    projectId,
    kind: PREVIEW,
    itemId: previewId,
    environmentId,
    most,
  })
  const workload = { kind: PREVIEW, id: previewId }
  await holdWorkload(unit, { serverId, projectId, workload, ...reservedBy(application) })
  return previewId
}

/** The provider says that it is closed. @returns whether a preview has gone */
export async function closePullRequest(
  deploying: Deploying,
  application: Application,
  { number, asOf }: Omit<ToldPullRequest, 'ref'>,
): Promise<boolean> {
  const { unit } = deploying
  const known = previewOf(await unit.load(previews, application.id), number)
  const about = previewAboutOf(application, known?.id ?? unit.newId())
  const closed = await unit.decide(previews, application.id, 'NoteClosed', { ...about, pullRequest: number, asOf })
  if (!known || closed.length === 0) return false
  await clear(deploying, application, known)
  return true
}

/** Nothing happens if it is not there. */
export async function closePreview(
  deploying: Deploying,
  application: Application,
  preview: Preview,
  why: Why,
): Promise<void> {
  const { previewId, ...about } = previewAboutOf(application, preview.id)
  const closed = await deploying.unit.decide(previews, application.id, 'Close', { about, previewId, why })
  if (closed.length > 0) await clear(deploying, application, preview)
}

/** What holds and counts it, and what its server has of it. Its data goes, too. */
async function clear(deploying: Deploying, application: Application, preview: Preview): Promise<void> {
  const { projectId } = application
  await clearPlace(deploying, previewPlace(application, preview), { failure: CLOSED, deleteVolumes: true })
  await deploying.unit.decide(projectContents, projectId, 'Remove', { projectId, kind: PREVIEW, itemId: preview.id })
}

/** All of an application. */
export async function closePreviews(deploying: Deploying, application: Application, why: Why): Promise<void> {
  for (const preview of await openIn(deploying.unit, application))
    await closePreview(deploying, application, preview, why)
}

/** After a change of the application: those that it no longer has, or whose repository it no longer is. */
export async function closeUnfounded(deploying: Deploying, application: Application): Promise<void> {
  const source = gitSourceOf(application)
  if (!application.previews.enabled || !source) return closePreviews(deploying, application, 'DISABLED')
  for (const preview of await openIn(deploying.unit, application))
    if (preview.repository !== source.url) await closePreview(deploying, application, preview, 'SOURCE')
}

/** As its application is sized now. @throws Rejection 409 as `sizePlace` */
export async function resizePreviews(unit: UnitOfWork, application: Application): Promise<void> {
  for (const preview of await openIn(unit, application)) await sizePlace(unit, previewPlace(application, preview))
}

const DAY_MS = 86_400_000

/** When it goes, unless its pull request gets commits before. */
export const idleAt = ({ activeAt }: Pick<Preview, 'activeAt'>, idleDays: number): Date =>
  new Date(Date.parse(activeAt) + idleDays * DAY_MS)

/** Nothing happens to one that was deployed since. */
export async function closeIdlePreview(deploying: Deploying, applicationId: string, previewId: string): Promise<void> {
  const { unit } = deploying
  const application = await unit.load(applications, applicationId)
  const preview = (await unit.load(previews, applicationId)).open[previewId]
  if (application && preview && idleAt(preview, application.previews.idleDays) <= unit.at)
    await closePreview(deploying, application, preview, 'IDLE')
}

interface PreviewChange {
  readonly changes: ChangesOf<typeof previewFields>
  readonly caller: Caller
}

/**
 * With another set of variables, those that run are deployed again. All else follows by a reaction.
 * @throws Rejection 400 UNKNOWN_SET · 409 NO_REPOSITORY | NO_BASE_DOMAIN | BASE_DOMAIN_TAKEN
 */
export async function configurePreviews(
  unit: UnitOfWork,
  applicationId: string,
  { changes, caller }: PreviewChange,
): Promise<void> {
  const { setId } = changes
  const before = found(await unit.load(applications, applicationId)).previews
  const { sets } = await unit.look(applicationEnv, applicationId)
  if (typeof setId === 'string' && !sets[setId])
    reject('invalid', 'The application has no set of variables with this id', 'UNKNOWN_SET')
  await unit.decide(applications, applicationId, 'ConfigurePreviews', { changes })
  const application = found(await unit.load(applications, applicationId))
  const { previews: after } = application
  await settlePreviewDomain(unit, caller, application)
  if (!after.enabled || after.setId === before.setId) return
  for (const { id: previewId, asOf } of await openIn(unit, application)) {
    const ask = { applicationId, previewId, cause: causeOf(caller), alwaysBuilds: true }
    const deploymentId = await requestDeployment(unit, ask)
    const about = { ...aboutOf(application), previewId }
    await unit.decide(previews, applicationId, 'Update', { ...about, deploymentId, asOf })
  }
}
