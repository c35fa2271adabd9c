/** Where the images of applications come from: what a project may use, as a unit of work reads it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import type { ApplicationValues } from '../applications/events.ts'
import { isOverSsh, repositoryAt } from '../applications/repository-url.ts'
import { gitProviders } from '../git-providers/decider.ts'
import type { GitProvider } from '../git-providers/decider.ts'
import { isSharedName } from '../git-providers/shared-repositories.ts'
import { registries } from '../registries/decider.ts'
import { principalOf } from './project-memberships.ts'

type Source = ApplicationValues['source']
type GitSource = Extract<Source, { kind: 'GIT' }>

interface SourceUse {
  /** Holds apps:create in the environment, which the route checks. */
  readonly caller: Caller
  readonly projectId: string
  readonly source: Source
}

/**
 * @param before the source until now
 * @throws Rejection 400 UNKNOWN_REGISTRY · UNKNOWN_PROVIDER · PROVIDER_NEEDED · NOT_OF_PROVIDER
 */
export async function mustUseSource(unit: UnitOfWork, use: SourceUse, before?: Source): Promise<void> {
  const { source, projectId } = use
  if (source.kind === 'IMAGE') await mustUseRegistry(unit, projectId, source.registryId)
  // The credentials were given for this repository: another branch or directory of it needs no new right.
  if (source.kind === 'GIT' && !isSameRepository(source, before)) await mustUseRepository(unit, use, source)
}

async function mustUseRegistry(unit: UnitOfWork, projectId: string, registryId: string | null): Promise<void> {
  const registry = registryId === null ? undefined : await unit.look(registries, registryId)
  const isUsable = registryId === null || (registry && isRegistryOf(registry, projectId))
  if (!isUsable) reject('invalid', 'No registry that this project may use has this id', 'UNKNOWN_REGISTRY')
}

const isRegistryOf = (registry: { readonly projectId: string | null }, projectId: string): boolean =>
  (registry.projectId ?? projectId) === projectId

/**
 * What an application uses is there for a copy of it. The application itself goes on without, until it is deployed.
 * @throws Rejection 409 REGISTRY_GONE | PROVIDER_GONE, and as `mustBeSharedWith`
 */
export async function mustBeThereFor(unit: UnitOfWork, use: SourceUse): Promise<void> {
  const { source } = use
  if (source.kind === 'IMAGE' && source.registryId !== null && !(await unit.look(registries, source.registryId)))
    reject(
      'conflict',
      `Its registry ${source.registryId} was removed: choose another one for it first`,
      'REGISTRY_GONE',
    )
  if (source.kind === 'GIT' && source.providerId !== null && !(await unit.look(gitProviders, source.providerId)))
    reject(
      'conflict',
      `Its git provider ${source.providerId} was removed: choose another one for it first`,
      'PROVIDER_GONE',
    )
  await mustBeSharedWith(unit, use)
}

/**
 * What an application of another project uses may be used in this one. What was removed since hinders nothing.
 * @throws Rejection 409 PROVIDER_NOT_SHARED | REGISTRY_NOT_SHARED
 */
export async function mustBeSharedWith(unit: UnitOfWork, { caller, projectId, source }: SourceUse): Promise<void> {
  if (source.kind === 'IMAGE' && source.registryId !== null) {
    const registry = await unit.look(registries, source.registryId)
    if (registry && !isRegistryOf(registry, projectId))
      reject(
        'conflict',
        'The project it would be in may not use the registry of the application',
        'REGISTRY_NOT_SHARED',
      )
  }
  if (source.kind !== 'GIT' || source.providerId === null) return
  const provider = await unit.look(gitProviders, source.providerId)
  if (provider && !(await givesRepository(unit, { caller, projectId, provider, url: source.url })))
    reject(
      'conflict',
      'The git provider of the application is neither yours nor shared, for this repository, with the project it would be in',
      'PROVIDER_NOT_SHARED',
    )
}

const isSameRepository = ({ providerId, url }: GitSource, before: Source | undefined): boolean =>
  before?.kind === 'GIT' && before.providerId === providerId && before.url === url

async function mustUseRepository(unit: UnitOfWork, { caller, projectId }: SourceUse, { providerId, url }: GitSource) {
  if (providerId === null) {
    if (isOverSsh(url))
      reject('invalid', 'A repository over SSH needs the key of a git provider: name its providerId', 'PROVIDER_NEEDED')
    return
  }
  const known = await unit.look(gitProviders, providerId)
  const { userId } = await principalOf(unit, caller)
  const isUsable = known !== undefined && (known.ownerId === userId || known.projectId === projectId)
  const provider = isUsable ? known : rejectUnknownProvider()
  if (!(await givesRepository(unit, { caller, projectId, provider, url })))
    reject('invalid', 'The repository is not one that this git provider gives you', 'NOT_OF_PROVIDER')
}

const rejectUnknownProvider = (): never =>
  reject('invalid', 'No git provider that you may use for this project has this id', 'UNKNOWN_PROVIDER')

interface Given {
  readonly caller: Caller
  readonly projectId: string
  readonly provider: GitProvider
  readonly url: string
}

/** All of its repositories to its owner, and those that are shared with the project. */
async function givesRepository(unit: UnitOfWork, { caller, projectId, provider, url }: Given): Promise<boolean> {
  const repository = repositoryAt(url, provider)
  if (repository === undefined) return false
  const { userId } = await principalOf(unit, caller)
  return provider.ownerId === userId || (provider.projectId === projectId && isSharedName(provider, repository))
}
