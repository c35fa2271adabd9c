/** What the section of the agents needs of the servers. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { hashSecret } from '#kernel/credentials/secret-token'
import { reject } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import type { Vault } from '#kernel/vault/vault'
import { serverTable } from '#projections/panel/servers'
import { viewServer } from '../access/server-access.ts'
import type { AgentContact, NotedContact, ServersOfAgents } from '../agent/servers-of-agents.ts'
import { nextAgentTokenOf, rejectTakenEngine } from '../workflows/servers.ts'
import { contactsOf, noteContact, noteStray, plansTold } from './contacts.ts'
import { hasFacts, servers } from './decider.ts'
import { noteLinks } from './mesh/links.ts'
import { staleMs } from './silence-rules.ts'
import type { Beats } from './silence-rules.ts'

/** Source: panel-hosts.md 6. */
const TOKEN_DAYS = 30
const DAY_MS = 86_400_000

interface AgentsOfServersDependencies {
  readonly vault: Vault
  readonly watch: Beats
}

export function agentsOfServers({ vault, watch }: AgentsOfServersDependencies): ServersOfAgents {
  return {
    async find(read, serverId) {
      const row = await findRow(read, serverTable, { id: serverId })
      if (!row?.registrationId || !row.tokenHash || !row.publicKey || !row.facts) return undefined
      const { registrationId, tokenNth, tokenHash, tokenAt, publicKey, allowedIps, facts, isOffline, isConflicted } =
        row
      const nextToken = () => nextAgentTokenOf(vault, { registrationId, tokenNth: tokenNth ?? 0 })
      return {
        serverId,
        tokenHash,
        tokenAt: new Date(tokenAt ?? row.createdAt),
        nextToken,
        publicKey,
        kinds: facts.kinds,
        allowedIps,
        isOffline,
        isConflicted,
      }
    },

    async isPresent(unit, { serverId, publicKey }) {
      const known = await unit.look(servers, serverId)
      return known?.agent?.publicKey === publicKey && !known.isConflicted
    },

    async noteContact({ telemetry, run: inUnit, now }, { serverId, isOffline, isConflicted, nextToken }, contact) {
      if (isConflicted) reject('conflict', 'Two agents use the token of this server: reset it', 'AGENT_CONFLICTED')
      const { run, beat } = contact
      if (!(await noteContact(telemetry, { serverId, at: now, run, beat: withoutNews(beat) }))) {
        const otherRun = await noteStray(telemetry, serverId, run, now)
        if (otherRun !== undefined)
          await inUnit((unit) => unit.decide(servers, serverId, 'NoteConflict', { run, otherRun }))
        reject('conflict', 'Another process is the agent of this server', 'RUN_SUPERSEDED')
      }
      if (beat?.links) await noteLinks(telemetry, serverId, beat.links, now)
      const tokenHash = contact.hasNextToken && nextToken ? hashSecret(await nextToken()) : undefined
      if (!isOffline && tokenHash === undefined && !beat?.facts) return {}
      return inUnit((unit) => noteNews(unit, serverId, { tokenHash, facts: beat?.facts })).catch(rejectTakenEngine)
    },

    async nextTokenOf({ tokenAt, nextToken }, now) {
      return tokenAt && now.getTime() - tokenAt.getTime() > TOKEN_DAYS * DAY_MS ? nextToken?.() : undefined
    },

    async isReachable(telemetry, serverId, now) {
      const contact = (await contactsOf(telemetry, [serverId])).get(serverId)
      return contact !== undefined && now.getTime() - contact.at.getTime() < staleMs(watch)
    },

    plansTold,
    nextBeatMs: () => watch.beatMs,
    mayManage: async (read, caller, serverId) => (await viewServer(read, caller, serverId))?.level === 'MANAGE',
  }
}

interface News {
  readonly tokenHash: string | undefined
  readonly facts: NonNullable<AgentContact['beat']>['facts']
}

async function noteNews(unit: UnitOfWork, serverId: string, { tokenHash, facts: told }: News): Promise<NotedContact> {
  await unit.decide(servers, serverId, 'ComeBack', {})
  if (tokenHash !== undefined) await unit.decide(servers, serverId, 'RotateToken', { tokenHash })
  if (!told) return {}
  const { engineId, ...facts } = told
  await unit.decide(servers, serverId, 'NoteFacts', { engineId, facts })
  return hasFacts((await unit.load(servers, serverId))!, { engineId, facts }) ? {} : { factsAgain: true }
}

/** Facts are history, and links have a table of their own. */
function withoutNews(beat: AgentContact['beat']): object | undefined {
  if (!beat) return undefined
  const { facts: _facts, links: _links, ...rest } = beat
  return rest
}
