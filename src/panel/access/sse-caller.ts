/**
 * Authentication of the event streams: a single-use token in the query, or a session in the header for
 * clients that can send one. No other route of the panel reads credentials from a query.
 */
import { randomUUID } from 'node:crypto'
import { anonymousActorFor } from '#kernel/auth/realm'
import { invalidSession } from '#kernel/auth/rejections'
import type { CommandRunner } from '#kernel/commands/command-runner'
import { hashSecret, isSecret } from '#kernel/credentials/secret-token'
import type { AuthenticationScheme } from '#kernel/http/gate'
import type { RequestHead, Authenticate } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { sseTokens } from '../auth/sse-token/decider.ts'
import { callerOfSession, findLiveSession } from './user-caller.ts'
import type { UserCaller } from './user-caller.ts'

export interface SseDependencies {
  readonly commands: CommandRunner
  readonly read: ReadDatabase
  /** Authenticates a session in the header. */
  readonly bearer: Authenticate
}

export const sseAuthentication = (parts: SseDependencies): AuthenticationScheme => ({
  challenge: { 'WWW-Authenticate': 'Bearer' },
  credential: (arrival) => sseCredentialIn(arrival)?.token ?? arrival.authorization.join('\n'),
  authenticate: async (arrival) => {
    const by = sseCredentialIn(arrival)
    return by === undefined ? parts.bearer(arrival) : sseTokenCaller(parts, by, arrival)
  },
})

interface SseCredential {
  readonly path: string
  readonly token: string
}

/** More than one token is treated as an invalid token. */
function sseCredentialIn({ request }: RequestHead): SseCredential | undefined {
  const [path = '', search = ''] = (request?.target ?? '').split('?')
  const [token, ...others] = new URLSearchParams(search).getAll('sseToken')
  if (token === undefined) return undefined
  return { path, token: others.length === 0 ? token : '' }
}

/**
 * Uses the token up before the stream is opened.
 * @throws Rejection 401, whatever is wrong with the token, its session or its account
 */
async function sseTokenCaller(
  { commands, read }: SseDependencies,
  { path, token }: SseCredential,
  { now, ip }: RequestHead,
): Promise<UserCaller> {
  if (!isSecret(token, 's')) return invalidSession()
  const tokenHash = hashSecret(token)
  const requestId = randomUUID()
  const held = await commands.run({ actor: anonymousActorFor('nobody'), requestId }, async (unit) => {
    const sseTokenId = await unit.holderOf('sseToken', tokenHash)
    return sseTokenId === undefined ? undefined : unit.look(sseTokens, sseTokenId)
  })
  const session = held && (await findLiveSession(read, held.userSessionId, now))
  if (!session || session.userId !== held.userId) return invalidSession()
  const actor = { type: 'USER', id: held.userId }
  await commands.run({ actor, requestId, ...(ip === undefined ? {} : { ip }) }, (unit) =>
    unit.decide(sseTokens, held.sseTokenId, 'UseSseToken', { path }),
  )
  return callerOfSession(session, now)
}
