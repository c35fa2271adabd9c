/** Commands on the sessions of one account: the same for every realm, with the realm's names. */
import type { DecisionContext } from '../events/decider.ts'
import type { DataOf } from '../events/event.ts'
import type { AccountIdField, RealmNames } from './realm-names.ts'
import type { SessionEvents, SteppedUpEvent } from './session-events.ts'
import {
  requireLiveSession,
  newSession,
  expiryOf,
  refreshOutcomeOf,
  sessionsToEnd,
  withRotatedToken,
} from './session-rules.ts'
import type { EndReason, SessionIdentity, Rotation, Session } from './session-rules.ts'

/** A session with the id of its account. */
export type OwnedSession<AccountKey extends string> = Session & AccountIdField<AccountKey>

export function sessionDecisions<Noun extends string, AccountKey extends string, More extends string>(
  names: RealmNames<Noun, AccountKey>,
  { Started, Refreshed, PasswordProved, Ended }: SessionEvents<Noun, AccountKey, More>,
) {
  type Sessions = readonly OwnedSession<AccountKey>[]
  type Reason = EndReason | More
  const none: Sessions = []

  const ended = (sessions: Sessions, reason: Reason) =>
    sessions.map((session) =>
      Ended({ ...names.ofSession({ accountId: names.accountId(session), sessionId: session.id }), reason }),
    )

  /**
   * All sessions but the caller's, which must itself be live.
   * @throws Rejection 401
   */
  const othersThan = (sessions: Sessions, { sessionId }: Pick<SessionIdentity, 'sessionId'>, at: Date): Sessions => {
    const own = requireLiveSession(sessions, sessionId, at)
    return sessions.filter((session) => session !== own)
  }

  return {
    none,
    ended,
    othersThan,
    started(sessions: Sessions, data: DataOf<typeof Started>, at: Date): Sessions {
      const { accountId, sessionId: id } = names.held(data)
      const { refreshHash, expiresAt } = data
      return [...sessions, { ...newSession({ id, refreshHash, expiresAt }, at), ...names.ofAccount(accountId) }]
    },
    refreshed(sessions: Sessions, data: DataOf<typeof Refreshed>, at: Date): Sessions {
      const { refreshHash, expiresAt } = data
      return withRotatedToken(sessions, { id: names.held(data).sessionId, refreshHash, expiresAt }, at)
    },
    passwordProved(sessions: Sessions, data: DataOf<typeof PasswordProved>, at: Date): Sessions {
      const { sessionId } = names.held(data)
      return sessions.map((session) => (session.id === sessionId ? { ...session, provedPasswordAt: at } : session))
    },
    gone(sessions: Sessions, data: DataOf<typeof Ended>): Sessions {
      const { sessionId } = names.held(data)
      return sessions.filter(({ id }) => id !== sessionId)
    },
    commands: {
      /** Ends expired sessions, and the oldest ones if there are too many. */
      StartSession(
        sessions: Sessions,
        { refreshHash, userAgent, ...held }: SessionIdentity & { refreshHash: string; userAgent: string | null },
        { at }: DecisionContext,
      ) {
        const { expired, surplus } = sessionsToEnd(sessions, at)
        const started = Started({ ...names.ofSession(held), refreshHash, userAgent, expiresAt: expiryOf(at, at) })
        return [...ended(expired, 'EXPIRED'), ...ended(surplus, 'TOO_MANY'), started]
      },
      /** A stolen token ends its session. */
      RefreshSession(
        sessions: Sessions,
        { presented, successor, ...held }: SessionIdentity & Rotation,
        { at }: DecisionContext,
      ) {
        const session = requireLiveSession(sessions, held.sessionId, at)
        const fate = refreshOutcomeOf(session, presented, at)
        if (fate === 'repeats') return []
        if (fate === 'stolen') return ended([session], 'REFRESH_REUSED')
        const expiresAt = expiryOf(session.startedAt, at)
        return [Refreshed({ ...names.ofSession(held), refreshHash: successor, expiresAt })]
      },
      ProvePassword(sessions: Sessions, held: SessionIdentity, { at }: DecisionContext) {
        requireLiveSession(sessions, held.sessionId, at)
        return [PasswordProved(names.ofSession(held))]
      },
      EndSession: (sessions: Sessions, { sessionId, reason }: { sessionId: string; reason: Reason }) =>
        ended(
          sessions.filter(({ id }) => id === sessionId),
          reason,
        ),
      EndAllSessions: (sessions: Sessions, { reason }: { reason: Reason }) => ended(sessions, reason),
      EndOtherSessions: (sessions: Sessions, ask: { sessionId: string; reason: Reason }, { at }: DecisionContext) =>
        ended(othersThan(sessions, ask, at), ask.reason),
    },
  }
}

/** Additional commands for realms whose sessions renew their proof. */
export const stepUpDecisions = <Noun extends string, AccountKey extends string>(
  names: RealmNames<Noun, AccountKey>,
  SteppedUp: SteppedUpEvent<Noun, AccountKey>,
) => ({
  StepUpSession(sessions: readonly Session[], held: SessionIdentity, { at }: DecisionContext) {
    requireLiveSession(sessions, held.sessionId, at)
    return [SteppedUp(names.ofSession(held))]
  },
})
