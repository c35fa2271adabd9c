/** The possible states of sessions, one-time links and stream tokens. */
import { describe, test } from 'vitest'
import { userSessions } from '#panel/auth/decider'
import { userSessionEvents } from '#panel/auth/events'
import { sseTokens } from '#panel/auth/sse-token/decider'
import { sseTokenEvents } from '#panel/auth/sse-token/events'
import { users } from '#panel/users/decider'
import { userEvents } from '#panel/users/events'
import type { AccountStatus, LinkPurpose } from '#panel/users/events'
import { AT, given } from '#test/support/decider-spec'

const DAY_MS = 86_400_000
const userId = '01890000-0000-7000-8000-00000000000a'
const id = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
const at = (ms: number) => new Date(AT.getTime() + ms)
const iso = (ms: number) => at(ms).toISOString()
const by = { accountId: userId, sessionId: id(1) }
const first = { userId, userSessionId: id(1) }
const started = (n: number) =>
  userSessionEvents.UserSessionStarted({
    userId,
    userSessionId: id(n),
    refreshHash: `token of ${n}`,
    expiresAt: iso(7 * DAY_MS),
    userAgent: null,
  })
const revoked = (n: number) => userSessionEvents.UserSessionEnded({ userId, userSessionId: id(n), reason: 'REVOKED' })
const three = [started(1), started(2), started(3)]

describe('revoking sessions', () => {
  test('another one', () =>
    given(userSessions, three)
      .when('RevokeSession', { ...by, id: id(2) })
      .then([revoked(2)]))

  test('the current one: all others', () =>
    given(userSessions, three)
      .when('RevokeSession', { ...by, id: id(1) })
      .then([userSessionEvents.UserSessionOthersEnded({ ...first, ended: 2 }), revoked(2), revoked(3)]))

  test('an unknown one, and one that has ended', () => {
    given(userSessions, three)
      .when('RevokeSession', { ...by, id: id(9) })
      .refused(404, 'Not found')
    given(userSessions, [...three, revoked(2)])
      .when('RevokeSession', { ...by, id: id(2) })
      .refused(404, 'Not found')
  })

  test('all others, though there are none', () =>
    given(userSessions, [started(1)])
      .when('RevokeOthers', by)
      .then([userSessionEvents.UserSessionOthersEnded({ ...first, ended: 0 })]))

  test('from one that has run out', () =>
    given(userSessions, three)
      .when('RevokeOthers', by, { at: at(7 * DAY_MS) })
      .refused(401, 'Invalid or expired session'))

  test('leaving one that has ended', () =>
    given(userSessions, [...three, revoked(1)])
      .when('EndSession', { sessionId: id(1), reason: 'LOGOUT' })
      .refused(401, 'Invalid or expired session'))
})

test('a stolen refresh token ends its family', () =>
  given(userSessions, [
    started(1),
    [userSessionEvents.UserSessionRefreshed({ ...first, refreshHash: 'next', expiresAt: iso(7 * DAY_MS) }), at(1_000)],
  ])
    .when('RefreshSession', { ...by, presented: 'token of 1', successor: 'next' }, { at: at(11_001) })
    .then([userSessionEvents.UserSessionEnded({ userId, userSessionId: id(1), reason: 'REFRESH_REUSED' })]))

describe('links', () => {
  const added = (status: AccountStatus) =>
    userEvents.UserAdded({
      userId,
      email: 'a@b.test',
      emailKey: 'k',
      name: null,
      role: 'USER',
      status,
      passwordHash: 'old',
    })
  const link = (purpose: LinkPurpose, linkHash = 'hash') =>
    userEvents.UserLinkMade({ userId, userLinkId: id(5), purpose, linkHash, expiresAt: iso(600_000), mailed: true })
  /** Shown to an administrator, if no mail is sent. */
  const shown = (linkHash: string) =>
    userEvents.UserLinkMade({
      userId,
      userLinkId: id(5),
      purpose: 'RESET',
      linkHash,
      expiresAt: iso(600_000),
      mailed: false,
    })
  const verify = { sessionId: id(1), linkHash: 'hash' }
  const reset = { linkHash: 'hash', passwordHash: 'new' }
  const NOT_VALID = 'The link is invalid or has expired: request a new one'

  test('prove an address', () =>
    given(users, [added('PENDING_VERIFICATION'), link('VERIFY')])
      .when('VerifyByLink', verify)
      .then([userEvents.UserVerified({ userId }), userEvents.UserStatusChanged({ userId, status: 'ACTIVE' })]))

  test('set a password, which proves the address as well', () =>
    given(users, [added('PENDING_VERIFICATION'), link('INVITE')])
      .when('SetPasswordByLink', reset)
      .then([
        userEvents.UserPasswordReset({ userId, passwordHash: 'new' }),
        userEvents.UserVerified({ userId }),
        userEvents.UserStatusChanged({ userId, status: 'ACTIVE' }),
      ]))

  test.each(['SUSPENDED', 'BANNED'] as const)('lead nowhere for whoever is %s', (status) => {
    given(users, [added(status), link('VERIFY')])
      .when('VerifyByLink', verify)
      .refused(400, NOT_VALID)
    given(users, [added(status), link('RESET')])
      .when('SetPasswordByLink', reset)
      .refused(400, NOT_VALID)
  })

  test('that were asked for take none away: neither two mailed before, nor one that was shown', () => {
    const known = added('ACTIVE')
    const asked = ['second', 'third'].map((hash) => link('RESET', hash))
    for (const older of [link('RESET'), shown('hash')])
      given(users, [known, older, ...asked])
        .when('SetPasswordByLink', reset)
        .then([userEvents.UserPasswordReset({ userId, passwordHash: 'new' }), userEvents.UserVerified({ userId })])
  })

  test('are made where anybody asks, but not within five minutes of the last', () => {
    const ask = { userLinkId: id(6), purpose: 'RESET' as const, linkHash: 'next' }
    const known = given(users, [added('ACTIVE'), link('RESET')])
    const next = userEvents.UserLinkMade({ ...ask, userId, expiresAt: iso(900_000), mailed: true })
    known.when('AskForLink', ask, { at: at(299_999) }).then([])
    known.when('AskForLink', ask, { at: at(300_000) }).then([next])
    given(users, [added('ACTIVE'), shown('hash')])
      .when('AskForLink', ask, { at: at(300_000) })
      .then([next])
  })

  test('are void once used, replaced, run out, or meant for something else', () => {
    const known = added('ACTIVE')
    given(users, [known, link('VERIFY'), userEvents.UserVerified({ userId })])
      .when('VerifyByLink', verify)
      .refused(400, NOT_VALID)
    given(users, [known, link('RESET'), ...['second', 'third', 'fourth'].map((hash) => link('RESET', hash))])
      .when('SetPasswordByLink', reset)
      .refused(400, NOT_VALID)
    given(users, [known, shown('hash'), shown('newer')])
      .when('SetPasswordByLink', reset)
      .refused(400, NOT_VALID)
    given(users, [known, link('RESET')])
      .when('SetPasswordByLink', reset, { at: at(600_000) })
      .refused(400, NOT_VALID)
    given(users, [known, link('RESET')])
      .when('VerifyByLink', verify)
      .refused(400, NOT_VALID)
    given(users, [known, link('VERIFY')])
      .when('SetPasswordByLink', reset)
      .refused(400, NOT_VALID)
    const used = userEvents.UserPasswordReset({ userId, passwordHash: 'new' })
    given(users, [known, link('RESET'), used])
      .when('SetPasswordByLink', reset)
      .refused(400, NOT_VALID)
  })
})

describe('stream tokens', () => {
  const about = { sseTokenId: id(7), userId, userSessionId: id(1) }
  const made = sseTokenEvents.SseTokenMade({
    ...about,
    path: '/api/events/stream',
    tokenHash: 'hash',
    expiresAt: iso(60_000),
  })
  const ask = { path: '/api/events/stream' }
  const REFUSED = 'Invalid or expired session'

  test('count once, for a minute, for their path', () => {
    given(sseTokens, [made])
      .when('UseSseToken', ask, { at: at(59_999) })
      .then([sseTokenEvents.SseTokenUsed(about)])
    given(sseTokens, [made])
      .when('UseSseToken', ask, { at: at(60_000) })
      .refused(401, REFUSED)
    given(sseTokens, [made, sseTokenEvents.SseTokenUsed(about)])
      .when('UseSseToken', ask)
      .refused(401, REFUSED)
    given(sseTokens, [made]).when('UseSseToken', { path: '/api/other' }).refused(401, REFUSED)
    given(sseTokens).when('UseSseToken', ask).refused(401, REFUSED)
  })
})
