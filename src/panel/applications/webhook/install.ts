/** Installs the webhook of an application at its git provider, by the API of the provider. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { HandlerContext } from '#kernel/http/route'
import { found, Rejection, reject } from '#kernel/lib/rejection'
import { newWebhookSecret } from '#kernel/outbound/standard-webhooks'
import type { Forge } from '../../adapters/git/git-reader.ts'
import { gitProviders } from '../../git-providers/decider.ts'
import type { GitProvider } from '../../git-providers/decider.ts'
import { forgeOf } from '../../git-providers/forges.ts'
import { isSharedName } from '../../git-providers/shared-repositories.ts'
import { mustHold } from '../../projects/rights/rules.ts'
import { userPrincipalOf } from '../../workflows/project-memberships.ts'
import { rightsInProject } from '../../workflows/server-access.ts'
import { applications } from '../decider.ts'
import type { Application } from '../decider.ts'
import { gitSourceOf } from './watched-branch.ts'

type Install = HandlerContext<{ readonly id: string }>

interface Place {
  readonly provider: GitProvider
  /** As the provider names it. */
  readonly repository: string
}

const noProvider = (message: string): never => reject('conflict', message, 'NO_PROVIDER')

/** @returns undefined for the address of another provider */
export function repositoryIn(url: string, baseUrl: string): string | undefined {
  const [repository, base] = [URL.parse(url), URL.parse(baseUrl)]
  if (!repository || !base || repository.host !== base.host) return undefined
  const root = base.pathname.replace(/\/+$/, '')
  if (!repository.pathname.startsWith(`${root}/`)) return undefined
  const name = decodeURIComponent(repository.pathname.slice(root.length + 1))
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  return name === '' ? undefined : name
}

/** The credentials of a provider are used by its owner, and in its project for the repositories that are shared. */
async function placeOf(unit: UnitOfWork, application: Application, userId: string): Promise<Place> {
  const source = gitSourceOf(application)
  const provider = source?.providerId ? await unit.look(gitProviders, source.providerId) : undefined
  if (!source || !provider) return noProvider('The application has no repository of a git provider')
  const repository = repositoryIn(source.url, provider.baseUrl)
  const isUsable =
    repository !== undefined &&
    (provider.ownerId === userId ||
      (provider.projectId === application.projectId && isSharedName(provider, repository)))
  return isUsable ? { provider, repository } : noProvider('You cannot use the git provider of the application')
}

/** @throws Rejection 401 · 403 · 404 */
async function mayInstall(unit: UnitOfWork, { caller, params }: Install): Promise<Application & { userId: string }> {
  const by = await userPrincipalOf(unit, caller)
  const application = found(await unit.load(applications, params.id))
  mustHold(await rightsInProject(unit, application.projectId, by), 'apps:create', application.environmentId)
  return { ...application, userId: by.userId }
}

/** An application from before there were webhooks has no secret yet. */
async function prepare(unit: UnitOfWork, call: Install): Promise<Place & { readonly secret: string }> {
  const { userId, ...application } = await mayInstall(unit, call)
  const place = await placeOf(unit, application, userId)
  if (application.webhook) return { ...place, secret: application.webhook.secret }
  const secret = newWebhookSecret()
  await unit.decide(applications, application.id, 'RotateWebhookSecret', { secret, graceSeconds: 0 })
  return { ...place, secret }
}

/** A repository that is missing is a matter of the provider here, and not of the path. */
function rejectMissing(error: unknown): never {
  if (!(error instanceof Rejection && error.statusCode === 404)) throw error
  return reject(
    'conflict',
    'The provider has no such repository, or its token may not manage webhooks',
    'PROVIDER_REFUSED',
  )
}

const apiOf = (call: Install, provider: GitProvider): Forge =>
  forgeOf(call, provider) ?? noProvider(`A provider of kind ${provider.kind} has no API: add the webhook there by hand`)

export interface InstalledWebhook {
  readonly gitProviderId: string
  readonly repository: string
}

/** @throws Rejection 400 ADDRESS_REFUSED · 403 · 404 · 409 NO_PROVIDER · PROVIDER_REFUSED · PROVIDER_UNREACHABLE */
export async function installWebhook(call: Install, url: string): Promise<InstalledWebhook> {
  const { provider, repository, secret } = await call.run((unit) => prepare(unit, call))
  const forge = apiOf(call, provider)
  await call.waitFor(() => forge.putPushHook(repository, { url, secret }).catch(rejectMissing))
  await call.run(async (unit) => {
    const { id } = await mayInstall(unit, call)
    await unit.decide(applications, id, 'NoteWebhook', { gitProviderId: provider.id })
  })
  return { gitProviderId: provider.id, repository }
}
