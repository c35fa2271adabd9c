/** Authenticates an agent that is being installed: an install token in the Authorization header. */
import { ANONYMOUS_ACTOR } from '#kernel/auth/realm'
import type { CommandRunner } from '#kernel/commands/command-runner'
import { requireBearerToken } from '#kernel/credentials/bearer-token'
import type { AuthenticationScheme } from '#kernel/http/gate'
import type { Access, Authenticate, Caller } from '#kernel/http/route'
import { serverToInstall } from '../workflows/servers.ts'

export const INSTALL = 'install'
const TOKEN_PREFIX = 'dbi_'

export const byInstall: Access = { kinds: [INSTALL], scheme: INSTALL }

interface InstallCaller extends Caller {
  readonly kind: typeof INSTALL
  readonly serverId: string
  readonly token: string
}

export interface InstallAuthenticationDependencies {
  readonly commands: CommandRunner
  /** Authenticates every other token. */
  readonly bearer: Authenticate
}

export const installAuthentication = ({
  commands,
  bearer,
}: InstallAuthenticationDependencies): AuthenticationScheme => ({
  challenge: { 'WWW-Authenticate': 'Bearer' },
  credential: ({ authorization }) => authorization.join('\n'),
  async authenticate(arrival) {
    const token = requireBearerToken(arrival.authorization)
    if (token === undefined) return undefined
    if (!token.startsWith(TOKEN_PREFIX)) return bearer(arrival)
    const context = { actor: ANONYMOUS_ACTOR, requestId: 'install' }
    const serverId = await commands.run(context, (unit) => serverToInstall(unit, token))
    const caller: InstallCaller = {
      kind: INSTALL,
      actor: { type: 'AGENT', id: serverId },
      can: () => false,
      forbiddenMessage: 'This endpoint is not available to install tokens.',
      serverId,
      token,
    }
    return caller
  },
})

/** The caller of a route that is open to install tokens alone. */
export function installerOf(caller: Caller): InstallCaller {
  if (caller.kind !== INSTALL) throw new Error(`Expected an install token, got a ${caller.kind} caller`)
  return caller as InstallCaller
}
