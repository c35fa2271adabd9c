import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import { changedValues } from '#kernel/resource/fields'
import type { ChangesOf, ValuesOf } from '#kernel/resource/fields'
import type { Item } from '#kernel/resource/resource'
import { sealedForServer, serverEvents, serverFields, toldFields } from './events.ts'

type Registered = DataOf<typeof serverEvents.ServerRegistered>

interface InstallToken {
  readonly id: string
  readonly hash: string
  /** RFC 3339. */
  readonly expiresAt: string
  /** The public key of the agent that registered with it. */
  readonly usedBy: string | null
}

interface Agent extends Pick<Registered, 'registrationId' | 'publicKey' | 'tokenHash' | 'engineId' | 'facts'> {
  /** How often its token was rotated. */
  readonly tokenNth: number
  /** Of its last change after the registration. */
  readonly factsAt: Date | null
}

export interface Server extends Item<typeof serverFields> {
  readonly kind: DataOf<typeof serverEvents.ServerAdded>['kind']
  readonly install: InstallToken | null
  /** Null until an agent registers, and after a reset. */
  readonly agent: Agent | null
  readonly isOffline: boolean
  /** Two processes use the token of the agent. */
  readonly isConflicted: boolean
}

/** Not the local one. */
export const REMOTE_SERVER = { kind: ['REMOTE'] } as const satisfies States<Server>

/** The engine's id, and what the agent says beside it. */
type ToldFacts = ValuesOf<typeof toldFields>
type ServerValues = ValuesOf<typeof serverFields>

interface RegisterInput extends ToldFacts, Pick<Registered, 'registrationId' | 'publicKey' | 'tokenHash'> {
  /** Of the install token. */
  readonly hash: string
}

/** Source: panel-hosts.md 6. */
const INSTALL_TOKEN_MS = 24 * 60 * 60_000
const FACTS_EACH_MS = 60_000

export const servers = decider(serverEvents, {
  initial: undefined as Server | undefined,
  snapshot: { version: 2, everyEvents: 500, sealedFor: (serverId) => sealedForServer({ serverId }) },
  evolve: {
    ServerAdded: (_none, { serverId: id, ...server }, at): Server => ({
      ...server,
      id,
      createdAt: at.toISOString(),
      install: null,
      agent: null,
      isOffline: false,
      isConflicted: false,
    }),
    ServerChanged: (server, { serverId: _id, formerName: _name, ...values }) => ({ ...server!, ...values }),
    ServerInstallTokenIssued: (server, { installTokenId: id, hash, expiresAt }) => ({
      ...server!,
      install: { id, hash, expiresAt, usedBy: null },
    }),
    ServerInstallCommandShown: (server) => server,
    ServerRegistered: (server, { registrationId, publicKey, tokenHash, engineId, facts }) => ({
      ...server!,
      install: { ...server!.install!, usedBy: publicKey },
      agent: { registrationId, publicKey, tokenHash, tokenNth: 0, engineId, facts, factsAt: null },
      isOffline: false,
      isConflicted: false,
    }),
    ServerTokenRotated: (server, { tokenHash, nth }) => withAgent(server!, { tokenHash, tokenNth: nth }),
    ServerFactsChanged: (server, { engineId, facts }, at) => withAgent(server!, { engineId, facts, factsAt: at }),
    ServerWentOffline: (server) => ({ ...server!, isOffline: true }),
    ServerCameBack: (server) => ({ ...server!, isOffline: false }),
    ServerAgentConflicted: (server) => ({ ...server!, isConflicted: true }),
    ServerReset: (server) => ({ ...server!, agent: null, isOffline: false, isConflicted: false }),
    ServerRemoved: () => undefined,
  },
  commands: {
    AddServer: (_none, ask: { readonly serverId: string; readonly kind: Server['kind'] } & ServerValues) => [
      serverEvents.ServerAdded(ask),
    ],
    /** Keeps what the command does not name. */
    ChangeServer: (server, { changes }: { readonly changes: ChangesOf<typeof serverFields> }) => {
      const known = found(server)
      const values = changedValues(serverFields, known, changes)
      return values ? [serverEvents.ServerChanged({ serverId: known.id, ...values, formerName: known.name })] : []
    },
    /** Replaces the one before, used or not. */
    IssueInstallToken: (
      server,
      ask: Pick<DataOf<typeof serverEvents.ServerInstallTokenIssued>, 'installTokenId' | 'hash'>,
      { at },
    ) => {
      const { id: serverId, install } = found(server)
      const expiresAt = new Date(at.getTime() + INSTALL_TOKEN_MS).toISOString()
      return [serverEvents.ServerInstallTokenIssued({ serverId, ...ask, formerHash: install?.hash ?? null, expiresAt })]
    },
    /** The showing of the command is recorded each time. */
    ShowInstallCommand: (server, _ask: object, { at }) => {
      const { id: serverId, install } = found(server)
      if (!install || install.usedBy !== null || isOver(install, at))
        return reject(
          'conflict',
          'The install token was used or has expired: issue a new one with regen-token',
          'INSTALL_TOKEN_OVER',
        )
      return [serverEvents.ServerInstallCommandShown({ serverId, installTokenId: install.id })]
    },
    /** The agent that registered with the token may repeat the call: its reply may have been lost. */
    Register: (server, { hash, ...ask }: RegisterInput, { at }) => {
      const install = server?.install
      if (!server || !install || install.hash !== hash) return rejectInstallToken()
      if (install.usedBy !== null)
        return install.usedBy === ask.publicKey && server.agent?.publicKey === ask.publicKey ? [] : rejectInstallToken()
      if (isOver(install, at)) return rejectInstallToken()
      const formerEngineId = server.agent?.engineId ?? null
      const registered = { serverId: server.id, installTokenId: install.id, ...ask, formerEngineId }
      return [serverEvents.ServerRegistered(registered)]
    },
    /** Once the agent uses its next token. */
    RotateToken: (server, { tokenHash }: { readonly tokenHash: string }) => {
      const { id: serverId, agent } = requireAgent(server)
      if (agent.tokenHash === tokenHash) return []
      return [serverEvents.ServerTokenRotated({ serverId, tokenHash, nth: agent.tokenNth + 1 })]
    },
    /** At most one change a minute is history. `hasFacts` says whether the agent must tell them again. */
    NoteFacts: (server, ask: ToldFacts, { at }) => {
      const { id: serverId, agent } = requireAgent(server)
      const told = changedValues(toldFields, agent, ask)
      const sinceMs = agent.factsAt === null ? Infinity : at.getTime() - agent.factsAt.getTime()
      // A clock that was set back holds nothing up.
      const isTooSoon = sinceMs >= 0 && sinceMs < FACTS_EACH_MS
      return told && !isTooSoon
        ? [serverEvents.ServerFactsChanged({ serverId, ...told, formerEngineId: agent.engineId })]
        : []
    },
    GoOffline: (server, { lastContactAt }: { readonly lastContactAt: string }) =>
      server?.agent && !server.isOffline
        ? [serverEvents.ServerWentOffline({ serverId: server.id, lastContactAt })]
        : [],
    ComeBack: (server, _ask: object) =>
      server?.isOffline ? [serverEvents.ServerCameBack({ serverId: server.id })] : [],
    NoteConflict: (server, ask: { readonly run: string; readonly otherRun: string }) =>
      server?.agent && !server.isConflicted
        ? [serverEvents.ServerAgentConflicted({ serverId: server.id, ...ask })]
        : [],
    /** In every state. A new install token follows. */
    Reset: (server, _ask: object) => {
      const { id: serverId, agent } = found(server)
      return [serverEvents.ServerReset({ serverId, formerEngineId: agent?.engineId ?? null })]
    },
    Remove: (server, _ask: object) => {
      const known = found(server)
      const { id: serverId, name, install, agent } = known
      if (!fits(known, REMOTE_SERVER))
        reject('conflict', 'The local server belongs to the installation and cannot be deleted', 'LOCAL')
      const formerHash = install?.hash ?? null
      return [serverEvents.ServerRemoved({ serverId, name, formerHash, formerEngineId: agent?.engineId ?? null })]
    },
  },
})

const withAgent = (server: Server, change: Partial<Agent>): Server => ({
  ...server,
  agent: { ...server.agent!, ...change },
})

/** @throws Rejection 404 for a server that is removed, or waits for its agent */
function requireAgent(server: Server | undefined): Server & { readonly agent: Agent } {
  const { agent } = found(server)
  return { ...server!, agent: found(agent ?? undefined) }
}

export const hasFacts = ({ agent }: Server, told: ToldFacts): boolean =>
  agent !== null && changedValues(toldFields, agent, told) === undefined

const isOver = ({ expiresAt }: InstallToken, at: Date): boolean => Date.parse(expiresAt) <= at.getTime()

/** The same for every token that opens nothing. */
export const rejectInstallToken = (): never =>
  reject('unauthenticated', 'Invalid or expired install token', 'INSTALL_TOKEN_INVALID')
