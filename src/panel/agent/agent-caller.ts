/**
 * Authenticates the agent of a server: its token in the Authorization header, and the headers Daybook-Server and
 * Daybook-Run. Any other credential is checked as a session, because one route is open to both.
 */
import { timingSafeEqual } from 'node:crypto'
import { ipAllowed } from '#kernel/credentials/allowed-ips'
import { requireBearerToken } from '#kernel/credentials/bearer-token'
import { hashSecret, isSecret } from '#kernel/credentials/secret-token'
import type { AuthenticationScheme } from '#kernel/http/gate'
import type { Access, Authenticate, Caller, HandlerContext, RequestHead } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { RUN_HEADER, SERVER_HEADER } from '../../tasks/protocol.ts'
import { USER } from '../access/access.ts'
import { serversOfAgents } from './servers-of-agents.ts'
import type { ServerOfAgent, ServersOfAgents } from './servers-of-agents.ts'

export const AGENT = 'agent'
const TOKEN_PREFIX = 'dba_'

export const byAgent: Access = { kinds: [AGENT], scheme: AGENT }
/** For a rule that decides what each of them sees. */
export const byAgentOrSession: Access = { kinds: [USER, AGENT], scheme: AGENT }

export interface AgentCaller extends Caller {
  readonly kind: typeof AGENT
  readonly server: ServerOfAgent
  /** The process of the agent. */
  readonly run: string
  /** It was called with the token that follows. */
  readonly hasNextToken: boolean
}

interface AgentAuthenticationDependencies {
  readonly read: ReadDatabase
  readonly servers: Pick<ServersOfAgents, 'find'>
  /** Authenticates a session. */
  readonly bearer: Authenticate
}

export const agentAuthentication = (parts: AgentAuthenticationDependencies): AuthenticationScheme => ({
  challenge: { 'WWW-Authenticate': 'Bearer' },
  credential: ({ authorization, request }) => [...authorization, ...(request?.header(SERVER_HEADER) ?? [])].join('\n'),
  async authenticate(arrival) {
    const token = requireBearerToken(arrival.authorization)
    if (token === undefined) return undefined
    return token.startsWith(TOKEN_PREFIX) ? agentCaller(parts, token, arrival) : parts.bearer(arrival)
  },
})

/** @throws Rejection 401, whatever is wrong with the token, the headers or the address */
async function agentCaller(
  { read, servers }: AgentAuthenticationDependencies,
  token: string,
  { ip, request }: RequestHead,
): Promise<AgentCaller> {
  const [serverId, run] = [SERVER_HEADER, RUN_HEADER].map((name) => uuid.safeParse(request?.header(name)[0]).data)
  if (!isSecret(token, 'a') || serverId === undefined || run === undefined) return rejectInvalidAgent()
  const server = await servers.find(read, serverId)
  if (!server || !ipAllowed(server.allowedIps, ip)) return rejectInvalidAgent()
  const tokenHash = hashSecret(token)
  const isPresent = isSameHash(server.tokenHash, tokenHash)
  const next = isPresent ? undefined : await server.nextToken?.()
  const hasNextToken = next !== undefined && isSameHash(hashSecret(next), tokenHash)
  if (!isPresent && !hasNextToken) return rejectInvalidAgent()
  return {
    kind: AGENT,
    actor: { type: 'AGENT', id: serverId },
    can: () => false,
    forbiddenMessage: 'This endpoint is not available to agents.',
    server,
    run,
    hasNextToken,
  }
}

const isSameHash = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * Of a request that has waited since it was let in.
 * @returns it as it is now
 * @throws Rejection 401 after a reset, a removal, another registration, or from an address that is not allowed any more
 */
export async function presentAgent(
  { read, service, ip }: Pick<HandlerContext, 'read' | 'service' | 'ip'>,
  agent: AgentCaller,
): Promise<AgentCaller> {
  const server = await service(serversOfAgents).find(read, agent.server.serverId)
  const isSame = server?.publicKey === agent.server.publicKey && server.isConflicted !== true
  return isSame && ipAllowed(server.allowedIps, ip) ? { ...agent, server } : rejectInvalidAgent()
}

const rejectInvalidAgent = (): never => reject('unauthenticated', 'Invalid agent token', 'AGENT_TOKEN_INVALID')

export const isAgent = (caller: Caller): caller is AgentCaller => caller.kind === AGENT

/** The caller of a route that is open to agents alone. */
export function agentOf(caller: Caller): AgentCaller {
  if (!isAgent(caller)) throw new Error(`Expected an agent, got a ${caller.kind} caller`)
  return caller
}
