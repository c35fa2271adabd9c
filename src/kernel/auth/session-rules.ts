/**
 * Sessions of one account: each is a family of refresh tokens, of which one is valid at a time
 * (security.md 2.3). Shared by the streams of every realm. Pure functions.
 */
import { invalidSession } from './rejections.ts'

export interface Session {
  readonly id: string
  readonly startedAt: Date
  readonly refreshedAt: Date
  /**
   * When the session last proved the password. For a session of 0.1.0: its start, because no later
   * proof was recorded.
   */
  readonly provedPasswordAt: Date
  readonly expiresAt: Date
  /** SHA-256 of the current refresh token. */
  readonly refreshHash: string
  /** SHA-256 of its predecessor. */
  readonly previousHash: string | undefined
}

/** Hashes of the presented token and of its successor. */
export interface Rotation {
  readonly presented: string
  readonly successor: string
}

/** A session and its account. */
export interface SessionIdentity {
  readonly accountId: string
  readonly sessionId: string
}

/**
 * Every refresh token ever issued has a unique constraint that names its session, so that a used token
 * is recognised: as stolen, or as a late retry. A token determines its successor, so the constraint on
 * the successor consumes the token.
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

/** The holder of such a constraint. */
export function parseSessionHolder(holder: string): SessionIdentity {
  const [accountId = '', sessionId = ''] = holder.split('/')
  return { accountId, sessionId }
}

/**
 * The reasons for the end of a session, in every realm. WRONG_PROOFS: too many wrong passwords or codes
 * were entered in it.
 */
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
/** For a response that was lost, and for two browser tabs that refresh concurrently. */
const GRACE_MS = 10_000
export const SESSIONS_MAX = 20
/** The maximum duration of a session. */
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

/** The sessions that end when another starts: the expired ones, and the oldest ones above the maximum. */
export function sessionsToEnd<S extends Session>(sessions: readonly S[], at: Date): { expired: S[]; surplus: S[] } {
  const live = sessions.filter((session) => isLive(session, at))
  return {
    expired: sessions.filter((session) => !isLive(session, at)),
    surplus: live.slice(0, Math.max(0, live.length - SESSIONS_MAX + 1)),
  }
}

/**
 * The current token rotates. Its predecessor, within the grace period, changes nothing: the same
 * successor is derived again. Any other token of the family was stolen, from the client or by the
 * caller.
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
