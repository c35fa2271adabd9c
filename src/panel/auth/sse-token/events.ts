/** A token for an event stream of a client that cannot send headers: one use, minute, session and path. */
import { z } from 'zod'
import { eventsAbout, internal, stream } from '#kernel/events/event'

const about = { sseTokenId: z.uuid(), userId: z.uuid(), userSessionId: z.uuid() }

const events = eventsAbout(about)({
  SseTokenMade: {
    fields: { path: z.string(), tokenHash: internal(z.string()), expiresAt: z.iso.datetime() },
    sentence: ({ sseTokenId, path }) => `made the stream token ${sseTokenId} for ${path}`,
    takes: ({ sseTokenId, tokenHash }) => [{ scope: 'sseToken', key: tokenHash, holder: sseTokenId }],
  },
  SseTokenUsed: {
    fields: {},
    sentence: ({ sseTokenId }) => `opened an event stream with the token ${sseTokenId}`,
    takes: ({ sseTokenId }) => [{ scope: 'sseTokenUse', key: sseTokenId }],
  },
})

/** One stream per token, because single use is an invariant of the token alone. */
export const sseTokenEvents = stream('sseToken', events)
