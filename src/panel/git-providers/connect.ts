/** Connects a provider: its credentials are checked by a call before they are stored. */
import { enforceLimit, forgetIdleAttempts } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import type { HandlerContext } from '#kernel/http/route'
import { Rejection, reject } from '#kernel/lib/rejection'
import { AddressRefused, refuseAddress } from '#kernel/outbound/checked-connect'
import type { OutboundPolicy } from '#kernel/outbound/checked-connect'
import { countRows } from '#kernel/projections/count-rows'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { gitProviderTable } from '#projections/panel/git-providers'
import { userCallerOf } from '../access/user-caller.ts'
import { mustConnectProvider } from '../workflows/git-providers.ts'
import { gitProviders } from './decider.ts'
import { forgeOf, gitReach } from './forges.ts'
import type { NewGitProvider } from './input.ts'

/** Of an account. */
const PROVIDERS_MAX = 50
const CONNECTIONS: CallerLimit = { name: 'git-provider-connect', windowMax: 20, windowSeconds: 60 }

/** Approximate under races: it bounds what an account can store, and no rule depends on it. @throws Rejection 409 */
export async function refuseTooMany(read: ReadDatabase, ownerId: string): Promise<void> {
  if ((await countRows(gitProviderTable.queryIn(read).selectAll().where('ownerId', '=', ownerId))) >= PROVIDERS_MAX)
    reject('conflict', `An account has at most ${PROVIDERS_MAX} git providers: remove one first`, 'TOO_MANY')
}

/** For what is called later or elsewhere: an address that stands in the URL. @throws Rejection 400 ADDRESS_REFUSED */
export function refuseLiteralAddress(baseUrl: string, reach: OutboundPolicy): void {
  try {
    refuseAddress(new URL(baseUrl).hostname.replaceAll(/[[\]]/g, ''), reach)
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error
    reject('invalid', 'The address is neither public nor allowed by GIT_ALLOW', 'ADDRESS_REFUSED')
  }
}

/** What the provider refuses is a matter of the credentials. */
function rejectCredentials(error: unknown): never {
  const isRefused = error instanceof Rejection && (error.statusCode === 404 || error.code === 'PROVIDER_REFUSED')
  if (!isRefused) throw error
  return reject(
    'conflict',
    `The provider does not accept this: check address, token and its permissions. ${error.message}`,
    'CREDENTIALS_REFUSED',
  )
}

/**
 * @returns the id of the provider
 * @throws Rejection 400 ADDRESS_REFUSED · 403 · 404 · 409 CREDENTIALS_REFUSED · PROVIDER_UNREACHABLE · TOO_MANY · 429
 */
export async function connectProvider(call: HandlerContext<unknown, unknown, NewGitProvider>): Promise<string> {
  const { run, caller, body, read, service } = call
  await enforceLimit(call, CONNECTIONS, userCallerOf(caller).userId)
  await forgetIdleAttempts(call, CONNECTIONS)
  const { projectId = null, repositories = [], username = null, account = null, ...given } = body
  await refuseTooMany(read, await run((unit) => mustConnectProvider(unit, caller, projectId)))
  const forge = forgeOf(call, { ...given, username, account })
  if (!forge) refuseLiteralAddress(given.baseUrl, service(gitReach))
  const known = forge && (await call.waitFor(() => forge.account()).catch(rejectCredentials))
  return run(async (unit) => {
    const ownerId = await mustConnectProvider(unit, caller, projectId)
    const gitProviderId = unit.newId()
    await unit.decide(gitProviders, gitProviderId, 'Connect', {
      ...given,
      gitProviderId,
      ownerId,
      projectId,
      username,
      account: known ?? account,
      repositories: repositories.join('\n'),
    })
    return gitProviderId
  })
}
