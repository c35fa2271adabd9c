/** Authenticates agents, and agents that are being installed, for the routes that are open to both. */
import type { AuthenticationScheme } from '#kernel/http/gate'
import type { Access } from '#kernel/http/route'
import { AGENT } from './agent-caller.ts'
import { INSTALL, installAuthentication } from './install-caller.ts'
import type { InstallAuthenticationDependencies } from './install-caller.ts'

export const AGENT_OR_INSTALL = 'agent or install'

export const byAgentOrInstall: Access = { kinds: [AGENT, INSTALL], scheme: AGENT_OR_INSTALL }

interface Schemes extends Pick<InstallAuthenticationDependencies, 'commands'> {
  readonly agent: AuthenticationScheme
}

export const agentOrInstallAuthentication = ({ commands, agent }: Schemes): AuthenticationScheme => ({
  ...agent,
  authenticate: installAuthentication({ commands, bearer: agent.authenticate }).authenticate,
})
