import { describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { addStaff, resetStaffPassword } from '#licensing/access/staff-accounts'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import {
  cookieIn,
  enableTotp,
  eventsOf,
  isSignedIn,
  REFRESH_COOKIE,
  refreshSession,
  signIn,
  newStaff,
  withCookie,
} from '#test/support/licensing/people'
import { startService, STAFF_PASSWORD } from '#test/support/licensing/service'

const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1') })
const NEW_PASSWORD = 'another quite long passphrase'
const NOBODY_SESSION = '01890000-0000-7000-8000-000000000001'
const now = () => service.licensing.clock.now()
const present = (secret: string) => totpCode(secret, stepAt(now()))
/** Late in a time step, the previous code may be too old when it arrives. */
const clearOfTheEdge = () => {
  const left = 30_000 - (now().getTime() % 30_000)
  if (left < 4_000) service.passTime(left)
}
const previous = (secret: string) => totpCode(secret, stepAt(now()) - 1)

const post = (path: string, as: string | undefined, body?: unknown) =>
  service.call('POST', `/api/admin/auth/${path}`, { as, body })

describe('POST /api/admin/auth/login', () => {
  test('200 with an access token, my profile and two cookies', async () => {
    const person = await newStaff(service, ['SUPPORT'])
    const { reply } = await signIn(service, person)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      user: {
        id: person.id,
        email: person.email,
        name: 'Robin',
        roles: ['SUPPORT'],
        permissions: [
          'customers:view',
          'subscriptions:view',
          'licenses:view',
          'licenses:manage',
          'instances:view',
          'instances:manage',
        ],
        totpEnabled: false,
        secondFactorDue: false,
        createdAt: expect.stringMatching(/Z$/),
      },
    })
    const [refresh, device] = reply.headers.getSetCookie()
    expect(refresh).toMatch(
      /^daybook_staff_refresh=dbr_[0-9A-Za-z]{46}; Path=\/api\/admin\/auth; Max-Age=60\d{4}; HttpOnly; SameSite=Strict$/,
    )
    expect(device).toMatch(
      /^daybook_staff_device=[\w-]{36}\.[\w-]{43}; Path=\/api\/admin\/auth\/login; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
    )
  })

  test('the access token lasts 15 minutes and names its session', async () => {
    const { accessToken } = await signIn(service, await newStaff(service))
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString())
    expect(claims).toMatchObject({
      iss: 'http://licensing.test',
      aud: 'daybook-licensing-admin',
      exp: claims.iat + 900,
    })
    expect(claims.sid).toMatch(/^[\w-]{36}$/)
  })

  test.each(['UPPER', 'space', 'full width'])('200 for the address in another spelling: %s', async (spelling) => {
    const person = await newStaff(service)
    const spelled = {
      UPPER: person.email.toUpperCase(),
      space: `  ${person.email} `,
      'full width': person.email.replace('staff', 'ｓｔａｆｆ'),
    }[spelling]!
    expect((await signIn(service, { ...person, email: spelled })).reply.status).toBe(200)
  })

  test('401 for a wrong password, audited with the reason and without a position', async () => {
    const person = await newStaff(service)
    const { reply } = await signIn(service, { ...person, password: 'wrong' })
    expect(reply.status).toBe(401)
    expect(reply.body).toEqual({ statusCode: 401, message: 'Invalid credentials' })
    expect(reply.headers.get('event-position')).toBeNull()
    expect(await eventsOf(service, `staffLogins-${person.id}`)).toEqual([
      { type: 'StaffLoginFailed', data: { staffId: person.id, reason: 'WRONG_PASSWORD' } },
    ])
  })

  test('401 for an address that nobody has, which leaves no event', async () => {
    const before = await service.licensing.store.head()
    const { reply } = await signIn(service, { email: 'nobody@staff.test', password: STAFF_PASSWORD })
    expect(reply.body).toEqual({ statusCode: 401, message: 'Invalid credentials' })
    expect(await service.licensing.store.head()).toBe(before)
  })

  test('401 TOTP_REQUIRED when the password is right and the code absent', async () => {
    const person = await newStaff(service)
    await enableTotp(service, person)
    const { reply } = await signIn(service, person)
    expect(reply.body).toEqual({ statusCode: 401, message: 'Second factor required' })
    expect(reply.headers.get('error-code')).toBe('TOTP_REQUIRED')
    expect((await eventsOf(service, `staffLogins-${person.id}`)).map(({ data }) => data.reason)).toEqual([
      'CODE_MISSING',
    ])
  })

  test('401 like a wrong password when the password is wrong and the code right', async () => {
    const person = await newStaff(service)
    const { secret } = await enableTotp(service, person)
    const { reply } = await signIn(service, { ...person, password: 'wrong' }, { totp: present(secret) })
    expect(reply.body.message).toBe('Invalid credentials')
    expect((await signIn(service, person, { totp: present(secret) })).reply.status).toBe(200)
  })

  test('401 for a wrong code, 200 for the right one, 401 for it again and for an older one', async () => {
    const person = await newStaff(service)
    const { secret } = await enableTotp(service, person)
    clearOfTheEdge()
    expect((await signIn(service, person, { totp: '000000' })).reply.body.message).toBe('Invalid credentials')
    const [older, code] = [previous(secret), present(secret)]
    expect((await signIn(service, person, { totp: code })).reply.status).toBe(200)
    expect((await signIn(service, person, { totp: code })).reply.body.message).toBe('Invalid credentials')
    expect((await signIn(service, person, { totp: older })).reply.body.message).toBe('Invalid credentials')
  })

  test('200 for a backup code in any spelling, once', async () => {
    const person = await newStaff(service)
    const { codes } = await enableTotp(service, person)
    const spelled = codes[3]!.toLowerCase().replace(/.{4}/g, '$& ')
    expect((await signIn(service, person, { totp: spelled })).reply.status).toBe(200)
    expect((await signIn(service, person, { totp: codes[3]! })).reply.status).toBe(401)
    expect((await signIn(service, person, { totp: codes[4]! })).reply.status).toBe(200)
  })

  test('400 for an unknown field, 415 for a form', async () => {
    const body = { email: 'a@b.test', password: 'x', role: 'SUPERADMIN' }
    expect((await post('login', undefined, body)).status).toBe(400)
    const form = { raw: 'email=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await service.call('POST', '/api/admin/auth/login', form)).status).toBe(415)
  })

  test('a hash with other parameters is made again at the next sign-in', async () => {
    const person = await newStaff(service)
    const { argon2id, phcText } = await import('#kernel/credentials/argon2')
    const cost = { memoryKiB: 8_192, passes: 1, lanes: 1 }
    const salt = Buffer.alloc(16, 7)
    const weak = phcText({ cost, salt, hash: await argon2id(person.password, salt, cost) })
    const { staffAccounts: staff } = await import('#licensing/staff/decider')
    await service.run((unit) => unit.decide(staff, person.id, 'ResetPassword', { passwordHash: weak }))
    expect((await signIn(service, person)).reply.status).toBe(200)
    const rehashed = (await eventsOf(service, `staff-${person.id}`)).at(-1)!
    expect(rehashed.type).toBe('StaffPasswordRehashed')
    const { LIVE_COST } = await import('#kernel/credentials/argon2-cost')
    expect(rehashed.data.passwordHash).toContain(`$m=${LIVE_COST.memoryKiB},t=${LIVE_COST.passes},`)
    expect((await signIn(service, person)).reply.status).toBe(200)
  })
})

describe('POST /api/admin/auth/refresh', () => {
  test('200 with another refresh token and an access token of the same session', async () => {
    const first = await signIn(service, await newStaff(service))
    const reply = await refreshSession(service, first.refreshToken)
    expect(reply.status).toBe(200)
    expect(cookieIn(reply, REFRESH_COOKIE)).not.toBe(first.refreshToken)
    expect(reply.body.user).toEqual(first.reply.body.user)
    const sid = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid
    expect(sid(reply.body.accessToken)).toBe(sid(first.accessToken))
  })

  test('by the cookie only: a token in the body is nothing', async () => {
    const { refreshToken } = await signIn(service, await newStaff(service))
    const path = '/api/admin/auth/refresh'
    expect((await service.call('POST', path, { body: { refreshToken } })).status).toBe(400)
    expect((await service.call('POST', path, { body: {}, as: refreshToken })).status).toBe(401)
    expect((await refreshSession(service, refreshToken)).status).toBe(200)
  })

  test('the token before gets the same successor within the grace, and nothing is written', async () => {
    const { refreshToken } = await signIn(service, await newStaff(service))
    const first = await refreshSession(service, refreshToken)
    const head = await service.licensing.store.head()
    const again = await refreshSession(service, refreshToken)
    expect(again.status).toBe(200)
    expect(cookieIn(again, REFRESH_COOKIE)).toBe(cookieIn(first, REFRESH_COOKIE))
    expect(await service.licensing.store.head()).toBe(head)
  })

  test('a token two generations old ends the family, on the next request', async () => {
    const person = await newStaff(service)
    const { refreshToken, accessToken } = await signIn(service, person)
    const second = cookieIn(await refreshSession(service, refreshToken), REFRESH_COOKIE)!
    const third = cookieIn(await refreshSession(service, second), REFRESH_COOKIE)!
    expect(await isSignedIn(service, accessToken)).toBe(true)
    const reused = await refreshSession(service, refreshToken)
    expect(reused.status).toBe(401)
    expect(reused.body).toEqual({ statusCode: 401, message: 'Invalid or expired session' })
    expect(await isSignedIn(service, accessToken)).toBe(false)
    expect((await refreshSession(service, third)).status).toBe(401)
    expect((await eventsOf(service, `staffSessions-${person.id}`)).at(-1)).toMatchObject({
      type: 'StaffSessionEnded',
      data: { reason: 'REFRESH_REUSED' },
    })
  })

  test('401 without a cookie, with one that is misspelled, unknown, or sent twice', async () => {
    const { refreshToken } = await signIn(service, await newStaff(service))
    const typo = refreshToken.slice(0, -1) + (refreshToken.endsWith('0') ? '1' : '0')
    const { newSecret } = await import('#kernel/credentials/secret-token')
    expect((await post('refresh', undefined, {})).status).toBe(401)
    expect((await refreshSession(service, typo)).status).toBe(401)
    expect((await refreshSession(service, newSecret('r'))).status).toBe(401)
    expect((await refreshSession(service, newSecret('k'))).status).toBe(401)
    expect((await refreshSession(service, `${refreshToken}; ${REFRESH_COOKIE}=${refreshToken}`)).status).toBe(401)
    expect((await refreshSession(service, refreshToken)).status).toBe(200)
  })
})

describe('POST /api/admin/auth/logout', () => {
  test('204 by the session: it has ended on the next request, and the cookie goes', async () => {
    const { accessToken, refreshToken } = await signIn(service, await newStaff(service))
    const reply = await post('logout', accessToken, {})
    expect(reply.status).toBe(204)
    expect(reply.headers.getSetCookie()[0]).toMatch(/^daybook_staff_refresh=; Path=\/api\/admin\/auth; Max-Age=0;/)
    expect(await isSignedIn(service, accessToken)).toBe(false)
    expect((await refreshSession(service, refreshToken)).status).toBe(401)
  })

  test('204 by the cookie alone', async () => {
    const { accessToken, refreshToken } = await signIn(service, await newStaff(service))
    const leave = { body: {}, as: 'aa.bb.cc', headers: withCookie(refreshToken) }
    expect((await service.call('POST', '/api/admin/auth/logout', leave)).status).toBe(204)
    expect(await isSignedIn(service, accessToken)).toBe(false)
  })

  test('401 with neither', async () => {
    const reply = await post('logout', undefined, {})
    expect(reply.body).toEqual({ statusCode: 401, message: 'Invalid or expired session' })
  })
})

describe('the cookie is taken from our own pages only (A12)', async () => {
  const corpus: [string, Record<string, string>, string][] = [
    ['another origin', { origin: 'http://evil.test' }, '{}'],
    ['a longer origin', { origin: 'http://licensing.test.evil.test' }, '{}'],
    ['a longer name', { origin: 'http://evillicensing.test' }, '{}'],
    ['another scheme', { origin: 'https://licensing.test' }, '{}'],
    ['another port', { origin: 'http://licensing.test:81' }, '{}'],
    ['a path', { origin: 'http://licensing.test/' }, '{}'],
    ['an opaque origin', { origin: 'null' }, '{}'],
    ['no origin', {}, '{}'],
    ['a text', { origin: 'http://licensing.test', 'content-type': 'text/plain' }, '{}'],
    ['a form', { origin: 'http://licensing.test', 'content-type': 'application/x-www-form-urlencoded' }, 'a=b'],
    ['nothing', { origin: 'http://licensing.test' }, ''],
  ]
  const { refreshToken, accessToken } = await signIn(service, await newStaff(service))

  test.each(corpus)('refused: %s', async (_what, headers, raw) => {
    for (const path of ['refresh', 'logout']) {
      const ask = { raw, headers: { cookie: `${REFRESH_COOKIE}=${refreshToken}`, ...headers } }
      const { status } = await service.call('POST', `/api/admin/auth/${path}`, ask)
      expect([400, 403, 415]).toContain(status)
    }
    expect(await isSignedIn(service, accessToken)).toBe(true)
  })

  test('no other method and no override reaches them, and no other route takes the cookie', async () => {
    const headers = { ...withCookie(refreshToken), 'x-http-method-override': 'POST' }
    expect((await service.call('GET', '/api/admin/auth/refresh', { headers })).status).toBe(404)
    expect((await service.call('GET', '/api/admin/auth/me', { headers })).status).toBe(401)
    expect((await service.call('DELETE', '/api/admin/auth/sessions', { headers })).status).toBe(401)
    expect((await refreshSession(service, refreshToken)).status).toBe(200)
  })
})

describe('GET /api/admin/auth/me', () => {
  test('200 with my profile', async () => {
    const person = await newStaff(service, ['AUDITOR'])
    const { accessToken, reply } = await signIn(service, person)
    expect((await service.call('GET', '/api/admin/auth/me', { as: accessToken })).body).toEqual(reply.body.user)
  })

  test('401 without a credential, 401 for every token that is not quite one of ours', async () => {
    const { accessToken } = await signIn(service, await newStaff(service))
    expect((await service.call('GET', '/api/admin/auth/me')).body.message).toBe('Authentication required')
    const [head, body, mark] = accessToken.split('.') as [string, string, string]
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    for (const token of ['a.b.c', `${none}.${body}.`, `${none}.${body}.${mark}`, `${head}.${body}.AAAA`]) {
      const reply = await service.call('GET', '/api/admin/auth/me', { as: token })
      expect(reply.body).toEqual({ statusCode: 401, message: 'Invalid or expired session' })
    }
  })
})

describe('POST /api/admin/auth/password', () => {
  test('204: the old one no longer works, the new one does, the other sessions end and this one stays', async () => {
    const person = await newStaff(service)
    const [mine, other] = [await signIn(service, person), await signIn(service, person)]
    const change = { current: person.password, new: NEW_PASSWORD }
    expect((await post('password', mine.accessToken, change)).status).toBe(204)
    expect(await isSignedIn(service, mine.accessToken)).toBe(true)
    expect(await isSignedIn(service, other.accessToken)).toBe(false)
    expect((await signIn(service, person)).reply.status).toBe(401)
    expect((await signIn(service, { ...person, password: NEW_PASSWORD })).reply.status).toBe(200)
  })

  test('401 for a wrong present one, 400 for a short or guessable new one, 401 without a session', async () => {
    const person = await newStaff(service)
    const { accessToken } = await signIn(service, person)
    const change = (current: string, next: string) => post('password', accessToken, { current, new: next })
    expect((await change('wrong', NEW_PASSWORD)).body).toEqual({ statusCode: 401, message: 'Invalid credentials' })
    expect((await change(person.password, 'too short')).status).toBe(400)
    expect((await change(person.password, person.email)).status).toBe(400)
    expect((await post('password', undefined, { current: 'a', new: 'b' })).status).toBe(401)
    expect((await signIn(service, person)).reply.status).toBe(200)
  })
})

describe('the second factor', () => {
  test('set up, enabled, used, disabled', async () => {
    const person = await newStaff(service)
    const [mine, other] = [await signIn(service, person), await signIn(service, person)]
    clearOfTheEdge()
    const { password } = person
    const setup = await post('2fa/setup', mine.accessToken, { password })
    expect(setup.status).toBe(200)
    expect(setup.body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(setup.body.otpauthUrl).toMatch(/^otpauth:\/\/totp\/Daybook:/)
    const enable = (code: string) => post('2fa/enable', mine.accessToken, { password, code })
    expect((await enable('000000')).status).toBe(401)
    const first = previous(setup.body.secret)
    const enabled = await enable(first)
    expect(enabled.status).toBe(200)
    expect(enabled.body.backupCodes).toHaveLength(10)
    expect(await isSignedIn(service, other.accessToken)).toBe(false)
    expect((await service.call('GET', '/api/admin/auth/me', { as: mine.accessToken })).body.totpEnabled).toBe(true)
    expect((await post('2fa/setup', mine.accessToken, { password })).status).toBe(409)
    expect((await enable(first)).status).toBe(409)
    const disable = (password: string, code: string) => post('2fa/disable', mine.accessToken, { password, code })
    expect((await disable(person.password, first)).status).toBe(401)
    expect((await disable('wrong', present(setup.body.secret))).status).toBe(401)
    expect((await disable(person.password, present(setup.body.secret))).status).toBe(204)
    expect((await signIn(service, person)).reply.status).toBe(200)
    expect((await disable(person.password, '123456')).status).toBe(409)
  })

  test('enable: 409 when nothing was set up', async () => {
    const { accessToken } = await signIn(service, await newStaff(service))
    const reply = await post('2fa/enable', accessToken, { password: STAFF_PASSWORD, code: '123456' })
    expect([reply.status, reply.headers.get('error-code')]).toEqual([409, 'TOTP_NOT_SET_UP'])
  })

  test('with it a password of 8 characters will do, which must grow before it is disabled', async () => {
    const person = await newStaff(service)
    const { codes, secret } = await enableTotp(service, person)
    const { accessToken } = await signIn(service, person, { totp: codes[0]! })
    const short = 'kX9#vQ2m'
    expect((await post('password', accessToken, { current: person.password, new: short })).status).toBe(204)
    const reply = await post('2fa/disable', accessToken, { password: short, code: present(secret) })
    expect([reply.status, reply.body.message]).toEqual([400, 'The password must have at least 15 characters'])
  })

  test.each(['2fa/setup', '2fa/enable', '2fa/disable', 'step-up'])('%s: 401 without a session', async (path) => {
    expect((await post(path, undefined, { code: '1' })).status).toBe(401)
  })
})

describe('POST /api/admin/auth/step-up', () => {
  test('204 lets a mint through that was refused with 403 STEP_UP_REQUIRED; the same code is 401', async () => {
    const person = await newStaff(service)
    const { secret, codes } = await enableTotp(service, person)
    const { accessToken } = await signIn(service, person, { totp: codes[0]! })
    const mint = () =>
      service.call('POST', '/api/admin/machine-tokens', {
        as: accessToken,
        body: { name: 'ci', permissions: ['plans:view'] },
      })
    const refused = await mint()
    expect([refused.status, refused.headers.get('error-code')]).toEqual([403, 'STEP_UP_REQUIRED'])
    const code = present(secret)
    expect((await post('step-up', accessToken, { code: '000000' })).status).toBe(401)
    expect((await post('step-up', accessToken, { code })).status).toBe(204)
    expect((await mint()).status).toBe(201)
    expect((await post('step-up', accessToken, { code })).status).toBe(401)
  })

  test('an account without a second factor gives its password, and no code: 409', async () => {
    const person = await newStaff(service)
    const { accessToken } = await signIn(service, person)
    expect((await post('step-up', accessToken, { code: '123456' })).status).toBe(409)
    expect((await post('step-up', accessToken, { password: 'wrong' })).status).toBe(401)
    expect((await post('step-up', accessToken, { password: person.password })).status).toBe(204)
    const types = (await eventsOf(service, `staffSessions-${person.id}`)).map(({ type }) => type)
    expect(types).toEqual(['StaffSessionStarted', 'StaffSessionPasswordProved', 'StaffSessionSteppedUp'])
  })

  test('with a second factor the password alone is no proof: 409', async () => {
    const person = await newStaff(service)
    const { codes } = await enableTotp(service, person)
    const { accessToken } = await signIn(service, person, { totp: codes[0]! })
    expect((await post('step-up', accessToken, { password: person.password })).status).toBe(409)
  })
})

describe('/api/admin/auth/sessions', () => {
  const list = (as: string) => service.call('GET', '/api/admin/auth/sessions', { as })

  test('lists my own with address, browser and which one asks', async () => {
    const person = await newStaff(service)
    const headers = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'Browser/1' }
    const mine = await signIn(service, person, { headers })
    await signIn(service, person)
    await signIn(service, await newStaff(service))
    const { body } = await list(mine.accessToken)
    expect(body.total).toBe(2)
    expect(body.items.map(({ current }: { current: boolean }) => current)).toEqual([false, true])
    expect(body.items[1]).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      ip: '203.0.113.7',
      userAgent: 'Browser/1',
      current: true,
    })
  })

  test('shows the last use to the minute', async () => {
    const { accessToken } = await signIn(service, await newStaff(service))
    const before = Math.floor(now().getTime() / 60_000) * 60_000
    await isSignedIn(service, accessToken)
    const lastUse = async () => Date.parse((await list(accessToken)).body.items[0].lastUsedAt)
    await expect.poll(async () => (await lastUse()) % 60_000).toBe(0)
    expect(await lastUse()).toBeGreaterThanOrEqual(before)
  })

  test('DELETE ends all but the one that asks', async () => {
    const person = await newStaff(service)
    const [mine, ...others] = [
      await signIn(service, person),
      await signIn(service, person),
      await signIn(service, person),
    ]
    expect((await service.call('DELETE', '/api/admin/auth/sessions', { as: mine.accessToken })).status).toBe(204)
    expect(await isSignedIn(service, mine.accessToken)).toBe(true)
    for (const other of others) expect(await isSignedIn(service, other.accessToken)).toBe(false)
  })

  test('DELETE /:id ends that one and no other, also the one that asks', async () => {
    const person = await newStaff(service)
    const [mine, other] = [await signIn(service, person), await signIn(service, person)]
    const idOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid
    const end = (id: string) => service.call('DELETE', `/api/admin/auth/sessions/${id}`, { as: mine.accessToken })
    expect((await end(idOf(other.accessToken))).status).toBe(204)
    expect(await isSignedIn(service, other.accessToken)).toBe(false)
    expect(await isSignedIn(service, mine.accessToken)).toBe(true)
    expect((await end(idOf(mine.accessToken))).status).toBe(204)
    expect(await isSignedIn(service, mine.accessToken)).toBe(false)
  })

  test('DELETE /:id: 404 for an unknown one, and the same 404 for somebody else’s', async () => {
    const [mine, stranger] = [
      await signIn(service, await newStaff(service)),
      await signIn(service, await newStaff(service)),
    ]
    const foreign = JSON.parse(Buffer.from(stranger.accessToken.split('.')[1]!, 'base64url').toString()).sid
    const answers = []
    for (const id of [NOBODY_SESSION, foreign, 'nonsense']) {
      const reply = await service.call('DELETE', `/api/admin/auth/sessions/${id}`, { as: mine.accessToken })
      answers.push([reply.status, reply.text])
    }
    expect(new Set(answers.map(String)).size).toBe(1)
    expect(answers[0]![0]).toBe(404)
    expect(await isSignedIn(service, stranger.accessToken)).toBe(true)
  })

  test('the 21st sign-in ends the oldest session', async () => {
    const person = await newStaff(service)
    const tokens = []
    for (let n = 0; n < 21; n++) tokens.push((await signIn(service, person)).accessToken)
    expect(await isSignedIn(service, tokens[0]!)).toBe(false)
    expect(await isSignedIn(service, tokens[1]!)).toBe(true)
    expect((await list(tokens[20]!)).body.total).toBe(20)
  })

  test.each([
    ['GET', '/api/admin/auth/sessions'],
    ['DELETE', '/api/admin/auth/sessions'],
    ['DELETE', `/api/admin/auth/sessions/${NOBODY_SESSION}`],
  ])('%s %s: 401 without a session', async (method, path) => {
    expect((await service.call(method, path)).status).toBe(401)
  })
})

describe('accounts made and mended on the host', () => {
  const { licensing, run } = service

  test('an address can be added once, whatever its spelling', async () => {
    const { email } = await newStaff(service)
    const again = {
      email: ` ${email.toUpperCase()}`,
      name: 'Other',
      roles: ['SUPPORT'] as const,
      password: STAFF_PASSWORD,
    }
    await expect(addStaff(run, licensing.vault, again)).rejects.toMatchObject({ statusCode: 409, code: 'EMAIL_TAKEN' })
  })

  test('a bad address and a bad password are refused', async () => {
    const person = { email: 'x@staff.test', name: 'X', roles: ['SUPPORT'] as const, password: STAFF_PASSWORD }
    await expect(addStaff(run, licensing.vault, { ...person, email: 'nonsense' })).rejects.toMatchObject({
      statusCode: 400,
    })
    await expect(addStaff(run, licensing.vault, { ...person, password: 'short' })).rejects.toMatchObject({
      statusCode: 400,
    })
  })

  test('a reset ends all sessions, lifts the lock, keeps the second factor and is audited as done by the system', async () => {
    const person = await newStaff(service)
    const { codes } = await enableTotp(service, person)
    const { accessToken } = await signIn(service, person, { totp: codes[0]! })
    for (let n = 0; n < 6; n++) await signIn(service, { ...person, password: 'wrong' })
    expect((await signIn(service, person, { totp: codes[1]! })).reply.status).toBe(401)
    const parts = { commands: licensing.commands, vault: licensing.vault, pool: service.superuser }
    await resetStaffPassword(parts, person.email.toUpperCase(), NEW_PASSWORD)
    await licensing.projector.catchUp()
    expect(await isSignedIn(service, accessToken)).toBe(false)
    const renewed = { ...person, password: NEW_PASSWORD }
    expect((await signIn(service, renewed)).reply.headers.get('error-code')).toBe('TOTP_REQUIRED')
    expect((await signIn(service, renewed, { totp: codes[1]! })).reply.status).toBe(200)
    const resets = (await licensing.store.readStream(`staff-${person.id}`)).filter(
      ({ type }) => type === 'StaffPasswordReset',
    )
    expect(resets.map(({ metadata }) => metadata['actor'])).toEqual([{ type: 'SYSTEM', id: 'daybook' }])
    await expect(resetStaffPassword(parts, 'nobody@staff.test', NEW_PASSWORD)).rejects.toMatchObject({
      statusCode: 404,
    })
  })
})
