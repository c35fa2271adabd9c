import { invalidSession } from '#kernel/auth/rejections'
import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { sseTokenEvents } from './events.ts'

type SseToken = DataOf<typeof sseTokenEvents.SseTokenMade>

const HOLDS_MS = 60_000

/** The unused token; undefined before it is created and after it is used. */
export const sseTokens = decider(sseTokenEvents, {
  initial: undefined as SseToken | undefined,
  evolve: { SseTokenMade: (_none, made): SseToken => made, SseTokenUsed: () => undefined },
  commands: {
    MakeSseToken: (_none, ask: Omit<SseToken, 'expiresAt'>, { at }) => [
      sseTokenEvents.SseTokenMade({ ...ask, expiresAt: new Date(at.getTime() + HOLDS_MS).toISOString() }),
    ],
    /** @throws Rejection 401, whatever is wrong with the token */
    UseSseToken: (made, { path }: { path: string }, { at }) => {
      if (!made || made.path !== path || at.getTime() >= Date.parse(made.expiresAt)) return invalidSession()
      const { sseTokenId, userId, userSessionId } = made
      return [sseTokenEvents.SseTokenUsed({ sseTokenId, userId, userSessionId })]
    },
  },
})
