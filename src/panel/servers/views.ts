/** Servers as replies show them. */
import { z } from 'zod'
import type { Item } from '#kernel/resource/resource'
import type { ServerRow } from '#projections/panel/servers'
import { SERVER_LEVELS } from './access/events.ts'
import type { ServerLevel } from './access/events.ts'
import type { Server as ServerState } from './decider.ts'
import { capacityFields, SERVER_KINDS, serverFields } from './events.ts'
import type { ServerFacts } from './events.ts'
import { staleMs } from './silence-rules.ts'
import type { Beats } from './silence-rules.ts'

export const SERVER_STATUSES = ['PENDING_INSTALL', 'ONLINE', 'STALE', 'OFFLINE'] as const
type ServerStatus = (typeof SERVER_STATUSES)[number]

const capacity = z.object(capacityFields)

/** What is wrong, and what its operator can do. */
export const problemFields = {
  code: z.enum(['AGENT_CONFLICTED', 'NO_ENGINE', 'NO_AGENT', 'MESH_PORT_CLOSED']),
  message: z.string(),
  remedy: z.string(),
}

export const Server = z
  .object({
    id: z.uuid(),
    kind: z.enum(SERVER_KINDS),
    status: z
      .enum(SERVER_STATUSES)
      .describe('STALE: the agent is silent for a moment. OFFLINE: for longer. What runs there may run on.'),
    ...serverFields,
    isOpen: z.boolean().describe('Whether it has no access rule, so that every account may use it.'),
    agent: z
      .object({ version: z.string(), arch: z.string(), lastContactAt: z.iso.datetime().nullable() })
      .nullable()
      .describe('Null: no agent has registered.'),
    engine: z
      .object({ version: z.string(), api: z.string() })
      .nullable()
      .describe('The container engine. Null: the agent finds none.'),
    problem: z
      .object(problemFields)
      .nullable()
      .describe(
        'What is wrong although the agent runs: it gets no work, or peers do not reach its meshPort. Null: nothing is known.',
      ),
    capacity: capacity.nullable().describe('What there is on the host. Null: no agent has told it.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Server' })

/** A server for an account that may use it. */
export const UsableServer = Server.pick({ id: true, name: true, status: true, labels: true })
  .extend({ level: z.enum(SERVER_LEVELS) })
  .meta({ id: 'UsableServer' })

/** Callers that may only use the server see the fields of a usable one. */
export const SeenServer = Server.partial()
  .extend({ ...UsableServer.shape, level: UsableServer.shape.level.nullable() })
  .meta({ id: 'SeenServer' })

/** A server of a read model, or of its stream. */
export interface ShownServer extends Item<typeof serverFields> {
  readonly kind: ServerState['kind']
  readonly facts: ServerFacts | null
  readonly isOffline: boolean
  readonly isConflicted: boolean
}

/** What is known of a server beside its events. */
interface Known {
  /** The newest contact of its agent. */
  readonly contact: { readonly at: Date; readonly beat?: unknown } | undefined
  readonly now: Date
  readonly watch: Beats
}

export const shownState = ({ agent, ...server }: ServerState): ShownServer => ({
  ...server,
  facts: agent?.facts ?? null,
})

/** A server whose silence was noted is OFFLINE until its agent is heard again, and so is one that was never heard of. */
export function statusOf(
  { facts, isOffline }: Pick<ShownServer, 'facts' | 'isOffline'>,
  { contact, now, watch }: Known,
): ServerStatus {
  if (!facts) return 'PENDING_INSTALL'
  if (isOffline || !contact) return 'OFFLINE'
  return now.getTime() - contact.at.getTime() < staleMs(watch) ? 'ONLINE' : 'STALE'
}

const PROBLEMS = {
  AGENT_CONFLICTED: {
    code: 'AGENT_CONFLICTED',
    message: 'Two agents use the token of this server, so it gets no work',
    remedy: 'Stop the copy of the host, reset the server and run its new install command on one host',
  },
  NO_ENGINE: {
    code: 'NO_ENGINE',
    message: 'The agent finds no container engine',
    remedy: 'Install and start Docker on the host: the agent finds it without a restart',
  },
} as const

const portClosed = (port: number) => ({
  code: 'MESH_PORT_CLOSED' as const,
  message: `The host cannot open port ${port}, so other servers do not reach it there`,
  remedy: 'Free the port on the host, or set another meshPort: the agent tries again by itself',
})

const ClosedPort = z.object({ meshPortClosed: z.int() })

function problemOf({ facts, isConflicted, meshPort }: ShownServer, contact: Known['contact']) {
  if (isConflicted) return PROBLEMS.AGENT_CONFLICTED
  if (facts && !facts.engine) return PROBLEMS.NO_ENGINE
  const told = ClosedPort.safeParse(contact?.beat)
  // The agent may not have heard yet of another port.
  return told.success && told.data.meshPortClosed === meshPort ? portClosed(meshPort) : null
}

/** Its sealed fields are open. */
export function toServer(
  server: ShownServer,
  { isOpen, ...known }: Known & { isOpen: boolean },
): z.input<typeof Server> {
  const { facts } = server
  const lastContactAt = known.contact?.at.toISOString() ?? null
  return {
    ...server,
    status: statusOf(server, known),
    isOpen,
    agent: facts && { version: facts.version, arch: facts.arch, lastContactAt },
    engine: facts?.engine ?? null,
    problem: problemOf(server, known.contact),
    capacity: facts?.capacity ?? null,
  }
}

export const toUsableServer = (
  row: Pick<ServerRow, 'id' | 'name' | 'labels' | 'facts' | 'isOffline'>,
  level: ServerLevel,
  known: Known,
): z.input<typeof UsableServer> => ({
  id: row.id,
  name: row.name,
  status: statusOf(row, known),
  labels: row.labels,
  level,
})
