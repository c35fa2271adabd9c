/**
 * Accounts that are locked after too many failures: operators are told, callers are not, and what lifts a
 * lock reports it.
 */
import { describe, expect, test } from 'vitest'
import { lockedAccounts } from '#kernel/auth/locked-accounts'
import { newSecret } from '#kernel/credentials/secret-token'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { resetStaffPassword } from '#licensing/access/staff-accounts'
import { hasLiftedLocks, liftedLocksText } from '../../../src/cli/lifted-locks.ts'
import { lockedAccountsText } from '../../../src/cli/locked-accounts-text.ts'
import { stepAt, totpCode } from '../../support/licensing/authenticator.ts'
import { enableTotp, fromNewAddress, signIn, newStaff } from '../../support/licensing/people.ts'
import type { TestStaff } from '../../support/licensing/people.ts'
import { startService } from '../../support/licensing/service.ts'
import type { Reply } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'
import { newShopper, shopSignIn } from '../../support/licensing/shoppers.ts'

const SCRAPER = '192.0.2.10'
const service = await startService({
  trustedProxies: parseTrustedProxies('127.0.0.1'),
  mail: undefined,
  metricsAllow: [SCRAPER],
  compareReadModels: false,
})
const wrong = { password: 'not the password at all' }
const NEW_PASSWORD = 'another quite long passphrase'

/** Records failures of long ago, so that no delay holds up the next one. */
const failed = (policy: string, times: number) =>
  service.superuser.query(
    `UPDATE telemetry.attempt SET consecutive = $2, recent = '{}', last_at = now() - interval '1 day'
     WHERE starts_with(key, $1) AND consecutive > 0`,
    [`${policy}:`, times],
  )
const forgetAll = () => service.superuser.query('DELETE FROM telemetry.attempt')

const told = ({ status, text, headers }: Reply) =>
  JSON.stringify([status, text, [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))])

const figure = async (guessed: string) => {
  const { text } = await service.call('GET', '/metrics', { headers: { 'x-forwarded-for': SCRAPER } })
  return new RegExp(`^sign_in_locked_accounts\\{guessed="${guessed}"\\} (\\d+)$`, 'm').exec(text)?.[1]
}

const warnings = (person: TestStaff) =>
  service
    .logs()
    .split('\n')
    .filter((line) => line.includes('account locked') && line.includes(person.id))
    .map((line) => JSON.parse(line))

/** Locks the account by the hundredth wrong password. @returns the answers to the 99th and to the hundredth */
async function lockedOut(person: TestStaff): Promise<readonly Reply[]> {
  await forgetAll()
  const first = await signIn(service, { ...person, ...wrong })
  await failed('password', 99)
  return [first.reply, (await signIn(service, { ...person, ...wrong })).reply]
}

describe('the hundredth wrong password', () => {
  test('locks the account: operators see it in the figures, the log and the doctor, its caller does not', async () => {
    const person = await newStaff(service)
    const [first, hundredth] = await lockedOut(person)
    expect(told(hundredth!)).toBe(told(first!))
    const locked = (await signIn(service, person)).reply
    expect(told(locked), 'nor by the right password').toBe(told(first!))
    expect([await figure('password'), await figure('second-factor')]).toEqual(['1', '0'])
    const about = { lock: 'password', account: `STAFF ${person.id}`, failures: 100, level: 40 }
    expect(warnings(person)).toEqual([expect.objectContaining(about)])
    expect(warnings(person)[0].requestId).toBe(hundredth!.headers.get('x-request-id'))
    expect(lockedAccountsText(await lockedAccounts(service.licensing.pool), 'do this')).toMatch(
      new RegExp(`^1 account is locked: do this\\nSTAFF ${person.id}, by wrong passwords, since \\S+Z$`),
    )
  })

  test('is forgotten with a new password from the host, which says so', async () => {
    const person = await newStaff(service)
    await lockedOut(person)
    const lifted = await resetStaffPassword(service.licensing, person.email, NEW_PASSWORD)
    expect(liftedLocksText(lifted)).toBe('The account is unlocked: 100 wrong passwords in a row had locked it.')
    expect(await figure('password')).toBe('0')
    expect((await signIn(service, { ...person, password: NEW_PASSWORD })).reply.status).toBe(200)
    const again = await resetStaffPassword(service.licensing, person.email, `${NEW_PASSWORD} 2`)
    expect([hasLiftedLocks(again), liftedLocksText(again)]).toEqual([
      false,
      'The account was neither locked nor delayed.',
    ])
  })

  test('that is right locks nothing', async () => {
    const person = await newStaff(service)
    await forgetAll()
    await signIn(service, { ...person, ...wrong })
    await failed('password', 99)
    expect((await signIn(service, person)).reply.status).toBe(200)
    expect([await figure('password'), warnings(person)]).toEqual(['0', []])
  })
})

test('the twentieth wrong code locks the second factor, and the host lifts it with the password', async () => {
  const person = await newStaff(service)
  const { secret } = await enableTotp(service, person)
  await forgetAll()
  await signIn(service, person, { totp: '000000' })
  await failed('second-factor', 19)
  await signIn(service, person, { totp: '000000' })
  expect(await figure('second-factor')).toBe('1')
  expect(warnings(person)).toEqual([expect.objectContaining({ lock: 'second-factor', failures: 20 })])
  const lifted = await resetStaffPassword(service.licensing, person.email, NEW_PASSWORD)
  expect(liftedLocksText(lifted)).toBe('The account is unlocked: 20 wrong codes in a row had locked it.')
  const totp = totpCode(secret, stepAt(service.licensing.clock.now()))
  expect((await signIn(service, { ...person, password: NEW_PASSWORD }, { totp })).reply.status).toBe(200)
})

test('a delay is lifted as well, and many locks are counted', () => {
  const nothing = { failures: 0, wasLocked: false }
  expect(liftedLocksText({ password: { failures: 1, wasLocked: false }, secondFactor: nothing })).toBe(
    'The account is no longer delayed: 1 wrong password in a row was counted.',
  )
  expect(lockedAccountsText([], 'do this')).toBe('no account is locked')
  const lock = { policy: 'second-factor', account: null, lockedAt: '2026-01-01T00:00:00.000Z' }
  const lines = lockedAccountsText(
    Array.from({ length: 12 }, () => lock),
    'do this',
  ).split('\n')
  expect([lines[0], lines[1], lines.at(-1)]).toEqual([
    '12 accounts are locked: do this',
    'an account, by wrong codes, since 2026-01-01T00:00:00.000Z',
    'and 2 more',
  ])
  expect(lines).toHaveLength(12)
})

describe('the link of an invitation', () => {
  async function invited() {
    const body = { email: `i${crypto.randomUUID()}@staff.test`, name: 'New', roles: ['SUPPORT'] }
    const made = await service.call('POST', '/api/admin/staff', { as: await service.staff(), body })
    expect(made.status, made.text).toBe(201)
    return { email: body.email, token: made.body.link.split('#token=')[1] as string }
  }
  const setPassword = (token: string, password: string, headers = fromNewAddress()) =>
    service.call('POST', '/api/admin/auth/set-password', { body: { token, password }, headers })

  test('lifts a lock that strangers have caused before the person came', async () => {
    const { email, token } = await invited()
    await forgetAll()
    await signIn(service, { email, ...wrong })
    await failed('password', 100)
    expect((await setPassword(token, NEW_PASSWORD)).status).toBe(204)
    expect((await signIn(service, { email, password: NEW_PASSWORD })).reply.status).toBe(200)
  })

  test('is guessed at under the counter of the address, as sign-ins are', async () => {
    const headers = fromNewAddress()
    const person = await newStaff(service)
    for (let n = 0; n < 20; n += 1)
      expect((await setPassword(newSecret('l'), NEW_PASSWORD, headers)).headers.get('error-code')).toBe('LINK_INVALID')
    expect((await signIn(service, person, { headers })).reply.status).toBe(401)
    const { token } = await invited()
    expect((await setPassword(token, NEW_PASSWORD, headers)).status, 'a right one is no guess').toBe(204)
  })

  test('takes 20 tries in a quarter of an hour', async () => {
    const { token } = await invited()
    for (let n = 0; n < 20; n += 1) expect((await setPassword(token, 'short')).status).toBe(400)
    expect((await setPassword(token, NEW_PASSWORD)).status).toBe(429)
  })
})

test('what was counted against a customer is forgotten with the customer', async () => {
  const floor = await shopFixture(service)
  const shopper = await newShopper(service)
  await forgetAll()
  await shopSignIn(service, { ...shopper, ...wrong })
  const counters = async () =>
    (await service.superuser.query(`SELECT FROM telemetry.attempt WHERE key LIKE 'password:%'`)).rowCount
  expect(await counters()).toBe(1)
  const erased = await floor.post(`/api/admin/customers/${shopper.id}/erase`, { confirmEmail: shopper.email })
  expect(erased.status, erased.text).toBe(202)
  expect(await counters()).toBe(0)
})
