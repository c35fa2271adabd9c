import { pino } from 'pino'
import { describe, expect, test, vi } from 'vitest'
import * as passwords from '#kernel/credentials/password'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { userSessionEvents } from '#panel/auth/events'
import { sseTokenEvents } from '#panel/auth/sse-token/events'
import { userEvents } from '#panel/users/events'
import { guessesWithin } from '#test/support/wrong-guesses'
import { openPanel } from '../../../src/composition/panel.ts'
import {
  cookieIn,
  enableTotp,
  fromNewAddress,
  isSignedIn,
  REFRESH_COOKIE,
  refreshSession,
  signIn,
  typesOf,
} from '../../support/panel/people.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import type { Reply } from '../../support/panel/service.ts'

vi.mock(import('#kernel/credentials/password'), async (original) => {
  const real = await original()
  return { ...real, verifyPassword: vi.fn(real.verifyPassword), verifyDummy: vi.fn(real.verifyDummy) }
})

const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1') })
const times = <Thing>(count: number, make: (n: number) => Thing): Thing[] =>
  Array.from({ length: count }, (_, n) => make(n))
const lettingIn = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200)
const wrong = { password: 'not the password at all' }
/** Tries that were examined. A try that the full queue turned away was not. */
const lookedAt = () =>
  vi.mocked(passwords.verifyPassword).mock.settledResults.filter(({ type }) => type === 'fulfilled').length

describe('guessing (A7)', () => {
  test('200 guesses at once at one account get at most 5 verifications, and its owner waits', async () => {
    const person = await panel.account('USER')
    vi.mocked(passwords.verifyPassword).mockClear()
    const startedMs = performance.now()
    const replies = await Promise.all(times(200, () => signIn(panel, { ...person, ...wrong })))
    const verified = lookedAt()
    expect(verified).toBeLessThanOrEqual(guessesWithin(performance.now() - startedMs))
    for (const { reply } of replies) expect([401, 503]).toContain(reply.status)
    expect((await typesOf(panel, `userLogins-${person.id}`)).length).toBeLessThanOrEqual(verified)
    expect((await signIn(panel, person)).reply.status).toBe(401)
  })

  test('spellings of one address share the counter', async () => {
    const { email } = await panel.account('USER')
    const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('user', 'ｕｓｅｒ')]
    vi.mocked(passwords.verifyPassword).mockClear()
    const startedMs = performance.now()
    for (const spelled of times(3, () => spellings).flat()) await signIn(panel, { ...wrong, email: spelled })
    const verified = vi.mocked(passwords.verifyPassword).mock.calls.length
    expect(verified).toBeGreaterThanOrEqual(5)
    expect(verified).toBeLessThanOrEqual(guessesWithin(performance.now() - startedMs))
  })

  test('an account that was guessed at in one process waits in every other', async () => {
    const person = await panel.account('USER')
    const other = await openPanel(panel.settings, pino({ level: 'silent' }))
    const { port } = await other.listen(0, '127.0.0.1')
    for (let n = 0; n < 5; n++) await signIn(panel, { ...person, ...wrong })
    const ask = { method: 'POST', body: JSON.stringify({ email: person.email, password: PASSWORD }) }
    const headers = { 'content-type': 'application/json', ...fromNewAddress() }
    const { status } = await fetch(`http://127.0.0.1:${port}/api/auth/login`, { ...ask, headers })
    await other.close()
    expect(status).toBe(401)
  })

  test('a delayed account, a suspended and an unknown one cost a hash all the same', { retry: 2 }, async () => {
    const person = await panel.account('USER')
    const suspended = await panel.account('USER', 'SUSPENDED')
    for (let n = 0; n < 5; n++) await signIn(panel, { ...person, ...wrong })
    vi.mocked(passwords.verifyDummy).mockClear()
    await signIn(panel, person)
    await signIn(panel, suspended)
    await signIn(panel, { email: 'nobody@panel.test', ...wrong })
    expect(vi.mocked(passwords.verifyDummy)).toHaveBeenCalledTimes(3)
  })

  test('guesses at the present password in a session share the counter of sign-ins, on every path', async () => {
    const person = await panel.account('USER')
    const { codes, code } = await enableTotp(panel, person.id)
    const { accessToken: as } = await signIn(panel, person, { totp: codes[0]! })
    vi.mocked(passwords.verifyPassword).mockClear()
    const guess = (n: number) =>
      n % 2 === 0
        ? panel.call('POST', '/api/auth/change-password', {
            as,
            body: { current: `guess ${n}`, new: 'quite another passphrase 77' },
            headers: fromNewAddress(),
          })
        : panel.call('POST', '/api/auth/2fa/disable', {
            as,
            body: { password: `guess ${n}`, code: code() },
            headers: fromNewAddress(),
          })
    const startedMs = performance.now()
    for (let n = 0; n < 16; n++) expect((await guess(n)).status).toBe(401)
    const verified = vi.mocked(passwords.verifyPassword).mock.calls.length
    expect(verified).toBeGreaterThanOrEqual(5)
    expect(verified).toBeLessThanOrEqual(guessesWithin(performance.now() - startedMs))
    expect((await signIn(panel, person, { totp: codes[1]! })).reply.status).toBe(401)
  })

  test('5 wrong codes block the second factor wherever it is asked, and a backup code lets the owner in', async () => {
    const person = await panel.account('USER')
    const { codes, code } = await enableTotp(panel, person.id)
    const { accessToken: as } = await signIn(panel, person, { totp: codes[0]! })
    for (let n = 0; n < 3; n++) await signIn(panel, person, { totp: '000000' })
    const body = { password: PASSWORD, code: '000000' }
    for (let n = 0; n < 2; n++) await panel.call('POST', '/api/auth/2fa/disable', { as, body })
    expect((await signIn(panel, person, { totp: code() })).reply.body.message).toBe('Invalid credentials')
    const right = { ...body, code: code() }
    expect((await panel.call('POST', '/api/auth/2fa/disable', { as, body: right })).status).toBe(401)
    expect((await signIn(panel, person, { totp: codes[1]! })).reply.status).toBe(200)
  })

  test('one address has 20 failures, over sign-ins, setup tokens and links', async () => {
    const headers = fromNewAddress()
    const post = (path: string, body: unknown) => panel.call('POST', `/api/auth/${path}`, { body, headers })
    const person = await panel.account('USER')
    for (let n = 0; n < 7; n++) await post('verify-email', { token: 'nothing' })
    for (let n = 0; n < 7; n++) await post('reset-password', { token: 'nothing', password: PASSWORD })
    for (let n = 0; n < 6; n++)
      await post('register', { email: 'a@panel.test', password: PASSWORD, setupToken: `${n}` })
    expect((await signIn(panel, person, { headers })).reply.status).toBe(401)
    expect((await signIn(panel, person)).reply.status).toBe(200)
  })

  test('who is signed in proves the password in a block whose guesses are used up', async () => {
    const person = await panel.account('USER')
    const { accessToken: as } = await signIn(panel, person)
    const headers = fromNewAddress()
    for (let n = 0; n < 21; n++) await signIn(panel, { email: `nobody-${n}@panel.test`, ...wrong }, { headers })
    expect((await signIn(panel, person, { headers })).reply.status).toBe(401)
    const body = { current: PASSWORD, new: 'quite another passphrase 77' }
    expect((await panel.call('POST', '/api/auth/change-password', { as, body, headers })).status).toBe(204)
  })

  test('strangers cannot lock out a browser that has signed in before', async () => {
    const person = await panel.account('USER')
    const { reply } = await signIn(panel, person)
    const device = { cookie: `daybook_panel_device=${cookieIn(reply, 'daybook_panel_device')}` }
    for (let n = 0; n < 8; n++) await signIn(panel, { ...person, ...wrong })
    expect((await signIn(panel, person)).reply.status).toBe(401)
    expect((await signIn(panel, person, { headers: { ...fromNewAddress(), ...device } })).reply.status).toBe(200)
  })
})

describe('one-time things, raced by 100', () => {
  test('a refresh token: one rotation, one successor for all', async () => {
    const person = await panel.account('USER')
    const { refreshToken } = await signIn(panel, person)
    const replies = await Promise.all(times(100, () => refreshSession(panel, refreshToken)))
    expect(lettingIn(replies)).toHaveLength(100)
    expect(new Set(replies.map((reply) => cookieIn(reply, REFRESH_COOKIE))).size).toBe(1)
    expect(await typesOf(panel, `userSessions-${person.id}`)).toEqual(['UserSessionStarted', 'UserSessionRefreshed'])
  })

  test('a code', async () => {
    const person = await panel.account('USER')
    const { code } = await enableTotp(panel, person.id)
    const totp = code()
    const replies = await Promise.all(times(100, () => signIn(panel, person, { totp })))
    expect(lettingIn(replies.map(({ reply }) => reply))).toHaveLength(1)
    expect((await typesOf(panel, `user-${person.id}`)).filter((type) => type === 'UserTotpUsed')).toHaveLength(1)
  })

  test('a backup code', async () => {
    const person = await panel.account('USER')
    const { codes } = await enableTotp(panel, person.id)
    const replies = await Promise.all(times(100, () => signIn(panel, person, { totp: codes[0]! })))
    expect(lettingIn(replies.map(({ reply }) => reply))).toHaveLength(1)
    expect((await typesOf(panel, `user-${person.id}`)).filter((type) => type === 'UserBackupCodeUsed')).toHaveLength(1)
  })

  test('the claims alone hold, also where the rules would not', async () => {
    const id = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
    const twice = async (write: () => Promise<unknown>) => {
      await write()
      await expect(write()).rejects.toMatchObject({ name: 'UniqueConstraintViolation' })
    }
    const session = { userId: id(1), userSessionId: id(2) }
    const totp = userEvents.UserTotpUsed({ ...session, step: 7 })
    const backup = userEvents.UserBackupCodeUsed({ ...session, backupCode: 'hash', left: 1 })
    const refreshed = userSessionEvents.UserSessionRefreshed({
      ...session,
      refreshHash: 'next',
      expiresAt: '2030-01-01T00:00:00Z',
    })
    const opened = sseTokenEvents.SseTokenUsed({ ...session, sseTokenId: id(3) })
    await twice(() => panel.run(async (unit) => unit.appendEvent(userEvents, 'claims', totp)))
    await twice(() => panel.run(async (unit) => unit.appendEvent(userEvents, 'claims', backup)))
    await twice(() => panel.run(async (unit) => unit.appendEvent(userSessionEvents, 'claims', refreshed)))
    await twice(() => panel.run(async (unit) => unit.appendEvent(sseTokenEvents, 'claims', opened)))
  })
})

describe('nothing tells causes apart (A4)', () => {
  test('every refused sign-in is the same answer to the byte', async () => {
    const headersOf = ({ headers }: Reply) =>
      [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)).map((pair) => pair.join(': '))
    const person = await panel.account('USER')
    const guarded = await panel.account('USER')
    await enableTotp(panel, guarded.id)
    const delayed = await panel.account('USER')
    for (let n = 0; n < 6; n++) await signIn(panel, { ...delayed, ...wrong })
    const refused = [
      await signIn(panel, { email: 'nobody@panel.test', ...wrong }),
      await signIn(panel, { ...person, ...wrong }),
      await signIn(panel, delayed),
      await signIn(panel, await panel.account('USER', 'SUSPENDED')),
      await signIn(panel, await panel.account('USER', 'BANNED')),
      await signIn(panel, await panel.account('USER', 'PENDING_VERIFICATION')),
      await signIn(panel, { ...guarded, ...wrong }),
      await signIn(panel, guarded, { totp: '000000' }),
      await signIn(panel, guarded, { totp: 'nonsense' }),
    ]
    expect(new Set(refused.map(({ reply }) => JSON.stringify([reply.status, reply.text, headersOf(reply)]))).size).toBe(
      1,
    )
  })
})

test('0 of 50 ended sessions are let in by the next request (A13)', async () => {
  const person = await panel.account('USER')
  let [ended, stale] = [0, 0]
  const lane = async () => {
    while (ended < 50) {
      ended += 1
      const { accessToken } = await signIn(panel, person)
      await panel.call('POST', '/api/auth/logout', { as: accessToken, body: {} })
      if (await isSignedIn(panel, accessToken)) stale += 1
    }
  }
  await Promise.all(times(4, lane))
  expect([ended, stale]).toEqual([50, 0])
})

test('owners hear of what others could have done in their name', async () => {
  const person = await panel.account('USER')
  const { codes } = await enableTotp(panel, person.id)
  await signIn(panel, person)
  const { refreshToken } = await signIn(panel, person, { totp: codes[0]! })
  await refreshSession(panel, refreshToken)
  panel.passTime(11_000)
  expect((await refreshSession(panel, refreshToken)).status).toBe(401)
  await panel.settle()
  const subjects = panel.mails.filter(({ to }) => to === person.email).map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual([
    'One of your sessions was ended',
    'Your password was used without a code',
    'Your second factor is on',
  ])
})

test('no personal value and no secret lies in clear, in the database or in the log', async () => {
  const { email } = await panel.account('USER')
  const headers = { 'x-forwarded-for': '198.51.100.77', 'user-agent': 'Browser canary-4711' }
  const { accessToken, refreshToken } = await signIn(panel, { email }, { headers })
  await panel.call('PATCH', '/api/auth/profile', { as: accessToken, body: { name: 'Name canary-4711' }, headers })
  const renewed = await panel.call('POST', '/api/auth/refresh', { body: { refreshToken }, headers })
  await panel.call('GET', '/api/auth/sessions', { as: accessToken, headers })
  await panel.panel.projector.catchUp()
  const kept = `${await panel.dump()}\n${panel.logs()}`
  const secrets = [accessToken, refreshToken, renewed.body.refreshToken, renewed.body.accessToken]
  for (const value of ['canary-4711', email, '198.51.100.77', ...secrets])
    expect(kept.includes(value), value).toBe(false)
})
