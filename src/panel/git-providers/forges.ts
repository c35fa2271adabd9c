/** The API of a provider, as a call uses it. */
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { requiredService, serviceKey } from '#kernel/lib/services'
import type { OutboundPolicy } from '#kernel/outbound/checked-connect'
import { bitbucket } from '../adapters/git/bitbucket.ts'
import type { ForgeConnection } from '../adapters/git/forge-calls.ts'
import type { Forge, GitReader } from '../adapters/git/git-reader.ts'
import { gitea } from '../adapters/git/gitea.ts'
import { gitHub } from '../adapters/git/github.ts'
import { gitLab } from '../adapters/git/gitlab.ts'
import { gitProviders } from './decider.ts'
import type { GitProvider } from './decider.ts'
import { KINDS } from './kinds.ts'

/** Which addresses providers may have. */
export const gitReach = requiredService<OutboundPolicy>('reach of git providers')

/** Where people sign in at GitHub, and its API. */
export const gitHubHost = serviceKey('GitHub', { web: 'https://github.com', api: 'https://api.github.com' })

/** For calls whose answer must not be lost. They end after their time all the same. */
export const UNABORTED = new AbortController().signal

type Credentials = Pick<GitProvider, 'kind' | 'baseUrl' | 'account' | 'username' | 'token'>
type Call = Pick<HandlerContext, 'service' | 'abortSignal'>

/** Where the API of a hosted provider is; that of another one is below its address. */
function apiOf({ service }: Call, { kind, baseUrl }: Credentials): string {
  const isHosted = baseUrl === KINDS[kind].baseUrl
  if (kind === 'GITHUB') return isHosted ? service(gitHubHost).api : `${baseUrl}/api/v3`
  return `${baseUrl}${kind === 'GITLAB' ? '/api/v4' : '/api/v1'}`
}

const BITBUCKET_API = 'https://api.bitbucket.org/2.0'

/** Undefined for a kind without an API. */
export function forgeOf(call: Call, provider: Credentials): Forge | undefined {
  const { service, abortSignal: signal } = call
  const { kind, token, account, username } = provider
  const connection: ForgeConnection = { api: apiOf(call, provider), token, reach: service(gitReach), signal }
  if (kind === 'BITBUCKET') return bitbucket({ ...connection, api: BITBUCKET_API, workspace: account!, username })
  if (kind === 'GITHUB') return gitHub(connection)
  if (kind === 'GITLAB') return gitLab(connection)
  return kind === 'GITEA' ? gitea(connection) : undefined
}

type OneProvider = Pick<HandlerContext<{ readonly id: string }>, 'run' | 'params' | 'service' | 'abortSignal'>

const loaded = ({ run, params }: OneProvider): Promise<GitProvider> =>
  run(async (unit) => found(await unit.look(gitProviders, params.id)))

/** @throws Rejection 404 · 409 NO_REPOSITORY_LIST */
export async function forgeOfCall(call: OneProvider): Promise<Forge> {
  const provider = await loaded(call)
  return (
    forgeOf(call, provider) ??
    reject('conflict', `A provider of kind ${provider.kind} lists no repositories`, 'NO_REPOSITORY_LIST')
  )
}

/**
 * The one place that chooses how a repository is read.
 * @throws Rejection 404 · 409 NO_GIT_READER
 */
export async function gitReaderOfCall(call: OneProvider): Promise<GitReader> {
  const provider = await loaded(call)
  const why = `The panel reads no files of a provider of kind ${provider.kind}: it has no API`
  return forgeOf(call, provider) ?? reject('conflict', why, 'NO_GIT_READER')
}
