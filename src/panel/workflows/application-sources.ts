/** Where the images of applications come from: what a project may use, as a unit of work reads it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import type { ApplicationValues } from '../applications/events.ts'
import { isOverSsh, repositoryAt } from '../applications/repository-url.ts'
import { gitProviders } from '../git-providers/decider.ts'
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
  const isUsable = registryId === null || (registry && (registry.projectId ?? projectId) === projectId)
  if (!isUsable) reject('invalid', 'No registry that this project may use has this id', 'UNKNOWN_REGISTRY')
}

const isSameRepository = ({ providerId, url }: GitSource, before: Source | undefined): boolean =>
  before?.kind === 'GIT' && before.providerId === providerId && before.url === url

async function mustUseRepository(unit: UnitOfWork, { caller, projectId }: SourceUse, { providerId, url }: GitSource) {
  if (providerId === null) {
    if (isOverSsh(url))
      reject('invalid', 'A repository over SSH needs the key of a git provider: name its providerId', 'PROVIDER_NEEDED')
    return
  }
  const provider = await unit.look(gitProviders, providerId)
  const { userId } = await principalOf(unit, caller)
  const isOwner = provider !== undefined && provider.ownerId === userId
  const usable = isOwner || provider?.projectId === projectId ? provider : undefined
  const { kind, baseUrl, repositories } = usable ?? rejectUnknownProvider()
  const repository = repositoryAt(url, { baseUrl })
  if (repository === undefined || (!isOwner && !isSharedName({ kind, repositories }, repository)))
    reject('invalid', 'The repository is not one that this git provider gives you', 'NOT_OF_PROVIDER')
}

const rejectUnknownProvider = (): never =>
  reject('invalid', 'No git provider that you may use for this project has this id', 'UNKNOWN_PROVIDER')
