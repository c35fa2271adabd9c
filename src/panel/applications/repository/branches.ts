/** The branches of the repository of an application, read with the credentials of its git provider. */
import type { HandlerContext } from '#kernel/http/route'
import { Rejection, reject } from '#kernel/lib/rejection'
import type { GitBranch } from '../../adapters/git/git-reader.ts'
import { remoteBranches } from '../../adapters/git/smart-http.ts'
import { gitProviders } from '../../git-providers/decider.ts'
import type { GitProvider } from '../../git-providers/decider.ts'
import { forgeOf, gitReach } from '../../git-providers/forges.ts'
import type { ApplicationValues } from '../events.ts'
import { isOverSsh, repositoryAt } from '../repository-url.ts'

type Call = Pick<HandlerContext, 'run' | 'service' | 'abortSignal' | 'waitFor'>

/** @throws Rejection 400 ADDRESS_REFUSED · 409 NO_REPOSITORY · PROVIDER_REFUSED · PROVIDER_UNREACHABLE */
export async function branchesOf(
  call: Call,
  source: ApplicationValues['source'],
  search: string,
): Promise<readonly GitBranch[]> {
  if (source.kind !== 'GIT') return reject('conflict', 'The application has no repository', 'NO_REPOSITORY')
  const { providerId, url } = source
  const provider = providerId === null ? null : await call.run((unit) => unit.look(gitProviders, providerId))
  if (provider === undefined)
    return rejectProvider('The git provider of the application was removed: choose another one')
  return call.waitFor(() => readBranches(call, { provider, url }, search)).catch(rejectMissing)
}

interface Place {
  readonly provider: GitProvider | null
  readonly url: string
}

function readBranches(call: Call, { provider, url }: Place, search: string): Promise<readonly GitBranch[]> {
  const forge = provider && forgeOf(call, provider)
  if (provider && forge) return forge.branches(repositoryAt(url, provider)!, search)
  if (isOverSsh(url)) return rejectProvider('The panel reads no branches over SSH: enter the name of the branch')
  const login = provider && { username: provider.username ?? 'git', password: provider.token }
  return remoteBranches({ url, login, reach: call.service(gitReach), signal: call.abortSignal }, search)
}

const rejectProvider = (why: string): never => reject('conflict', why, 'PROVIDER_REFUSED')

/** To the caller, a 404 would say that there is no application. */
function rejectMissing(error: unknown): never {
  if (error instanceof Rejection && error.statusCode === 404)
    return rejectProvider('The git provider has no such repository, or does not show it')
  throw error
}
