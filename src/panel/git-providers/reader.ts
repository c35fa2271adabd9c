/** How a request reads a repository of a provider that the caller may use. */
import type { HandlerContext } from '#kernel/http/route'
import { gitProviderTable } from '#projections/panel/git-providers'
import type { GitProviderRow } from '#projections/panel/git-providers'
import type { GitReader } from '../adapters/git/git-reader.ts'
import { gitReaderOfCall } from './forges.ts'
import { mustBeShared } from './shared-repositories.ts'

type UserCall = HandlerContext<
  { readonly id: string },
  unknown,
  unknown,
  { provider: GitProviderRow; isOwner: boolean }
>

/** @throws Rejection 404 for a repository that was not shared with the project · 409 NO_GIT_READER */
export async function readerFor(call: UserCall, repo: string): Promise<GitReader> {
  const { provider, isOwner } = call.ruleResult
  if (!isOwner) {
    const [opened] = await gitProviderTable.open(call.vault, [provider])
    mustBeShared(opened!, repo)
  }
  return gitReaderOfCall(call)
}
