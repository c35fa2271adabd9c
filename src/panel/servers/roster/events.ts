/** Count of all servers. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

const counted = eventsAbout({ serverId: z.uuid() })({
  ServerEnrolled: { fields: {}, sentence: ({ serverId }) => `counted server ${serverId}` },
  ServerStruck: { fields: {}, sentence: ({ serverId }) => `counted server ${serverId} no longer` },
})

/** One stream for the installation, because the limit of the license spans all servers. */
export const serverRosterEvents = stream('serverRoster', counted)
