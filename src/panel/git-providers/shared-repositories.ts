/** What a member of a project may read of a provider that another account has shared: the repositories named then. */
import { found, Rejection } from '#kernel/lib/rejection'
import type { GitProviderRow } from '#projections/panel/git-providers'
import { isNamed } from '../adapters/git/forge-calls.ts'
import type { Forge, GitRepository, RepositoryPage } from '../adapters/git/git-reader.ts'
import { KINDS } from './kinds.ts'

export const namesIn = ({ repositories }: Pick<GitProviderRow, 'repositories'>): string[] =>
  repositories === '' ? [] : repositories.split('\n')

type Sharing = Pick<GitProviderRow, 'repositories' | 'kind'>

/** Providers with an API compare names without regard to case. Elsewhere, another case may be another repository. */
export function isSharedName(provider: Sharing, repo: string): boolean {
  const compared = (name: string) => (KINDS[provider.kind].hasApi ? name.toLowerCase() : name)
  return namesIn(provider).some((name) => compared(name) === compared(repo))
}

/** @throws Rejection 404 for one that was not shared */
export const mustBeShared = (provider: Sharing, repo: string): void =>
  void found(isSharedName(provider, repo) || undefined)

/** Those that the provider still has, on one page. */
export async function sharedRepositories(
  forge: Forge,
  provider: Pick<GitProviderRow, 'repositories'>,
  search: string,
): Promise<RepositoryPage> {
  const named = namesIn(provider).filter((name) => isNamed(name, search))
  const all = await Promise.all(named.map((name) => forge.repository(name).catch(ifMissing)))
  return { items: all.filter((each): each is GitRepository => each !== undefined), nextPage: null }
}

function ifMissing(error: unknown): undefined {
  if (!(error instanceof Rejection) || error.statusCode !== 404) throw error
}
