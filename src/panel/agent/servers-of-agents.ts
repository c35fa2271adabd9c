/** What this section needs of the servers: a port, which the section of the servers provides. */
import type { Pool } from 'pg'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { Caller, HandlerContext } from '#kernel/http/route'
import { serviceKey } from '#kernel/lib/services'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Beat, HeartbeatAnswer } from '../../tasks/protocol.ts'

export interface ServerOfAgent {
  readonly serverId: string
  /** SHA-256 in hex, of its token. */
  readonly tokenHash: string
  /** X25519, raw in base64url: secrets are sealed to it. */
  readonly publicKey: string
  /** The kinds that the agent knows, with their versions. */
  readonly kinds: Readonly<Record<string, number>>
  readonly allowedIps: readonly string[]
  readonly tokenAt?: Date
  /** The token that follows. */
  nextToken?(): Promise<string>
  readonly isOffline?: boolean
  readonly isConflicted?: boolean
}

export interface AgentContact {
  /** The process of the agent. */
  readonly run: string
  readonly beat: Beat | undefined
  /** It was called with the token that follows. */
  readonly hasNextToken: boolean
}

/** What the agent must be told of its contact. */
export type NotedContact = Pick<HeartbeatAnswer, 'factsAgain'>

export type ContactCall = Pick<HandlerContext, 'telemetry' | 'run' | 'now'>
/** The revisions of the plans that an agent acts on, by their kinds. */
export interface PlansTold {
  readonly serverId: string
  readonly at: Date
  readonly plans: Readonly<Record<string, number>>
}

export interface ServersOfAgents {
  /** A registered server. */
  find(read: ReadDatabase, serverId: string): Promise<ServerOfAgent | undefined>
  /** Whether it is still the agent of its server, in the unit that gives it work. */
  isPresent(unit: UnitOfWork, server: ServerOfAgent): Promise<boolean>
  /** @throws Rejection 409 RUN_SUPERSEDED for a process that another one has replaced · AGENT_CONFLICTED */
  noteContact(call: ContactCall, server: ServerOfAgent, contact: AgentContact): Promise<NotedContact>
  /** Undefined: the token of the agent is new enough. */
  nextTokenOf(server: ServerOfAgent, now: Date): Promise<string | undefined>
  /** Whether the agent was heard of lately, so that a read may be awaited. */
  isReachable(telemetry: Pool, serverId: string, now: Date): Promise<boolean>
  /** What the newest beats say of plans, of the agents that were heard of since. */
  plansTold(telemetry: Pool, since: Date): Promise<readonly PlansTold[]>
  /** The time until the next beat, which grows with the number of agents. */
  nextBeatMs(): number
  /** Whether a rule lets the caller manage this one server. */
  mayManage(read: ReadDatabase, caller: Caller, serverId: string): Promise<boolean>
}

const BEAT_MS = 10_000

/** Without servers, no agent is known. */
export const serversOfAgents = serviceKey<ServersOfAgents>('servers of agents', {
  find: async () => undefined,
  isPresent: async () => false,
  noteContact: async () => ({}),
  nextTokenOf: async () => undefined,
  isReachable: async () => false,
  plansTold: async () => [],
  nextBeatMs: () => BEAT_MS,
  mayManage: async () => false,
})
