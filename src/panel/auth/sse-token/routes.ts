import { z } from 'zod'
import { hashSecret, newSecret } from '#kernel/credentials/secret-token'
import { route } from '#kernel/http/route'
import { session } from '../../access/access.ts'
import { userCallerOf } from '../../access/user-caller.ts'
import { sseTokens } from './decider.ts'

const EVENTS = '/api/events/stream'
const SseTokenBody = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(/^\/api\/[A-Za-z0-9/_-]+$/)
    .default(EVENTS),
})

export const sseTokenRoutes = [
  route('POST /api/auth/sse-token', {
    does: 'Create a token that opens one event stream (`path`, by default the change feed), once and within a minute.',
    access: session,
    body: SseTokenBody.default({ path: EVENTS }),
    status: 201,
    reply: z.object({ sseToken: z.string(), expiresAt: z.iso.datetime() }),
    shownOnce: ['sseToken'],
    async handle({ run, caller, body: { path } }) {
      const { userId, sid: userSessionId } = userCallerOf(caller)
      const sseToken = newSecret('s')
      const tokenHash = hashSecret(sseToken)
      const expiresAt = await run(async (unit) => {
        const sseTokenId = unit.newId()
        const ask = { sseTokenId, userId, userSessionId, path, tokenHash }
        await unit.decide(sseTokens, sseTokenId, 'MakeSseToken', ask)
        return (await unit.load(sseTokens, sseTokenId))!.expiresAt
      })
      return { sseToken, expiresAt }
    },
  }),
]
