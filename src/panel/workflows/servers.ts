/**
 * Servers and their agents: commands over several streams. Tokens are derived from keys of the installation and ids of
 * the server's events, so that they are stored nowhere and the same in every process.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { deriveSecret, hashSecret, isSecret } from '#kernel/credentials/secret-token'
import type { CommandInputOf } from '#kernel/events/decider'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { found, reject } from '#kernel/lib/rejection'
import { shellQuoted } from '#kernel/lib/shell-quote'
import type { Vault } from '#kernel/vault/vault'
import { limitsOf } from '../license/limits.ts'
import { rejectInstallToken, servers } from '../servers/decider.ts'
import type { Server } from '../servers/decider.ts'
import { serverRoster } from '../servers/roster/decider.ts'

type NewServer = Omit<CommandInputOf<typeof servers, 'AddServer'>, 'serverId'>
type RegisteringAgent = Pick<CommandInputOf<typeof servers, 'Register'>, 'publicKey' | 'engineId' | 'facts'>

/** A token for one agent of the server, until it is used or has expired. */
export interface InstallToken {
  readonly token: string
  /** RFC 3339. */
  readonly expiresAt: string
}

const deriveInstallToken = async (vault: Vault, installTokenId: string): Promise<string> =>
  deriveSecret('i', await vault.key('install-tokens'), installTokenId)

/** @param nth how often the token of this registration was rotated */
const deriveAgentToken = async (vault: Vault, registrationId: string, nth: number): Promise<string> =>
  deriveSecret('a', await vault.key('agent-tokens'), `${registrationId}/${nth}`)

type AgentState = Pick<NonNullable<Server['agent']>, 'registrationId' | 'tokenNth'>

/** The token with which the agent calls. */
export const agentTokenOf = (vault: Vault, { registrationId, tokenNth }: AgentState): Promise<string> =>
  deriveAgentToken(vault, registrationId, tokenNth)

/**
 * The token that follows. It may be offered in any number of replies: `RotateToken` is for the first call that carries
 * it, and a reply that is lost loses nothing.
 */
export const nextAgentTokenOf = (vault: Vault, { registrationId, tokenNth }: AgentState): Promise<string> =>
  deriveAgentToken(vault, registrationId, tokenNth + 1)

const enrolServer = async (unit: UnitOfWork, serverId: string) =>
  unit.decide(serverRoster, undefined, 'Enrol', { serverId, ...(await limitsOf(unit)) })

/**
 * The local server counts from its first registration on.
 * @throws Rejection 402 LIMIT_REACHED
 */
export async function addServer(unit: UnitOfWork, vault: Vault, server: NewServer) {
  const serverId = unit.newId()
  if (server.kind === 'REMOTE') await enrolServer(unit, serverId)
  await unit.decide(servers, serverId, 'AddServer', { serverId, ...server })
  return { serverId, ...(await issueInstallToken(unit, vault, serverId)) }
}

const LOCAL_SERVER: Omit<NewServer, 'name'> = {
  kind: 'LOCAL',
  description: null,
  publicAddress: null,
  allowedIps: [],
  labels: [],
  meshPort: null,
  cordoned: false,
}

/** The server that is the panel's own host; undefined: it was never added. */
export const localServerIn = (unit: UnitOfWork): Promise<string | undefined> => unit.holderOf('serverKind', 'LOCAL')

/**
 * For the agent of the panel's own host, which is added as a server if it is none.
 * @throws Rejection 402 LIMIT_REACHED
 */
export async function installLocalAgent(unit: UnitOfWork, vault: Vault, name: string): Promise<InstallToken> {
  const serverId = await localServerIn(unit)
  await unit.decide(serverRoster, undefined, 'MustHaveRoom', { serverId, ...(await limitsOf(unit)) })
  return serverId === undefined
    ? addServer(unit, vault, { name, ...LOCAL_SERVER })
    : issueInstallToken(unit, vault, serverId)
}

/** Replaces the install token before it. @throws Rejection 404 */
export async function issueInstallToken(unit: UnitOfWork, vault: Vault, serverId: string): Promise<InstallToken> {
  const installTokenId = unit.newId()
  const token = await deriveInstallToken(vault, installTokenId)
  await unit.decide(servers, serverId, 'IssueInstallToken', { installTokenId, hash: hashSecret(token) })
  const { install } = (await unit.load(servers, serverId))!
  return { token, expiresAt: install!.expiresAt }
}

/** Records that the token is shown. @throws Rejection 404 · 409 INSTALL_TOKEN_OVER */
export async function showInstallToken(unit: UnitOfWork, vault: Vault, serverId: string): Promise<InstallToken> {
  await unit.decide(servers, serverId, 'ShowInstallCommand', {})
  const { id, expiresAt } = (await unit.load(servers, serverId))!.install!
  return { token: await deriveInstallToken(vault, id), expiresAt }
}

/** The token of the agent is void at once. @throws Rejection 404 */
export async function resetServer(unit: UnitOfWork, vault: Vault, serverId: string): Promise<InstallToken> {
  await unit.decide(servers, serverId, 'Reset', {})
  return issueInstallToken(unit, vault, serverId)
}

/** Curl speaks nothing but TLS, unless the panel is on the host itself. */
const curlProtocol = (panelUrl: string): string => (panelUrl.startsWith('https:') ? "--proto '=https' " : '')

/** Of the header in which curl sends the token. */
const CURL_CONFIG = `'header = "Authorization: Bearer %s"\\n'`

/**
 * A shell command that installs the agent on a host. No list of arguments has the token: printf belongs to the shell.
 * @param panelUrl without a trailing slash; https, or http to the host itself
 */
export const installCommandOf = (panelUrl: string, token: string): string =>
  `(t=${shellQuoted(token)}; printf ${CURL_CONFIG} "$t" | curl -fsS ${curlProtocol(panelUrl)}--config - ` +
  `${shellQuoted(`${panelUrl}/api/agent/install.sh`)} | DAYBOOK_INSTALL_TOKEN=$t sh)`

/** Where no agent is built: a shell command that runs it, in a clone of Daybook on the host. The token is its input. */
export const cloneCommandOf = (panelUrl: string, token: string): string =>
  `printf '%s\\n' ${shellQuoted(token)} | node bin/daybook.mjs agent /var/lib/daybook-agent ${shellQuoted(panelUrl)}`

/**
 * The server whose agent may be installed with the token, or was.
 * @throws Rejection 401, the same for every other token
 */
export async function serverToInstall(unit: UnitOfWork, token: string): Promise<string> {
  const serverId = await serverOfInstallToken(unit, token)
  const install = (await unit.look(servers, serverId))?.install
  const isOpen = install && (install.usedBy !== null || Date.parse(install.expiresAt) > unit.at.getTime())
  return isOpen ? serverId : rejectInstallToken()
}

/** The id of the server that an install token was issued for. @throws Rejection 401, the same for every other token */
export async function serverOfInstallToken(unit: UnitOfWork, token: string): Promise<string> {
  const serverId = isSecret(token, 'i') ? await unit.holderOf('installToken', hashSecret(token)) : undefined
  return serverId ?? rejectInstallToken()
}

/**
 * Makes an agent that of the server, in place of the one before. The same agent may repeat the call with the token that
 * it has used, and gets the same answer. Catch `rejectTakenEngine` around the unit of work.
 * @throws Rejection 401 · 402 LIMIT_REACHED for the local server
 */
export async function registerServer(
  unit: UnitOfWork,
  vault: Vault,
  { installToken, ...agent }: RegisteringAgent & { readonly installToken: string },
): Promise<{ readonly serverId: string; readonly token: string }> {
  const serverId = await serverOfInstallToken(unit, installToken)
  const registrationId = unit.newId()
  const tokenHash = hashSecret(await deriveAgentToken(vault, registrationId, 0))
  const ask = { hash: hashSecret(installToken), registrationId, tokenHash, ...agent }
  await unit.decide(servers, serverId, 'Register', ask)
  await enrolServer(unit, serverId)
  const { agent: registered } = found(await unit.load(servers, serverId))
  return { serverId, token: await agentTokenOf(vault, registered!) }
}

const rejectTaken =
  (scope: string, message: string, code: string) =>
  (error: unknown): never => {
    if (!(error instanceof UniqueConstraintViolation) || error.constraint.scope !== scope) throw error
    return reject('conflict', message, code)
  }

/** Handler for `catch`. @throws Rejection 409 NAME_TAKEN */
export const rejectTakenServerName = rejectTaken('serverName', 'A server with this name already exists', 'NAME_TAKEN')

/** Handler for `catch`. @throws Rejection 409 ENGINE_MANAGED */
export const rejectTakenEngine = rejectTaken(
  'serverEngine',
  'Another server of this panel manages this container engine: remove that server first',
  'ENGINE_MANAGED',
)
