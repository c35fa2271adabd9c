import { describe, expect, test, vi } from 'vitest'
import * as passwords from '#kernel/credentials/password'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { Rejection } from '#kernel/lib/rejection'
import { addStaff } from '#licensing/access/staff-accounts'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import {
  cookieIn,
  enableTotp,
  eventsOf,
  fromNewAddress,
  isSignedIn,
  REFRESH_COOKIE,
  refreshSession,
  signIn,
  newStaff,
} from '#test/support/licensing/people'
import { startService, STAFF_PASSWORD } from '#test/support/licensing/service'
import type { Reply } from '#test/support/licensing/service'
import { guessesWithin } from '#test/support/wrong-guesses'

vi.mock(import('#kernel/credentials/password'), async (original) => {
  const real = await original()
  return { ...real, verifyPassword: vi.fn(real.verifyPassword), verifyDummy: vi.fn(real.verifyDummy) }
})

const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1') })
const times = <Thing>(count: number, make: (n: number) => Thing): Thing[] =>
  Array.from({ length: count }, (_, n) => make(n))
const statuses = (replies: readonly Reply[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const wrong = { password: 'not the password at all' }
/** Tries that were examined. A try that the full queue turned away was not. */
const lookedAt = () =>
  vi.mocked(passwords.verifyPassword).mock.settledResults.filter(({ type }) => type === 'fulfilled').length

describe('guessing (A7)', () => {
  test(
    '1,000 guesses at once at one account get at most 5 verifications, and its owner waits',
    { timeout: 120_000 },
    async () => {
      const person = await newStaff(service)
      vi.mocked(passwords.verifyPassword).mockClear()
      const startedMs = performance.now()
      const replies = await Promise.all(times(1_000, () => signIn(service, { ...person, ...wrong })))
      const verified = lookedAt()
      expect(verified).toBeLessThanOrEqual(guessesWithin(performance.now() - startedMs))
      // 408: this process is too busy with its own guesses to send all bodies in time.
      for (const { reply } of replies) expect([401, 408, 503]).toContain(reply.status)
      expect((await eventsOf(service, `staffLogins-${person.id}`)).length).toBeLessThanOrEqual(verified)
      expect((await signIn(service, person)).reply.status).toBe(401)
    },
  )

  test('spellings of one address share the counter', async () => {
    const person = await newStaff(service)
    vi.mocked(passwords.verifyPassword).mockClear()
    const spellings = [
      person.email,
      person.email.toUpperCase(),
      ` ${person.email}`,
      person.email.replace('staff', 'ｓｔａｆｆ'),
    ]
    const startedMs = performance.now()
    for (const email of times(3, () => spellings).flat()) await signIn(service, { ...wrong, email })
    const verified = vi.mocked(passwords.verifyPassword).mock.calls.length
    expect(verified).toBeGreaterThanOrEqual(5)
    expect(verified).toBeLessThanOrEqual(guessesWithin(performance.now() - startedMs))
  })

  test('a delayed account and an unknown one cost a hash all the same', { retry: 2 }, async () => {
    const person = await newStaff(service)
    for (let n = 0; n < 5; n++) await signIn(service, { ...person, ...wrong })
    vi.mocked(passwords.verifyDummy).mockClear()
    await signIn(service, person)
    await signIn(service, { email: 'nobody@staff.test', ...wrong })
    expect(vi.mocked(passwords.verifyDummy)).toHaveBeenCalledTimes(2)
  })

  test('one address has 20 failures, over all accounts and a whole /64', async () => {
    const people = await Promise.all(times(5, () => newStaff(service)))
    vi.mocked(passwords.verifyPassword).mockClear()
    const from = (n: number) => ({ headers: { 'x-forwarded-for': `2001:db8:ffff:1::${n + 1}` } })
    vi.mocked(passwords.verifyDummy).mockClear()
    for (let n = 0; n < 25; n++) await signIn(service, { ...people[n % 5]!, ...wrong }, from(n))
    expect(vi.mocked(passwords.verifyPassword)).toHaveBeenCalledTimes(20)
    expect(vi.mocked(passwords.verifyDummy), 'what is not looked at costs no hash').not.toHaveBeenCalled()
    const fresh = await newStaff(service)
    expect((await signIn(service, fresh, from(0))).reply.status).toBe(401)
    expect((await signIn(service, fresh)).reply.status).toBe(200)
  })

  test('sign-ins that succeed are not counted', async () => {
    const person = await newStaff(service)
    const headers = fromNewAddress()
    for (let n = 0; n < 25; n++) expect((await signIn(service, person, { headers })).reply.status).toBe(200)
  })

  test('strangers cannot lock out a browser that has signed in before; after a password change it is a stranger', async () => {
    const person = await newStaff(service)
    const { reply, accessToken } = await signIn(service, person)
    const device = { cookie: `daybook_staff_device=${cookieIn(reply, 'daybook_staff_device')}` }
    for (let n = 0; n < 8; n++) await signIn(service, { ...person, ...wrong })
    expect((await signIn(service, person)).reply.status).toBe(401)
    const known = () => signIn(service, person, { headers: { ...fromNewAddress(), ...device } })
    expect((await known()).reply.status).toBe(200)
    const forged = { cookie: device.cookie.replace(/=(.)/, (_all, first) => `=${first === '0' ? '1' : '0'}`) }
    expect((await signIn(service, person, { headers: { ...fromNewAddress(), ...forged } })).reply.status).toBe(401)
    const other = await newStaff(service)
    for (let n = 0; n < 8; n++) await signIn(service, { ...other, ...wrong })
    expect((await signIn(service, other, { headers: { ...fromNewAddress(), ...device } })).reply.status).toBe(401)
    const change = { current: person.password, new: 'another quite long passphrase' }
    await service.superuser.query('DELETE FROM telemetry.attempt')
    await service.call('POST', '/api/admin/auth/password', { as: accessToken, body: change })
    for (let n = 0; n < 8; n++) await signIn(service, { ...person, ...wrong })
    const renewed = { ...person, password: change.new }
    expect((await signIn(service, renewed, { headers: { ...fromNewAddress(), ...device } })).reply.status).toBe(401)
  })

  test('guesses at the present password in a session share the counter of sign-ins', async () => {
    const person = await newStaff(service)
    const { accessToken } = await signIn(service, person)
    vi.mocked(passwords.verifyPassword).mockClear()
    const startedMs = performance.now()
    for (let n = 0; n < 16; n++) {
      const body = { current: `guess ${n}`, new: 'another quite long passphrase' }
      const { status } = await service.call('POST', '/api/admin/auth/password', {
        as: accessToken,
        body,
        headers: fromNewAddress(),
      })
      expect(status).toBe(401)
    }
    const verified = vi.mocked(passwords.verifyPassword).mock.calls.length
    expect(verified).toBeGreaterThanOrEqual(5)
    expect(verified).toBeLessThanOrEqual(guessesWithin(performance.now() - startedMs))
    expect((await signIn(service, person)).reply.status).toBe(401)
  })

  test('a password that a busy service did not look at is no wrong one of the session', async () => {
    const person = await newStaff(service)
    const { accessToken: as } = await signIn(service, person)
    const prove = () => service.call('POST', '/api/admin/auth/step-up', { as, body: { password: person.password } })
    const busy = new Rejection('unavailable', 'Too many sign-ins at once', 'PASSWORD_BUSY')
    for (let n = 0; n < 5; n++) {
      vi.mocked(passwords.verifyPassword).mockRejectedValueOnce(busy)
      expect((await prove()).status).toBe(503)
    }
    await service.superuser.query(`DELETE FROM telemetry.attempt WHERE starts_with(key, 'password:')`)
    expect((await prove()).status).toBe(204)
  })

  test('5 wrong codes block the second factor wherever the password comes before it, and a backup code lets the owner in', async () => {
    const person = await newStaff(service)
    const { secret, codes } = await enableTotp(service, person)
    const { accessToken: as } = await signIn(service, person, { totp: codes[0]! })
    const wrongCode = '000000'
    const disable = (code: string) =>
      service.call('POST', '/api/admin/auth/2fa/disable', { as, body: { password: person.password, code } })
    for (let n = 0; n < 3; n++) await signIn(service, person, { totp: wrongCode })
    for (let n = 0; n < 2; n++) await disable(wrongCode)
    const right = () => totpCode(secret, stepAt(service.licensing.clock.now()))
    expect((await signIn(service, person, { totp: right() })).reply.body.message).toBe('Invalid credentials')
    expect((await signIn(service, person)).reply.body.message).toBe('Invalid credentials')
    expect((await disable(right())).status).toBe(401)
    expect((await signIn(service, person, { totp: codes[1]! })).reply.status).toBe(200)
    expect((await signIn(service, person, { totp: right() })).reply.status).toBe(200)
  })

  test('a sign-in in two steps leaves nothing behind', async () => {
    const person = await newStaff(service)
    const { codes } = await enableTotp(service, person)
    for (let n = 0; n < 7; n++) {
      expect((await signIn(service, person)).reply.headers.get('error-code')).toBe('TOTP_REQUIRED')
      expect((await signIn(service, person, { totp: codes[n]! })).reply.status).toBe(200)
    }
  })
})

describe('one-time things, raced', () => {
  /** As many as two hashes and their queue hold, so none is refused with 503. */
  const AT_ONCE = 52

  test('a refresh token by 100: one rotation, one successor for all', async () => {
    const person = await newStaff(service)
    const { refreshToken } = await signIn(service, person)
    const replies = await Promise.all(times(100, () => refreshSession(service, refreshToken)))
    expect(statuses(replies)).toEqual({ 200: 100 })
    expect(new Set(replies.map((reply) => cookieIn(reply, REFRESH_COOKIE))).size).toBe(1)
    const types = (await eventsOf(service, `staffSessions-${person.id}`)).map(({ type }) => type)
    expect(types).toEqual(['StaffSessionStarted', 'StaffSessionRefreshed'])
  })

  test('a code', async () => {
    const person = await newStaff(service)
    const { secret } = await enableTotp(service, person)
    const totp = totpCode(secret, stepAt(service.licensing.clock.now()))
    const replies = await Promise.all(times(AT_ONCE, () => signIn(service, person, { totp })))
    expect(statuses(replies.map(({ reply }) => reply))).toEqual({ 200: 1, 401: AT_ONCE - 1 })
    const used = (await eventsOf(service, `staff-${person.id}`)).filter(({ type }) => type === 'StaffTotpUsed')
    expect(used).toHaveLength(1)
  })

  test('a backup code', async () => {
    const person = await newStaff(service)
    const { codes } = await enableTotp(service, person)
    const replies = await Promise.all(times(AT_ONCE, () => signIn(service, person, { totp: codes[0]! })))
    expect(statuses(replies.map(({ reply }) => reply))).toEqual({ 200: 1, 401: AT_ONCE - 1 })
    const used = (await eventsOf(service, `staff-${person.id}`)).filter(({ type }) => type === 'StaffBackupCodeUsed')
    expect(used).toHaveLength(1)
  })

  test('the claims alone hold, also where the rules would not', async () => {
    const { StaffTotpUsed, StaffBackupCodeUsed, staffEvents } = await import('#licensing/staff/events')
    const { StaffSessionRefreshed, staffSessionEvents } = await import('#licensing/auth/events')
    const id = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
    const twice = async (write: () => Promise<unknown>) => {
      await write()
      await expect(write()).rejects.toMatchObject({ name: 'UniqueConstraintViolation' })
    }
    const session = { staffId: id(1), staffSessionId: id(2) }
    const totp = StaffTotpUsed({ ...session, step: 7 })
    const backup = StaffBackupCodeUsed({ ...session, backupCode: 'hash', left: 1 })
    const refreshed = StaffSessionRefreshed({ ...session, refreshHash: 'successor', expiresAt: '2030-01-01T00:00:00Z' })
    await twice(() => service.run(async (unit) => unit.appendEvent(staffEvents, 'claims', totp)))
    await twice(() => service.run(async (unit) => unit.appendEvent(staffEvents, 'claims', backup)))
    await twice(() => service.run(async (unit) => unit.appendEvent(staffSessionEvents, 'claims', refreshed)))
  })
})

describe('nothing tells causes apart (A4)', () => {
  const headersOf = ({ headers }: Reply) =>
    [...headers]
      .filter(([name]) => !['date', 'x-request-id'].includes(name))
      .map(([name, value]) => `${name}: ${value}`)

  test('every refused sign-in is the same answer to the byte', async () => {
    const person = await newStaff(service)
    const guarded = await newStaff(service)
    await enableTotp(service, guarded)
    const delayed = await newStaff(service)
    for (let n = 0; n < 6; n++) await signIn(service, { ...delayed, ...wrong })
    const refused = [
      await signIn(service, { email: 'nobody@staff.test', ...wrong }),
      await signIn(service, { email: 'not an address', ...wrong }),
      await signIn(service, { ...person, ...wrong }),
      await signIn(service, delayed),
      await signIn(service, { ...guarded, ...wrong }),
      await signIn(service, guarded, { totp: '000000' }),
      await signIn(service, guarded, { totp: 'AAAA AAAA AAAA AAAA' }),
      await signIn(service, guarded, { totp: 'nonsense' }),
    ]
    const answers = new Set(refused.map(({ reply }) => JSON.stringify([reply.status, reply.text, headersOf(reply)])))
    expect([...answers]).toHaveLength(1)
  })

  test('every refused session is the same answer to the byte', async () => {
    const person = await newStaff(service)
    const over = await signIn(service, person)
    await service.call('POST', '/api/admin/auth/logout', { as: over.accessToken, body: {} })
    const [head, , mark] = over.accessToken.split('.')
    const foreign = Buffer.from(JSON.stringify({ sub: person.id })).toString('base64url')
    const answers = new Set<string>()
    for (const token of [over.accessToken, 'a.b.c', `${head}.${foreign}.${mark}`, `${over.accessToken}A`]) {
      const reply = await service.call('GET', '/api/admin/auth/me', { as: token })
      answers.add(JSON.stringify([reply.status, reply.text, headersOf(reply)]))
    }
    expect([...answers]).toHaveLength(1)
  })
})

describe('ends hold at once (A13)', () => {
  test('0 of 100 ended sessions are let in by the next request', async () => {
    const person = await newStaff(service)
    let [ended, stale] = [0, 0]
    const lane = async () => {
      while (ended < 100) {
        ended += 1
        const { accessToken } = await signIn(service, person)
        await service.call('POST', '/api/admin/auth/logout', { as: accessToken, body: {} })
        if (await isSignedIn(service, accessToken)) stale += 1
      }
    }
    await Promise.all(times(4, lane))
    expect([ended, stale]).toEqual([100, 0])
  })

  test('a session of somebody else’s signing key, or of another installation, is nobody’s', async () => {
    const { sessionSigner } = await import('#kernel/credentials/access-token')
    const person = await newStaff(service)
    const { accessToken } = await signIn(service, person)
    const { sid } = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString())
    const at = service.licensing.clock.now()
    const forge = (seed: Buffer, issuer: string) =>
      sessionSigner({ seed, issuer, audience: 'daybook-licensing-admin' }).sign({ sub: person.id, sid, at })
    const own = await service.licensing.vault.key('staff-sessions')
    expect(await isSignedIn(service, await forge(own, 'http://licensing.test'))).toBe(true)
    expect(await isSignedIn(service, await forge(own, 'http://other.test'))).toBe(false)
    expect(await isSignedIn(service, await forge(Buffer.alloc(32, 1), 'http://licensing.test'))).toBe(false)
    const stranger = await newStaff(service)
    const borrowed = await sessionSigner({
      seed: own,
      issuer: 'http://licensing.test',
      audience: 'daybook-licensing-admin',
    }).sign({ sub: stranger.id, sid, at })
    expect(await isSignedIn(service, borrowed)).toBe(false)
  })

  test('an expired session is refused though its access token has not expired', async () => {
    const { accessToken, refreshToken } = await signIn(service, await newStaff(service))
    const { sid } = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString())
    const { rows } = await service.superuser.query('SELECT expires_at FROM read.staff_sessions WHERE id = $1', [sid])
    await service.superuser.query(
      `UPDATE read.staff_sessions SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [sid],
    )
    expect(await isSignedIn(service, accessToken)).toBe(false)
    await service.superuser.query('UPDATE read.staff_sessions SET expires_at = $2 WHERE id = $1', [
      sid,
      rows[0].expires_at,
    ])
    expect((await refreshSession(service, refreshToken)).status).toBe(200)
  })
})

test('no personal value and no secret lies in clear, in the database or in the log', async () => {
  const canary = 'canary-4711'
  const person = {
    email: `${canary}@staff.test`,
    name: `Name ${canary}`,
    password: `${STAFF_PASSWORD} ${canary}`,
    roles: ['SUPERADMIN'] as const,
  }
  const { id } = await addStaff(service.run, service.licensing.vault, person)
  const { secret, codes } = await enableTotp(service, { id, email: person.email, password: person.password })
  const headers = { 'x-forwarded-for': '198.51.100.77', 'user-agent': `Browser ${canary}` }
  await signIn(service, { ...person, password: `${canary} wrong` }, { headers })
  const { accessToken, refreshToken } = await signIn(service, person, { totp: codes[0]!, headers })
  await service.call('GET', '/api/admin/auth/sessions', { as: accessToken, headers })
  const renewed = cookieIn(await refreshSession(service, refreshToken), REFRESH_COOKIE)!
  await service.licensing.projector.catchUp()
  const kept = `${await service.dump()}\n${service.logs()}`
  for (const value of [canary, '198.51.100.77', secret, codes[0]!, codes[1]!, accessToken, refreshToken, renewed])
    expect(kept.includes(value), value).toBe(false)
})
