/**
 * Sessions of one account: families of refresh tokens, of which one is good at a time (security.md 2.3). The same rules for the
 * streams of every realm. They are pure.
 */
import { invalidSession } from './rejections.ts'

export interface Session {
  readonly id: string
  readonly startedAt: Date
  readonly refreshedAt: Date
  /** When it last proved the password. Of a session of 0.1.0: when it started, since no other proof was recorded as one. */
  readonly provedPasswordAt: Date
  readonly expiresAt: Date
  /** sha256 of the one refresh token that is good. */
  readonly refreshHash: string
  /** That of its immediate predecessor. */
  readonly previousHash: string | undefined
}

/** Hashes of the token that is presented, and of the one that follows it. */
export interface Rotation {
  readonly presented: string
  readonly successor: string
}

/** A session, and whose it is. */
export interface SessionIdentity {
  readonly accountId: string
  readonly sessionId: string
}

/**
 * Every refresh token ever issued is a claim that names its session, so that a used one is known for what it is: stolen, or
 * a late retry. A token's successor is a function of the token, so the claim on the successor is what consumes the token.
 */
export const refreshTokenConstraint = (
  scope: string,
  { accountId, sessionId }: SessionIdentity,
  refreshHash: string,
) => ({
  scope,
  key: refreshHash,
  holder: `${accountId}/${sessionId}`,
})

/** Whose the claim is. */
export function parseSessionHolder(holder: string): SessionIdentity {
  const [accountId = '', sessionId = ''] = holder.split('/')
  return { accountId, sessionId }
}

/** Why a session ends, in every realm. WRONG_PROOFS: too many wrong passwords or codes were given in it. */
export const END_REASONS = [
  'LOGOUT',
  'REVOKED',
  'PASSWORD_CHANGED',
  'PASSWORD_RESET',
  'TOTP_CHANGED',
  'REFRESH_REUSED',
  'WRONG_PROOFS',
  'TOO_MANY',
  'EXPIRED',
] as const
export type EndReason = (typeof END_REASONS)[number]

const DAY_MS = 86_400_000
const IDLE_MS = 7 * DAY_MS
const ABSOLUTE_MS = 30 * DAY_MS
/** For an answer that was lost on its way, and for two tabs that refresh at once. */
const GRACE_MS = 10_000
export const SESSIONS_MAX = 20
/** No session lasts longer. */
export const SESSION_SECONDS_MAX = ABSOLUTE_MS / 1_000

const isLive = ({ expiresAt }: Session, at: Date): boolean => expiresAt.getTime() > at.getTime()

/** @throws Rejection 401 */
export function requireLiveSession<S extends Session>(sessions: readonly S[], sessionId: string, at: Date): S {
  const session = sessions.find(({ id }) => id === sessionId)
  return session && isLive(session, at) ? session : invalidSession()
}

/** RFC 3339. */
export const expiryOf = (startedAt: Date, usedAt: Date): string =>
  new Date(Math.min(startedAt.getTime() + ABSOLUTE_MS, usedAt.getTime() + IDLE_MS)).toISOString()

/** What ends when another begins: what has expired, and the oldest, to make room. */
export function sessionsToEnd<S extends Session>(sessions: readonly S[], at: Date): { expired: S[]; surplus: S[] } {
  const live = sessions.filter((session) => isLive(session, at))
  return {
    expired: sessions.filter((session) => !isLive(session, at)),
    surplus: live.slice(0, Math.max(0, live.length - SESSIONS_MAX + 1)),
  }
}

/**
 * The good token rotates. Its predecessor, within the grace, changes nothing: the caller derives the same successor
 * again. Every other token of the family was stolen, from us or from whoever now presents it.
 */
export function refreshOutcomeOf(session: Session, presented: string, at: Date): 'rotates' | 'repeats' | 'stolen' {
  if (presented === session.refreshHash) return 'rotates'
  const isRetry = presented === session.previousHash && at.getTime() - session.refreshedAt.getTime() <= GRACE_MS
  return isRetry ? 'repeats' : 'stolen'
}

export const newSession = (
  { id, refreshHash, expiresAt }: Pick<Session, 'id' | 'refreshHash'> & { expiresAt: string },
  at: Date,
): Session => ({
  id,
  startedAt: at,
  refreshedAt: at,
  provedPasswordAt: at,
  expiresAt: new Date(expiresAt),
  refreshHash,
  previousHash: undefined,
})

export const withRotatedToken = <S extends Session>(
  sessions: readonly S[],
  { id, refreshHash, expiresAt }: Pick<Session, 'id' | 'refreshHash'> & { expiresAt: string },
  at: Date,
): readonly S[] =>
  sessions.map((session) =>
    session.id === id
      ? { ...session, refreshedAt: at, expiresAt: new Date(expiresAt), refreshHash, previousHash: session.refreshHash }
      : session,
  )
