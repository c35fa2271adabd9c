/** Updates of agents: one server first, the others after it has told the new version. What is sent are tasks. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

const arch = z.enum(['amd64', 'arm64'])
/** Of the compressed executable: SHA-256 in hex, and the signature of the release key in base64url. */
const signed = z.object({ sha256: z.string(), signature: z.string() })
/** What a server was sent. */
const sent = z.object({ serverId: z.uuid(), taskId: z.uuid() })

/** An installation has one at a time. */
const running = () => [{ scope: 'agentUpdate', key: 'running' }]

const declareEvents = eventsAbout({ agentUpdateId: z.uuid() })
const events = declareEvents({
  AgentUpdateAsked: {
    fields: {
      version: z.string(),
      /** As the release had them when the update was asked for. */
      executables: z.object({ amd64: signed.optional(), arm64: signed.optional() }),
      first: sent,
      /** In their order, the first one included. */
      servers: z.array(z.object({ serverId: z.uuid(), arch })),
    },
    sentence: ({ agentUpdateId, version, servers, first }) =>
      `asked in ${agentUpdateId} to update the agents of ${servers.length} servers to ${version}, ${first.serverId} first`,
    takes: running,
  },
  AgentUpdateAdvanced: {
    fields: {
      serverId: z.uuid(),
      /** How many servers have the new version. */
      updated: z.int(),
      next: z.array(sent),
    },
    sentence: ({ agentUpdateId, serverId, updated, next }) =>
      `noted in ${agentUpdateId} that the agent of server ${serverId} was updated, the ${updated}. one; ${next.length} more were sent`,
  },
  /** The servers that were not sent anything keep their agents. */
  AgentUpdateHalted: {
    fields: { serverId: z.uuid(), code: z.string() },
    sentence: ({ agentUpdateId, serverId, code }) =>
      `halted update ${agentUpdateId} of agents, because server ${serverId} ended with ${code}`,
    releases: running,
  },
  AgentUpdateEnded: {
    fields: { updated: z.int() },
    sentence: ({ agentUpdateId, updated }) => `ended update ${agentUpdateId} with ${updated} agents`,
    releases: running,
  },
})

/** One stream for each update: what was sent and what is next is one decision. */
export const agentUpdateEvents = stream('agentUpdate', events)
