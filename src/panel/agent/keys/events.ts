/** The keys with which the panel signs tasks. Agents pin the first one when they are installed. */
import { z } from 'zod'
import { eventsAbout, sealed, stream } from '#kernel/events/event'

const declareEvents = eventsAbout({ taskKeyId: z.uuid() }, () => 'installation')
const events = declareEvents({
  /** `key` is a private JWK (RFC 8037) as JSON. */
  TaskKeyMade: { fields: { key: sealed(z.string()) }, sentence: ({ taskKeyId }) => `made task key ${taskKeyId}` },
})

/** One stream for the installation, so that processes that start together make one key. */
export const taskKeyEvents = stream('taskKeys', events)
