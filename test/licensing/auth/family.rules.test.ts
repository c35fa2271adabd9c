import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SESSIONS_MAX } from '#kernel/auth/session-rules'
import { Rejection } from '#kernel/lib/rejection'
import { staffSessions } from '#licensing/auth/decider'
import {
  StaffSessionEnded,
  StaffSessionPasswordProved,
  StaffSessionRefreshed,
  StaffSessionStarted,
  StaffSessionSteppedUp,
} from '#licensing/auth/events'
import type { StaffEndReason } from '#licensing/auth/events'
import { AT, given } from '#test/support/decider-spec'

const DAY = 86_400_000
const staffId = '01890000-0000-7000-8000-00000000000a'
const sessionId = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
const at = (ms: number) => new Date(AT.getTime() + ms)
const iso = (ms: number) => at(ms).toISOString()
const one = sessionId(1)
const named = { staffId, staffSessionId: one }
const held = { accountId: staffId, sessionId: one }
const started = (n = 1, ms = 0) =>
  StaffSessionStarted({
    staffId,
    staffSessionId: sessionId(n),
    refreshHash: n === 1 ? 'token 1' : `token of ${n}`,
    expiresAt: iso(ms + 7 * DAY),
    userAgent: null,
  })
const refreshed = (to: string, ms: number) =>
  StaffSessionRefreshed({ ...named, refreshHash: to, expiresAt: iso(Math.min(ms + 7 * DAY, 30 * DAY)) })
const ended = (n: number, reason: StaffEndReason) =>
  StaffSessionEnded({ staffId, staffSessionId: sessionId(n), reason })

describe('StartSession', () => {
  const ask = { accountId: staffId, sessionId: sessionId(99), refreshHash: 'token of 99', userAgent: null }

  test('lasts seven days', () =>
    given(staffSessions)
      .when('StartSession', ask)
      .then([started(99)]))

  test('the 21st ends the oldest', () =>
    given(
      staffSessions,
      Array.from({ length: SESSIONS_MAX }, (_, n) => started(n + 1)),
    )
      .when('StartSession', ask)
      .then([ended(1, 'TOO_MANY'), started(99)]))

  test('the expired are cleared away and do not count', () =>
    given(staffSessions, [[started(1), AT], ...Array.from({ length: 19 }, (_, n) => started(n + 2, 8 * DAY))])
      .when('StartSession', ask, { at: at(8 * DAY) })
      .then([ended(1, 'EXPIRED'), started(99, 8 * DAY)]))
})

describe('RefreshSession', () => {
  const ask = { ...held, presented: 'token 1', successor: 'token 2' }
  const family = [started(), [refreshed('token 2', 1_000), at(1_000)] as [ReturnType<typeof refreshed>, Date]]

  test('rotates, and lasts seven more days', () =>
    given(staffSessions, [started()])
      .when('RefreshSession', ask, { at: at(DAY) })
      .then([refreshed('token 2', DAY)]))

  test('never lasts more than thirty days', () => {
    const weeks = [6, 12, 18, 24].map((day, n): [ReturnType<typeof refreshed>, Date] => [
      refreshed(`token ${n + 2}`, day * DAY),
      at(day * DAY),
    ])
    given(staffSessions, [started(), ...weeks])
      .when('RefreshSession', { ...held, presented: 'token 5', successor: 'token 6' }, { at: at(29 * DAY) })
      .then([refreshed('token 6', 29 * DAY)])
    given(staffSessions, [started(), ...weeks])
      .when('RefreshSession', { ...held, presented: 'token 5', successor: 'token 6' }, { at: at(30 * DAY) })
      .refused(401, 'Invalid or expired session')
  })

  test('the predecessor changes nothing for ten seconds', () =>
    given(staffSessions, family)
      .when('RefreshSession', ask, { at: at(11_000) })
      .then([]))

  test('the predecessor ends the family after ten seconds', () =>
    given(staffSessions, family)
      .when('RefreshSession', ask, { at: at(11_001) })
      .then([ended(1, 'REFRESH_REUSED')]))

  test('the predecessor ends the family at once when the successor was used', () =>
    given(staffSessions, [...family, [refreshed('token 3', 1_500), at(1_500)]])
      .when('RefreshSession', ask, { at: at(2_000) })
      .then([ended(1, 'REFRESH_REUSED')]))

  test('an idle, an ended and an unknown session are refused alike', () => {
    given(staffSessions, [started()])
      .when('RefreshSession', ask, { at: at(7 * DAY) })
      .refused(401, 'Invalid or expired session')
    given(staffSessions, [started(), ended(1, 'LOGOUT')])
      .when('RefreshSession', ask)
      .refused(401, 'Invalid or expired session')
    given(staffSessions).when('RefreshSession', ask).refused(401, 'Invalid or expired session')
  })
})

describe('ProvePassword', () => {
  const proved = StaffSessionPasswordProved(named)
  const provedAt = (events: Parameters<typeof given<typeof staffSessions>>[1]) =>
    (given(staffSessions, events).state as typeof staffSessions.initial).map(({ provedPasswordAt }) => provedPasswordAt)

  test('a session proves it by starting, and once more whenever it gives it', () => {
    given(staffSessions, [started()]).when('ProvePassword', held).then([proved])
    const events = [started(1), started(2)]
    expect(provedAt(events)).toEqual([AT, AT])
    expect(provedAt([...events, [proved, at(DAY)]])).toEqual([at(DAY), AT])
    expect(provedAt([...events, [StaffSessionSteppedUp(named), at(DAY)]]), 'a code is no password').toEqual([AT, AT])
  })

  test('not one that has ended', () =>
    given(staffSessions).when('ProvePassword', held).refused(401, 'Invalid or expired session'))
})

describe('ending', () => {
  const three = [started(1), started(2), started(3)]

  test('one', () =>
    given(staffSessions, three)
      .when('EndSession', { sessionId: sessionId(2), reason: 'LOGOUT' })
      .then([ended(2, 'LOGOUT')]))

  test('one that has ended changes nothing', () =>
    given(staffSessions).when('EndSession', { sessionId: one, reason: 'LOGOUT' }).then([]))

  test('all', () =>
    given(staffSessions, three)
      .when('EndAllSessions', { reason: 'PASSWORD_RESET' })
      .then([1, 2, 3].map((n) => ended(n, 'PASSWORD_RESET'))))

  test('all but the one that acts', () =>
    given(staffSessions, three)
      .when('EndOtherSessions', { sessionId: sessionId(2), reason: 'REVOKED' })
      .then([ended(1, 'REVOKED'), ended(3, 'REVOKED')]))

  test('by a session that has itself ended is refused', () =>
    given(staffSessions, three)
      .when('EndOtherSessions', { sessionId: sessionId(4), reason: 'REVOKED' })
      .refused(401, 'Invalid or expired session'))
})

/**
 * A model of the family: tokens 0, 1, 2 … are issued one after another. Refreshes may come in any order, with
 * any token ever issued and with any pauses. Only the newest token brings a new one. Only its immediate
 * predecessor is forgiven, for ten seconds. Any other token ends the family.
 */
test('every sequence of refreshes keeps one good token or ends the family', () => {
  const move = fc.record({
    back: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.constant(1) }, fc.nat(5)),
    pauseMs: fc.oneof(fc.nat(9_999), fc.constantFrom(0, 10_000, 10_001, 6 * DAY, 7 * DAY), fc.nat(8 * DAY)),
  })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      let sessions = [started()].reduce(
        (before: typeof staffSessions.initial, event) => staffSessions.evolve(before, event, AT),
        staffSessions.initial,
      )
      const model = { newest: 1, usedMs: 0, isAlive: true }
      let nowMs = 0
      for (const { back, pauseMs } of moves) {
        nowMs += pauseMs
        const presented = Math.max(1, model.newest - back)
        const expired = nowMs >= model.usedMs + 7 * DAY || nowMs >= 30 * DAY
        const isPredecessor = presented === model.newest - 1 && nowMs - model.usedMs <= 10_000
        const expected =
          !model.isAlive || expired
            ? 'refused'
            : presented === model.newest
              ? 'rotated'
              : isPredecessor
                ? 'same'
                : 'ended'
        const deciding = { at: at(nowMs), actor: { type: 'STAFF', id: staffId } }
        const ask = { ...held, presented: `token ${presented}`, successor: `token ${presented + 1}` }
        let actual: string
        try {
          const events = staffSessions.commands.RefreshSession(sessions, ask, deciding)
          sessions = events.reduce((before, event) => staffSessions.evolve(before, event, at(nowMs)), sessions)
          const [type] = events.map((event) => event.type)
          actual = type === undefined ? 'same' : type === 'StaffSessionEnded' ? 'ended' : 'rotated'
        } catch (error) {
          expect(error).toBeInstanceOf(Rejection)
          actual = 'refused'
        }
        expect(actual).toBe(expected)
        if (expected === 'rotated') Object.assign(model, { newest: model.newest + 1, usedMs: nowMs })
        if (expected === 'ended') model.isAlive = false
        expect(sessions.map(({ refreshHash }) => refreshHash)).toEqual(model.isAlive ? [`token ${model.newest}`] : [])
      }
    }),
    { numRuns: 2_000 },
  )
})
