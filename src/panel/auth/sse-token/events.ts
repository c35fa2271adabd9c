/**
 * A token that opens an event stream for clients that cannot send headers: single-use, valid for one
 * minute, one session and one path.
 */
import { z } from 'zod'
import { event, internal, stream } from '#kernel/events/event'

const about = { sseTokenId: z.uuid(), userId: z.uuid(), userSessionId: z.uuid() }

export const SseTokenMade = event(
  'SseTokenMade',
  'sseTokenId',
  { ...about, path: z.string(), tokenHash: internal(z.string()), expiresAt: z.iso.datetime() },
  ({ sseTokenId, path }) => `made the stream token ${sseTokenId} for ${path}`,
  { takes: ({ sseTokenId, tokenHash }) => [{ scope: 'sseToken', key: tokenHash, holder: sseTokenId }] },
)

export const SseTokenUsed = event(
  'SseTokenUsed',
  'sseTokenId',
  about,
  ({ sseTokenId }) => `opened an event stream with the token ${sseTokenId}`,
  { takes: ({ sseTokenId }) => [{ scope: 'sseTokenUse', key: sseTokenId }] },
)

/** One stream per token, because single use is an invariant of the token alone. */
export const sseTokenEvents = stream('sseToken', [SseTokenMade, SseTokenUsed])
