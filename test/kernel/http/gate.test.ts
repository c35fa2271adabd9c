import { describe, expect, it } from 'vitest'
import { gate } from '#kernel/http/gate'
import { FailureLimit } from '#kernel/http/limits/failure-limit'
import type { Access, RequestHead, Authenticate } from '#kernel/http/route'
import { everyone } from '#kernel/http/route'
import { Rejection, reject } from '#kernel/lib/rejection'
import { START, caller } from '../../support/kernel/http-rig.ts'

const arrival = (token?: string, ip: string | undefined = '192.0.2.1'): RequestHead => ({
  authorization: token === undefined ? [] : [`Bearer ${token}`],
  ip,
  now: START,
})

const never = (permission: string) => (permission === 'staff:view' ? `May never hold ${permission}` : undefined)

const known: Authenticate = async ({ authorization: [sent] }) => {
  if (sent === undefined) return undefined
  if (sent === 'Bearer staff') return caller('staff', ['plans:view'])
  if (sent === 'Bearer token') return caller('token', ['plans:view', 'staff:view'], { permissionBan: never })
  return reject('unauthenticated', 'Invalid or expired token', 'INVALID_TOKEN')
}

const both = (permission?: string): Access => ({ kinds: ['staff', 'token'], ...(permission ? { permission } : {}) })

async function refused(promise: Promise<unknown>): Promise<Rejection> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Rejection)) throw new Error('not refused', { cause: error })
  return error
}

describe('the gate', () => {
  it('lets everybody into a public route without looking at the credential', async () => {
    const door = gate(() => {
      throw new Error('looked')
    })
    expect(await door.authorize(everyone, arrival('garbage'))).toBeUndefined()
  })

  it.each<[string, Access, string | undefined, object]>([
    [
      'no credential',
      both(),
      undefined,
      { statusCode: 401, message: 'Authentication required', code: 'AUTHENTICATION_REQUIRED' },
    ],
    [
      'a bad credential',
      both(),
      'garbage',
      { statusCode: 401, message: 'Invalid or expired token', code: 'INVALID_TOKEN' },
    ],
    [
      'a kind that the route is not opened to, whatever its permission',
      { kinds: ['staff'], permission: 'staff:view' },
      'token',
      { statusCode: 403, message: 'This endpoint is not available to token.', code: 'NOT_OPEN' },
    ],
    [
      'a ban, although the permission is held',
      both('staff:view'),
      'token',
      { statusCode: 403, message: 'May never hold staff:view', code: 'PERMISSION_BANNED' },
    ],
    [
      'a missing permission',
      both('plans:manage'),
      'staff',
      { statusCode: 403, message: 'Missing permission plans:manage', code: 'PERMISSION_MISSING' },
    ],
  ])('refuses %s', async (_what, access, token, expected) => {
    const refusal = await refused(gate(known).authorize(access, arrival(token)))
    expect(refusal).toMatchObject(expected)
    expect(refusal.headers['WWW-Authenticate']).toBe(refusal.statusCode === 401 ? 'Bearer' : undefined)
  })

  it.each([
    [both('plans:view'), 'staff'],
    [both('plans:view'), 'token'],
    [both(), 'token'],
  ])('lets in who may', async (access, token) => {
    expect((await gate(known).authorize(access, arrival(token)))?.kind).toBe(token)
  })

  it('identifies without refusing, except when the store is away', async () => {
    expect((await gate(known).identify(arrival('staff')))?.kind).toBe('staff')
    expect(await gate(known).identify(arrival('garbage'))).toBeUndefined()
    const away = gate(async () => reject('unavailable', 'Away'))
    expect(await refused(away.identify(arrival('staff')))).toMatchObject({ statusCode: 503 })
  })
})

describe('failed authentications', () => {
  const fail = (door: ReturnType<typeof gate>, token: string | undefined, ip?: string) =>
    refused(door.authorize(both(), arrival(token, ip)))

  async function exhausted(perMinute = 5, authenticate: Authenticate = known, ip?: string) {
    const clock = { ms: 0 }
    const door = gate(authenticate, { perMinute, nowMs: () => clock.ms })
    for (let index = 0; index < perMinute; index += 1)
      expect(await fail(door, `garbage${index}`, ip)).toMatchObject({ statusCode: 401 })
    return { door, clock }
  }

  it('are counted per address: one more is answered 429 and told when to come back', async () => {
    const { door } = await exhausted()
    expect(await fail(door, 'garbage')).toMatchObject({
      statusCode: 429,
      headers: { 'Retry-After': '12', RateLimit: '"failures";r=0;t=12', 'RateLimit-Policy': '"failures";q=5;w=60' },
    })
    expect(await fail(door, undefined)).toMatchObject({ statusCode: 429 })
    expect(await fail(door, 'garbage', '192.0.2.2')).toMatchObject({ statusCode: 401 })
  })

  it('are forgiven evenly over the minute', async () => {
    const { door, clock } = await exhausted()
    clock.ms = 11_900
    expect(await fail(door, 'garbage')).toMatchObject({ statusCode: 429 })
    clock.ms = 12_100
    expect(await fail(door, 'garbage')).toMatchObject({ statusCode: 401 })
    expect(await fail(door, 'garbage')).toMatchObject({ statusCode: 429 })
  })

  it('never stop an accepted credential, not even one that was not seen before', async () => {
    const { door } = await exhausted()
    for (let index = 0; index < 50; index += 1) await fail(door, `garbage${index}`)
    expect((await door.authorize(both(), arrival('staff')))?.kind).toBe('staff')
    expect((await door.authorize(both(), arrival('token')))?.kind).toBe('token')
  })

  it('are not counted for accepted credentials, and neither are refused permissions', async () => {
    const door = gate(known, { perMinute: 3 })
    for (let index = 0; index < 10; index += 1) {
      await door.authorize(both(), arrival('staff'))
      expect(await refused(door.authorize(both('plans:manage'), arrival('staff')))).toMatchObject({ statusCode: 403 })
    }
    expect(await fail(door, 'garbage')).toMatchObject({ statusCode: 401 })
  })

  it('count an IPv6 network of 64 bits as one, and all undeterminable addresses as one', async () => {
    const { door } = await exhausted(5, known, '2001:db8:1:2::1')
    expect(await fail(door, 'garbage', '2001:db8:1:2:ffff::9')).toMatchObject({ statusCode: 429 })
    expect(await fail(door, 'garbage', '2001:db8:1:3::1')).toMatchObject({ statusCode: 401 })
    const limit = new FailureLimit({ perMinute: 1 })
    const unknown = () => limit.guard(undefined, 'x', async () => reject('unauthenticated', 'no'))
    expect(await refused(unknown())).toMatchObject({ statusCode: 401 })
    expect(await refused(unknown())).toMatchObject({ statusCode: 429 })
  })

  it('are counted for the /56 and the /48 as well, and for the /24 of an IPv4 address: others go on', async () => {
    const { door } = await exhausted(2, known, '2001:db8:1:1::1')
    for (const network of ['1:2', '1:101', '1:201'])
      for (const token of ['one', 'two'])
        expect(await fail(door, token, `2001:db8:${network}::1`)).toMatchObject({ statusCode: 401 })
    expect(await fail(door, 'garbage', '2001:db8:1:3::1')).toMatchObject({
      statusCode: 429,
      headers: { 'RateLimit-Policy': '"failures";q=4;w=60' },
    })
    expect(await fail(door, 'garbage', '2001:db8:1:301::1')).toMatchObject({
      statusCode: 429,
      headers: { 'RateLimit-Policy': '"failures";q=8;w=60' },
    })
    expect(await fail(door, 'garbage', '2001:db8:2:1::1')).toMatchObject({ statusCode: 401 })
    for (const host of [1, 2, 3, 4])
      for (const token of ['one', 'two'])
        expect(await fail(door, token, `192.0.2.${host}`)).toMatchObject({ statusCode: 401 })
    expect(await fail(door, 'garbage', '192.0.2.5')).toMatchObject({ statusCode: 429 })
    expect(await fail(door, 'garbage', '192.0.3.5')).toMatchObject({ statusCode: 401 })
  })

  it('of a block that is limited as a whole are looked at in one file, not in one for each of its networks', async () => {
    const lookups = { now: 0, most: 0 }
    const slow: Authenticate = async () => {
      lookups.most = Math.max(lookups.most, (lookups.now += 1))
      await new Promise((resolve) => setTimeout(resolve, 2))
      lookups.now -= 1
      return reject('unauthenticated', 'no')
    }
    const { door } = await exhausted(1, slow, '2001:db8:1:1::1')
    for (const network of ['1:101', '1:201', '1:301']) await fail(door, 'garbage', `2001:db8:${network}::1`)
    lookups.most = 0
    const guesses = Array.from({ length: 20 }, (_, n) => fail(door, `${n}`, `2001:db8:1:${n + 16}00::1`))
    for (const { statusCode } of await Promise.all(guesses)) expect(statusCode).toBe(429)
    expect(lookups.most).toBe(1)
  })

  it('make a limited address ask in single file, at a fifth of the time, in a short queue', async () => {
    const lookups = { now: 0, most: 0, all: 0 }
    const slow: Authenticate = async ({ authorization: [sent] }) => {
      lookups.all += 1
      lookups.most = Math.max(lookups.most, (lookups.now += 1))
      await new Promise((resolve) => setTimeout(resolve, 10))
      lookups.now -= 1
      return sent === 'Bearer staff' ? caller('staff', []) : reject('unauthenticated', 'no')
    }
    const { door } = await exhausted(2, slow)
    lookups.all = 0
    const startedMs = performance.now()
    const refusals = await Promise.all(Array.from({ length: 200 }, (_, index) => fail(door, `guess${index}`)))
    expect(refusals.every(({ statusCode }) => statusCode === 429)).toBe(true)
    expect(lookups).toMatchObject({ most: 1, all: 64 })
    expect(performance.now() - startedMs).toBeGreaterThan(63 * 50)
  })

  it('let a known credential past the file', async () => {
    let stuck = false
    const slow: Authenticate = (seen) =>
      stuck && seen.authorization[0] !== 'Bearer staff' ? new Promise(() => {}) : known(seen)
    const door = gate(slow, { perMinute: 1, nowMs: () => 0 })
    await door.authorize(both(), arrival('staff'))
    await fail(door, 'garbage')
    stuck = true
    for (let index = 0; index < 100; index += 1) door.authorize(both(), arrival(`guess${index}`)).catch(() => {})
    expect((await door.authorize(both(), arrival('staff')))?.kind).toBe('staff')
  })

  it('forget a credential that is no longer accepted', async () => {
    let revoked = false
    const changing: Authenticate = (seen) => (revoked ? reject('unauthenticated', 'no') : known(seen))
    const door = gate(changing, { perMinute: 1, nowMs: () => 0 })
    await door.authorize(both(), arrival('staff'))
    revoked = true
    expect(await fail(door, 'staff')).toMatchObject({ statusCode: 401 })
    expect(await fail(door, 'staff')).toMatchObject({ statusCode: 429 })
  })
})
