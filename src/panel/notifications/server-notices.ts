/** Tells who manages a server when it needs a person. */
import { eventTypesIn } from '#kernel/events/event'
import { reaction } from '#kernel/jobs/reaction'
import { serverManagers } from '../access/server-managers.ts'
import { agentUpdateEvents } from '../agent/updates/events.ts'
import { serverEvents } from '../servers/events.ts'
import { notify } from './notify.ts'

const SERVER = {
  ServerWentOffline: 'A server that you manage is offline',
  ServerAgentConflicted: 'Two agents use the token of a server that you manage; it gets no work until you reset it',
} as const

export const notifyServerManagers = reaction('notify-servers', {
  on: [...eventTypesIn(serverEvents, SERVER), agentUpdateEvents.AgentUpdateHalted],
  async run({ type, data, id: causeId }, work) {
    const { serverId } = data
    const title =
      'code' in data
        ? `The update of agents was halted, because a server that you manage ended with ${data.code}`
        : SERVER[type as keyof typeof SERVER]
    for (const userId of await serverManagers(work.read, serverId))
      await notify(work, { userId, causeId, kind: 'SERVER', title, serverId })
  },
})
