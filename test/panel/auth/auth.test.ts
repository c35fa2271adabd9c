/** Signing in to the panel and renewing the session, over HTTP. */
import { describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import {
  cookieIn,
  enableTotp,
  isSignedIn,
  REFRESH_COOKIE,
  refreshSession,
  signIn,
  typesOf,
  withCookie,
} from '../../support/panel/people.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'

const DAY_MS = 86_400_000
const NEW = 'quite another passphrase 77'
const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1') })
const sidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid

test('whoever signs in is told who he is', async () => {
  const { id, email, as } = await panel.somebody('ADMIN')
  const me = await panel.call('GET', '/api/auth/me', { as })
  expect(me.body).toMatchObject({ id, email, role: 'ADMIN', status: 'ACTIVE', permissions: [], totpEnabled: false })
})

test('a name is changed and taken away by its owner alone', async () => {
  const { as } = await panel.somebody()
  const patch = (body: unknown) => panel.call('PATCH', '/api/auth/profile', { as, body })
  expect((await patch({ name: '  Robin ' })).body).toMatchObject({ name: 'Robin' })
  expect((await patch({ name: null })).body).toMatchObject({ name: null })
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'Robin', role: 'SUPERADMIN' }])
    expect((await patch(body)).status).toBe(400)
})

test('being shown around is remembered from the first time on', async () => {
  const { as } = await panel.somebody()
  const asked = () => panel.call('GET', '/api/auth/me/onboarding', { as })
  const complete = () => panel.call('POST', '/api/auth/me/onboarding/complete', { as })
  expect((await asked()).body).toEqual({ completed: false, completedAt: null })
  const { completedAt } = (await complete()).body
  expect((await asked()).body).toEqual({ completed: true, completedAt })
  panel.passTime(60_000)
  expect((await complete()).body.completedAt).toBe(completedAt)
})

test('a changed password ends every other session', async () => {
  const { email, as } = await panel.somebody()
  const other = await signIn(panel, { email })
  const body = { current: PASSWORD, new: NEW }
  expect((await panel.call('POST', '/api/auth/change-password', { as, body })).status).toBe(204)
  expect(await isSignedIn(panel, as)).toBe(true)
  expect(await isSignedIn(panel, other.accessToken)).toBe(false)
  expect((await signIn(panel, { email })).reply.status).toBe(401)
  expect((await signIn(panel, { email, password: NEW })).reply.status).toBe(200)
})

test('a second factor is set up, asked for and disabled', async () => {
  const { id, email, as } = await panel.somebody()
  const other = await signIn(panel, { email })
  const { secret } = (await panel.call('POST', '/api/auth/2fa/setup', { as, body: { password: PASSWORD } })).body
  const code = (step = 0) => totpCode(secret, stepAt(panel.panel.clock.now()) + step)
  const proof = { password: PASSWORD, code: code() }
  const enabled = await panel.call('POST', '/api/auth/2fa/enable', { as, body: proof })
  expect(enabled.body.backupCodes).toHaveLength(10)
  expect(await isSignedIn(panel, other.accessToken)).toBe(false)
  expect((await signIn(panel, { email })).reply.headers.get('error-code')).toBe('TOTP_REQUIRED')
  expect((await signIn(panel, { email }, { totp: proof.code })).reply.status, 'a code counts once').toBe(401)
  const [backup] = enabled.body.backupCodes
  expect((await signIn(panel, { email }, { totp: backup })).reply.status).toBe(200)
  expect((await signIn(panel, { email }, { totp: backup })).reply.status).toBe(401)
  panel.passTime(30_000)
  const body = { password: PASSWORD, code: code() }
  expect((await panel.call('POST', '/api/auth/2fa/disable', { as, body })).status).toBe(204)
  expect((await signIn(panel, { email })).reply.status).toBe(200)
  expect(await typesOf(panel, `user-${id}`)).toContain('UserTotpDisabled')
})

describe('sessions', () => {
  test('are listed with what they are known by', async () => {
    const { email } = await panel.account('USER')
    const headers = { 'user-agent': 'Browser 1', 'x-forwarded-for': '198.51.100.7' }
    const one = await signIn(panel, { email }, { headers })
    const two = await signIn(panel, { email })
    const { body, headers: answered } = await panel.call('GET', '/api/auth/sessions', { as: one.accessToken })
    expect(answered.get('total-count')).toBe('2')
    expect(body.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [sidOf(one.accessToken), sidOf(two.accessToken)].toSorted(),
    )
    const mine = body.find(({ current }: { current: boolean }) => current)
    expect(mine).toMatchObject({ id: sidOf(one.accessToken), userAgent: 'Browser 1', ip: '198.51.100.7' })
    expect(Object.keys(mine).toSorted()).toEqual(['createdAt', 'current', 'id', 'ip', 'lastUsedAt', 'userAgent'])
    const paged = await panel.call('GET', '/api/auth/sessions?page=1&pageSize=1', { as: one.accessToken })
    expect(paged.body).toMatchObject({ total: 2, page: 1, pageSize: 1, items: [expect.anything()] })
  })

  test('the last use is kept to the minute', async () => {
    const { as } = await panel.somebody()
    panel.passTime(5 * 60_000)
    await panel.call('GET', '/api/auth/me', { as })
    await expect
      .poll(async () => {
        const { body } = await panel.call('GET', '/api/auth/sessions', { as })
        return Date.parse(body[0].lastUsedAt) > Date.parse(body[0].createdAt) && Date.parse(body[0].lastUsedAt) % 60_000
      })
      .toBe(0)
  })

  test('ending one ends that one; naming the current one keeps it and ends all others', async () => {
    const { email } = await panel.account('USER')
    const [one, two, three] = [
      await signIn(panel, { email }),
      await signIn(panel, { email }),
      await signIn(panel, { email }),
    ]
    const end = (token: string) =>
      panel.call('DELETE', `/api/auth/sessions/${sidOf(token)}`, { as: one.accessToken }).then(({ status }) => status)
    const alive = () => Promise.all([one, two, three].map(({ accessToken }) => isSignedIn(panel, accessToken)))
    expect(await end(two.accessToken)).toBe(204)
    expect(await alive()).toEqual([true, false, true])
    expect(await end(two.accessToken)).toBe(404)
    expect(await end(one.accessToken)).toBe(204)
    expect(await alive()).toEqual([true, false, false])
    const stranger = await panel.somebody('SUPERADMIN')
    expect(await end(stranger.as)).toBe(404)
    expect(await isSignedIn(panel, stranger.as)).toBe(true)
  })

  test('ending all others keeps the one that asks, and is recorded where there are none', async () => {
    const { id, email } = await panel.account('USER')
    const [one, two] = [await signIn(panel, { email }), await signIn(panel, { email })]
    for (const _time of [1, 2])
      expect((await panel.call('DELETE', '/api/auth/sessions', { as: one.accessToken })).status).toBe(204)
    expect(await isSignedIn(panel, one.accessToken)).toBe(true)
    expect(await isSignedIn(panel, two.accessToken)).toBe(false)
    const types = await typesOf(panel, `userSessions-${id}`)
    expect(types.filter((type) => type === 'UserSessionOthersEnded')).toHaveLength(2)
  })
})

describe('refreshing', () => {
  const byBody = (refreshToken: string, headers: Record<string, string> = {}) =>
    panel.call('POST', '/api/auth/refresh', { body: { refreshToken }, headers })

  test('by the cookie: the answer holds no refresh token, and the cookie the next', async () => {
    const { email } = await panel.account('USER')
    const { refreshToken } = await signIn(panel, { email })
    const reply = await refreshSession(panel, refreshToken)
    expect(Object.keys(reply.body).toSorted()).toEqual(['accessToken', 'user'])
    expect(cookieIn(reply, REFRESH_COOKIE)).not.toBe(refreshToken)
    expect(await isSignedIn(panel, reply.body.accessToken)).toBe(true)
  })

  test('by the body, without an origin: the next one stands in the answer, too', async () => {
    const { email } = await panel.account('USER')
    const { refreshToken } = await signIn(panel, { email })
    const reply = await byBody(refreshToken)
    expect(reply.status).toBe(200)
    expect(reply.body.refreshToken).toBe(cookieIn(reply, REFRESH_COOKIE))
    expect((await byBody(reply.body.refreshToken)).status).toBe(200)
  })

  test('a cookie, whatever is in it, leaves the body unread', async () => {
    const { email } = await panel.account('USER')
    const { refreshToken } = await signIn(panel, { email })
    for (const headers of [
      withCookie('nothing'),
      withCookie(''),
      { cookie: `${REFRESH_COOKIE}=a; ${REFRESH_COOKIE}=b` },
    ])
      expect((await byBody(refreshToken, headers)).status).toBeGreaterThanOrEqual(401)
    const other = await signIn(panel, { email })
    const reply = await byBody(refreshToken, withCookie(other.refreshToken))
    expect(sidOf(reply.body.accessToken)).toBe(sidOf(other.accessToken))
    expect(reply.body.refreshToken).toBeUndefined()
    expect((await byBody(refreshToken)).status, 'the one in the body was not used').toBe(200)
  })

  test('a used token of the body ends its family as that of a cookie does', async () => {
    const { email } = await panel.account('USER')
    const { refreshToken } = await signIn(panel, { email })
    const { body } = await byBody(refreshToken)
    panel.passTime(11_000)
    expect((await byBody(refreshToken)).status).toBe(401)
    expect(await isSignedIn(panel, body.accessToken)).toBe(false)
    expect((await byBody(body.refreshToken)).status).toBe(401)
  })

  test('a late repetition gets the same successor, and is recorded', async () => {
    const { id, email } = await panel.account('USER')
    const { refreshToken } = await signIn(panel, { email })
    const [one, two] = [await refreshSession(panel, refreshToken), await refreshSession(panel, refreshToken)]
    expect(cookieIn(one, REFRESH_COOKIE)).toBe(cookieIn(two, REFRESH_COOKIE))
    expect(await typesOf(panel, `userLogins-${id}`)).toEqual(['UserSessionRefreshRepeated'])
  })

  test('from another origin, or none, the cookie is refused', async () => {
    const { email } = await panel.account('USER')
    const { refreshToken } = await signIn(panel, { email })
    const cookie = `${REFRESH_COOKIE}=${refreshToken}`
    for (const headers of [
      { cookie },
      withCookie(refreshToken, 'http://evilpanel.test'),
      withCookie(refreshToken, 'null'),
    ])
      expect((await panel.call('POST', '/api/auth/refresh', { body: {}, headers })).status).toBe(403)
    expect((await refreshSession(panel, refreshToken)).status).toBe(200)
  })

  test('after a week of idleness there is nothing to refresh', async () => {
    const { email } = await panel.account('USER')
    const { refreshToken } = await signIn(panel, { email })
    panel.passTime(7 * DAY_MS)
    expect((await refreshSession(panel, refreshToken)).status).toBe(401)
  })
})

test('logging out ends the family; a cookie of an ended one ends nothing and is refused', async () => {
  const { email } = await panel.account('USER')
  const { accessToken, refreshToken } = await signIn(panel, { email })
  const logout = (headers: Record<string, string>) => panel.call('POST', '/api/auth/logout', { body: {}, headers })
  expect((await logout(withCookie(refreshToken))).status).toBe(204)
  expect(await isSignedIn(panel, accessToken)).toBe(false)
  expect((await refreshSession(panel, refreshToken)).status).toBe(401)
  expect((await logout(withCookie(refreshToken))).status).toBe(401)
})

test('an account that is not active is told what a stranger is', async () => {
  const { email } = await panel.account('USER', 'PENDING_VERIFICATION')
  const { reply } = await signIn(panel, { email })
  const stranger = await signIn(panel, { email: 'nobody@panel.test' })
  expect([reply.status, reply.text]).toEqual([stranger.reply.status, stranger.reply.text])
})

test('with a second factor a password alone opens nothing', async () => {
  const { id, email } = await panel.account('USER')
  const { code } = await enableTotp(panel, id)
  expect((await signIn(panel, { email })).reply.status).toBe(401)
  expect((await signIn(panel, { email }, { totp: code() })).reply.status).toBe(200)
})
