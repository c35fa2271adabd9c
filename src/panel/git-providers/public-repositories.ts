/** Repositories that need no credential, at the hosts whose API is known. */
import { reject } from '#kernel/lib/rejection'
import type { Forge } from '../adapters/git/git-reader.ts'
import { forgeOf, gitHubHost } from './forges.ts'
import { KINDS } from './kinds.ts'

type Call = Parameters<typeof forgeOf>[0]

const NOBODY = { account: '', username: null, token: '' }

interface PublicRepository {
  readonly forge: Forge
  /** As its host names it. */
  readonly repo: string
}

/** @throws Rejection 409 PROVIDER_REFUSED for another host */
export function publicRepository(call: Call, url: string): PublicRepository {
  const hosts = [
    ['GITHUB', call.service(gitHubHost).web],
    ['GITLAB', KINDS.GITLAB.baseUrl!],
    ['BITBUCKET', KINDS.BITBUCKET.baseUrl!],
  ] as const
  const [kind, web] =
    hosts.find(([, web]) => url.startsWith(`${web}/`)) ??
    reject(
      'conflict',
      'Without a git provider, only GitHub, GitLab and Bitbucket are read: connect one',
      'PROVIDER_REFUSED',
    )
  const forge = forgeOf(call, { ...NOBODY, kind, baseUrl: KINDS[kind].baseUrl! })!
  return { forge, repo: url.slice(web.length + 1).replace(/\.git$/, '') }
}
